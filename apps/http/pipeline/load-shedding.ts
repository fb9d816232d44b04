import { unavailable } from '../../../core/kernel/running/use-case.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { Faults } from '../replies/faults.ts'
import { send } from '../replies/send.ts'
import type { ServerFailure } from '../replies/server-messages.ts'
import type { Context } from '../request/http-request.ts'

/** Requests that an app has in hand at once, from their headers to the last byte of their answers. */
export const MAX_IN_FLIGHT = 2_000

const BUSY: ServerFailure = unavailable('server.busy')

interface LoadSheddingDeps {
  readonly faults: Faults
  readonly dialect: Dialect
  readonly maxInFlight?: number
}

/**
 * Answers 503 at once where too much is in hand: what is not taken need not be waited for. A request is in hand until its
 * row is done and its answer is out: neither who hangs up nor who does not read makes room before.
 */
export const loadShedding = ({ faults, dialect, maxInFlight = MAX_IN_FLIGHT }: LoadSheddingDeps) => {
  const busy = faults.of(BUSY, dialect)
  let inFlight = 0
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    if (inFlight >= maxInFlight) {
      send(ctx, busy)
      return
    }
    inFlight += 1
    let holders = 2
    const letGo = (): void => {
      holders -= 1
      if (holders === 0) inFlight -= 1
    }
    ctx.res.once('close', letGo)
    try {
      await next()
    } finally {
      letGo()
    }
  }
}
