import { type Either, type Failure, failure, left, refusal, right } from '../../failure.ts'
import { type Collection, isIn, record, t } from '../../kernel/records/record.ts'
import { accept, finishOperation, type RunnerCode, type Runtime, type UseCase } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, byKey, listOf } from '../../ports/store.ts'
import { type Client, clients } from '../customers/client.ts'
import type { EntryDetails } from '../ledger/post.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, charges, issuingOperationId, statusAt } from './charge.ts'

/** A charge and its payer, as of a point in time. */
export interface ChargeDetail {
  readonly charge: Charge
  readonly client: Client
  readonly asOf: Instant
  /** Base of public links, without a trailing slash. */
  readonly publicUrl: string
}

/**
 * Reports whether public answers and automatic messages hide the payer. The caller of a payment link may name any client of its
 * account, by an id or a document: only the data that the caller typed, and that is unchanged since, is shown.
 */
export const isPayerVeiled = ({ charge, client }: Pick<ChargeDetail, 'charge' | 'client'>): boolean =>
  charge.linkId !== null && (charge.isVeiled !== false || client.updatedAt !== client.createdAt)

/** The ports that a read of a charge needs. */
export type ChargeReader = Pick<PaymentsPorts, 'store' | 'clock' | 'settings'>

/** Returns the charge of an id, code or txid, in any account; null if there is none. */
export const findCharge = async (
  { store, clock, settings }: ChargeReader,
  by: { readonly id: number } | { readonly code: string } | { readonly txid: string },
): Promise<ChargeDetail | null> => {
  const charge = await store.find(chargeBy(by))
  const client = charge && (await store.find(byId(clients, charge.clientId)))
  return charge && client && { charge, client, asOf: clock.steady(), publicUrl: settings.publicUrl }
}

/** Returns the account's charge of an id or code, even if deleted; null if there is none or it belongs to another account. */
export const findOwnCharge = async (
  ports: ChargeReader,
  accountId: number,
  idOrCode: string,
): Promise<ChargeDetail | null> => {
  const id = parseId(idOrCode)
  const detail = await findCharge(ports, id === null ? { code: idOrCode } : { id })
  return detail?.charge.accountId === accountId ? detail : null
}

/** Returns the detail with the status at its time: expired charges that the job has not moved yet included. */
export const withCurrentStatus = (detail: ChargeDetail): ChargeDetail => {
  const { charge, asOf } = detail
  return { ...detail, charge: { ...charge, status: statusAt(charge, asOf) } }
}

/** Joins charges with their payers, in the order of the charges; a charge whose payer is missing is left out. */
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

/** Reads the clients of charges and returns both, in the order of the charges. */
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
  /** The txid. */
  id: t.string,
  accountId: t.number,
  chargeId: t.number,
})

/** A title of a charge besides its current one: a replaced title, or a replacement in progress. Its code can still be paid. */
export const otherTitles: Collection<t.TypeOf<typeof otherTitle>> = {
  name: 'payments.other-titles',
  ids: 'text',
  codec: otherTitle,
  owner: 'accountId',
}

/** Returns the charge of a title, whether current or not: a payment of either belongs to the charge. */
export const findByTitle = async (ports: ChargeReader, txid: string): Promise<ChargeDetail | null> => {
  const current = await findCharge(ports, { txid })
  if (current) return current
  const other = await ports.store.find(byId(otherTitles, txid))
  return other && findCharge(ports, { id: other.chargeId })
}

export const NO_CHARGE = failure('not-found', 'charge.unknown')

/** The `failure` of a charge whose bank or acquirer could not be reached. */
export const UNAVAILABLE = 'unavailable'
/** The `failure` of a charge that was closed before its title existed; no error is reported for it. */
export const WITHDRAWN = 'withdrawn'

/** The `failure` of a charge whose title differs from the order. */
export const MISMATCHED_TITLE = 'O banco devolveu um título que não confere com a cobrança.'

/** Returns the failure for a stored reason; `refused` is the code if the bank or acquirer gave it. */
export const failureOf = <const C extends string>(why: string, refused: C) =>
  why === UNAVAILABLE ? failure('refused', 'bank.unavailable') : refusal(refused, why)

/** Returns the result of an issued charge for a later call: the charge, or the failure that is stored in it. */
export const resultOf = <const C extends string>(
  detail: ChargeDetail,
  refused: C,
): Either<ReturnType<typeof failureOf<C>>, ChargeDetail> => {
  const { failure: why } = detail.charge
  return why === null || why === WITHDRAWN ? right(detail) : left(failureOf(why, refused))
}

/** Resumes the operation that issues a charge. After its end, returns the stored result. */
export const resumeIssue =
  <C extends string, D extends string>(
    runtime: Runtime,
    read: () => Promise<ChargeDetail | null>,
    repeat: (operationId: string) => UseCase<ChargeDetail, C, never>,
    resultIn: (detail: ChargeDetail) => Either<Failure<D, never>, ChargeDetail>,
  ): UseCase<ChargeDetail, C | D | 'charge.unknown' | RunnerCode, never> =>
  async (hooks) => {
    const found = await read()
    const issuing = found && issuingOperationId(found.charge)
    if (issuing !== null) return repeat(issuing)(hooks)
    return finishOperation(runtime, read, (detail) => (detail ? accept(resultIn(detail)) : left(NO_CHARGE)))(hooks)
  }

/** Builds the details of a statement entry of a charge: its description or `Cobrança` and its id, and the known details. */
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
