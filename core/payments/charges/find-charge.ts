import type { Runtime } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { byId, byKey } from '../../ports/store.ts'
import { type Client, clients } from '../customers/client.ts'
import { type Charge, charges } from './charge.ts'

/** A charge with whom it asks, as it stood at an instant. */
export interface ChargeDetail {
  readonly charge: Charge
  readonly client: Client
  readonly asOf: Instant
}

/** The charge of an id or a code, whoever owns it; null where there is none. */
export const findCharge = async (
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  by: { readonly id: number } | { readonly code: string } | { readonly txid: string },
): Promise<ChargeDetail | null> => {
  const charge = await store.find(chargeBy(by))
  const client = charge && (await store.find(byId(clients, charge.clientId)))
  return charge && client && { charge, client, asOf: clock.now() }
}

const chargeBy = (by: { readonly id: number } | { readonly code: string } | { readonly txid: string }) => {
  if ('id' in by) return byId(charges, by.id)
  return 'code' in by ? byKey(charges, 'code', by.code) : byKey(charges, 'txid', by.txid)
}
