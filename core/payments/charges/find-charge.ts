import { isIn } from '../../kernel/records/where.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, byKey, listOf } from '../../ports/store.ts'
import { type Client, clients } from '../customers/client.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges, statusAt } from './charge.ts'

/** A charge with whom it asks, as it stood at an instant. */
export interface ChargeDetail {
  readonly charge: Charge
  readonly client: Client
  readonly asOf: Instant
  /** Base of public links, without a slash at its end. */
  readonly publicUrl: string
}

/**
 * Reports whether public answers and automatic messages hide the payer. The caller of a payment link may name any client of its
 * account, by an id or a document: only the data that the caller typed, and that is unchanged since, is shown.
 */
export const isPayerVeiled = ({ charge, client }: Pick<ChargeDetail, 'charge' | 'client'>): boolean =>
  charge.linkId !== null && (charge.isVeiled !== false || client.updatedAt !== client.createdAt)

/** What a charge is found with. */
export type ChargeReader = Pick<PaymentsPorts, 'store' | 'clock' | 'settings'>

/** The charge of an id or a code, whoever owns it; null where there is none. */
export const findCharge = async (
  { store, clock, settings }: ChargeReader,
  by: { readonly id: number } | { readonly code: string } | { readonly txid: string },
): Promise<ChargeDetail | null> => {
  const charge = await store.find(chargeBy(by))
  const client = charge && (await store.find(byId(clients, charge.clientId)))
  return charge && client && { charge, client, asOf: clock.steady(), publicUrl: settings.publicUrl }
}

/** The account's charge of this id or code, deleted ones too; null for another account's, too. */
export const findOwnCharge = async (
  ports: ChargeReader,
  accountId: number,
  idOrCode: string,
): Promise<ChargeDetail | null> => {
  const id = parseId(idOrCode)
  const detail = await findCharge(ports, id === null ? { code: idOrCode } : { id })
  return detail?.charge.accountId === accountId ? detail : null
}

/** For whoever reads it: a pending charge whose time is over is expired, though the worker has not moved it yet. */
export const asItStands = (detail: ChargeDetail): ChargeDetail => {
  const { charge, asOf } = detail
  return { ...detail, charge: { ...charge, status: statusAt(charge, asOf) } }
}

/** Charges with whom they ask, as they stood at an instant, in their order. */
export const detailsOf = (
  { settings: { publicUrl } }: Pick<ChargeReader, 'settings'>,
  records: readonly Charge[],
  payers: readonly Client[],
  asOf: Instant,
): readonly ChargeDetail[] => {
  const clientOf = new Map(payers.map((client) => [client.id, client]))
  return records.flatMap((charge) => {
    const client = clientOf.get(charge.clientId)
    return client ? [asItStands({ charge, client, asOf, publicUrl })] : []
  })
}

/** The same charges with their clients. */
export const withClients = async (
  ports: PaymentsPorts,
  records: readonly Charge[],
  asOf: Instant,
): Promise<readonly ChargeDetail[]> => {
  const ids = [...new Set(records.map(({ clientId }) => clientId))]
  if (ids.length === 0) return []
  const { records: payers } = await ports.store.list(listOf(clients, { where: isIn('id', ids), limit: ids.length }))
  return detailsOf(ports, records, payers, asOf)
}

const chargeBy = (by: { readonly id: number } | { readonly code: string } | { readonly txid: string }) => {
  if ('id' in by) return byId(charges, by.id)
  return 'code' in by ? byKey(charges, 'code', by.code) : byKey(charges, 'txid', by.txid)
}
