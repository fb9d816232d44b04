import { failure, refusal } from '../../failure.ts'
import { type Either, left, right, t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { record } from '../../kernel/records/record.ts'
import { isIn } from '../../kernel/records/where.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, byKey, listOf } from '../../ports/store.ts'
import { type Client, clients } from '../customers/client.ts'
import type { EntryDetails } from '../ledger/post.ts'
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
export const withCurrentStatus = (detail: ChargeDetail): ChargeDetail => {
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
    return client ? [withCurrentStatus({ charge, client, asOf, publicUrl })] : []
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

const otherTitle = record({
  /** Its txid. */
  id: t.string,
  accountId: t.number,
  chargeId: t.number,
})

/**
 * A title of a charge beside its own: one that was replaced, or is to take its place. Somebody may have its code, and pay it.
 */
export const otherTitles: Collection<t.TypeOf<typeof otherTitle>> = {
  name: 'payments.other-titles',
  ids: 'text',
  codec: otherTitle,
  owner: 'accountId',
}

/** The charge of a title, whichever it had: money is that of the charge all the same. */
export const findByTitle = async (ports: ChargeReader, txid: string): Promise<ChargeDetail | null> => {
  const current = await findCharge(ports, { txid })
  if (current) return current
  const other = await ports.store.find(byId(otherTitles, txid))
  return other && findCharge(ports, { id: other.chargeId })
}

export const NO_CHARGE = failure('not-found', 'charge.unknown')

/** What a charge's `failure` says when the bank, or its acquirer, could not be reached; else it is their own reason. */
export const UNAVAILABLE = 'unavailable'
/** The charge was over before there was anything to pay it by: nobody is to be told of it. */
export const WITHDRAWN = 'withdrawn'

/** What a charge says whose bank gave something else than was ordered. */
export const MISMATCHED_TITLE = 'O banco devolveu um título que não confere com a cobrança.'

/** What whoever asks for a charge is told of why it failed: `refused` is the code of a reason that is not ours. */
export const failureOf = <const C extends string>(why: string, refused: C) =>
  why === UNAVAILABLE ? failure('refused', 'bank.unavailable') : refusal(refused, why)

/** What whoever comes after the answer is told of it. */
export const resultOf = <const C extends string>(
  detail: ChargeDetail,
  refused: C,
): Either<ReturnType<typeof failureOf<C>>, ChargeDetail> => {
  const { failure: why } = detail.charge
  return why === null || why === WITHDRAWN ? right(detail) : left(failureOf(why, refused))
}

/** What a statement line of a charge tells: its description, or which charge it is; and what else is known of the movement. */
export const entryDetails = (
  { id, description }: Pick<Charge, 'id' | 'description'>,
  known: Partial<EntryDetails> = {},
): EntryDetails => ({
  description: description ?? `Cobrança ${id}`,
  chargeId: id,
  txid: null,
  endToEnd: null,
  payer: null,
  receiver: null,
  ...known,
})
