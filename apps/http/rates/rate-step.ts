import { networkOf } from '../../../core/kernel/values/network.ts'
import type { ServerFailure } from '../replies/server-messages.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { Rates } from './rates.ts'

interface Limits {
  readonly app: string
  readonly rates: Rates
  readonly ratePerMinute?: number | null
}

export type Limit = (request: Pick<HttpRequest, 'address'>) => ServerFailure | null | Promise<ServerFailure | null>

/** Everything of an app that has no limit of its own. */
const ALL = '*'

/** What limits a row by address, or null: the limit of the whole app, then the one that its text states. */
export const limitOf = (
  { app, rates, ratePerMinute }: Limits,
  row: { readonly name: string; readonly rate?: { readonly perMinute: number } } | null,
): Limit | null => {
  const limits = [
    ...(ratePerMinute ? [{ scope: ALL, perMinute: ratePerMinute }] : []),
    ...(row?.rate ? [{ scope: row.name, perMinute: row.rate.perMinute }] : []),
  ]
  if (limits.length === 0) return null
  return async ({ address }) => {
    const network = networkOf(address)
    for (const { scope, perMinute } of limits) {
      const failure = await rates.take({ id: `${app}|${scope}|${network}`, perMinute })
      if (failure) return failure
    }
    return null
  }
}
