import { nullable, oneOf, optional, output, SNAKE_CASE, timestamp, view } from '../../kernel/input/mod.ts'
import {
  all,
  type Change,
  type Collection,
  eq,
  isIn,
  lt,
  not,
  orNull,
  patch,
  record,
  type Take,
  t,
  type Where,
  word,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { type Day, daysBetween } from '../../kernel/values/day.ts'
import { migrationOf } from '../../office/migrations.ts'
import { byId, type Find, type List, listAll, listOf, NEWEST_FIRST, type Store, sumOf } from '../../ports/store.ts'
import { BOLEPIX_IN, type Entry, entries, type Journal, journals, PAYMENT_TYPE_IDS, PIX_IN } from '../ledger/ledger.ts'
import { reversalsView, storedReversals } from '../splits/reversal.ts'
import { CHARGE_STATUSES, type Charge, charges, isOpen, isPaid, ofCharge } from './charge.ts'
import { type ChargeDetail, dueOn, receivedCents } from './detail.ts'
import { encodeNow, recordEventOf } from './write.ts'

const REFUND_STATUSES = ['pending', 'completed', 'failed'] as const

const refund = record({
  /** Our id at the bank, and the id of the operation. */
  id: t.string,
  accountId: t.number,
  chargeId: t.number,
  /** The entry that posted the received Pix. */
  entryId: t.number,
  /** The received Pix that is refunded in full or in part. */
  endToEndId: t.string,
  valueCents: t.number,
  /** The part of it that was paid in excess; null if there is none. */
  overCents: orNull(t.number),
  /** The parts that the receivers of shares return; null for a Pix without shares. */
  shares: storedReversals,
  /** Of a failed refund: the corrections of shares for payments and refunds since its start; null without any. */
  corrections: storedReversals,
  /** The reason that the payer reads. */
  reason: orNull(t.string),
  status: word(...REFUND_STATUSES),
  /** The reason of a failure: the bank's text or `UNAVAILABLE`. */
  failure: orNull(t.string),
  /** The id between the banks; null before the bank assigns it. */
  returnId: orNull(t.string),
  createdBy: t.number,
  createdAt: t.string,
  completedAt: orNull(t.string),
})

/** A refund of a received Pix to its payer (devolução). */
export type Refund = t.TypeOf<typeof refund>

export const refunds: Collection<Refund> = {
  name: 'payments.refunds',
  ids: 'text',
  codec: refund,
  owner: 'accountId',
  indexes: [{ eq: 'chargeId', sort: 'createdAt' }],
}

/** Returns the query of a charge's newest refunds. */
export const refundsOf = (charge: Pick<Charge, 'id' | 'accountId'>, limit: number): List<Refund> =>
  listOf(refunds, { where: ofCharge(charge), sort: NEWEST_FIRST, limit })

/** Sums the completed refunds of the Pix that an entry posted. */
export const refundedOf = ({ id }: Pick<Entry, 'id'>, found: readonly Refund[]): number =>
  found
    .filter(({ entryId, status }) => entryId === id && status === 'completed')
    .reduce((sum, { valueCents }) => sum + valueCents, 0)

export const refundView = view(
  'Refund',
  {
    id: output.text({ about: 'Identificador da devolução' }),
    endToEndId: output.text({ about: 'endToEndId do Pix devolvido' }),
    valueCents: output.money({ wire: 'value', about: 'Valor' }),
    reason: nullable(output.text({ about: 'O que o pagador lê' })),
    status: oneOf(REFUND_STATUSES, { about: 'Situação: o banco ainda não respondeu, devolvida, ou não feita' }),
    returnId: nullable(output.text({ about: 'Identificador da devolução entre os bancos (rtrId)' })),
    createdAt: timestamp({ about: 'Criação' }),
    completedAt: nullable(timestamp({ about: 'Quando foi devolvida' })),
    splits: optional(
      output.view(reversalsView, { about: 'O que cabe a quem recebeu partes da cobrança; só onde ela foi dividida' }),
    ),
  },
  (refund: Refund) => ({ ...refund, ...(refund.shares && { splits: refund.shares }) }),
)

const REFUNDS_READ = 100

/** Reads all refunds of a charge with splits; none of other charges. */
export const readShared = async (
  store: Store,
  charge: Pick<Charge, 'id' | 'accountId' | 'splits'>,
): Promise<readonly Refund[]> => {
  if (charge.splits === null) return []
  const where = ofCharge(charge)
  return listAll(store, listOf(refunds, { where, sort: { by: 'createdAt', dir: 'asc' }, limit: REFUNDS_READ }))
}

const receivedPix = record({
  /** The id of the entry that posted the Pix, as text. */
  id: t.string,
  accountId: t.number,
  /** The amount without completed and pending refunds. */
  refundableCents: t.number,
})

/** The refundable amount of a received Pix, which guards its refunds. Stored from the first refund on. */
export type RefundablePix = t.TypeOf<typeof receivedPix>

export const refundablePix: Collection<RefundablePix> = {
  name: 'payments.refundable-pix',
  ids: 'text',
  codec: receivedPix,
  owner: 'accountId',
}

/** The entry of a Pix that paid a charge, and its refundable amount. */
export interface ReceivedPixEntry {
  readonly entry: Entry
  readonly leftCents: number
}

/** Entries that are read at once. */
const PAGE_SIZE = 100
/** BCB, Regulamento do Pix. */
const REFUNDABLE_DAYS = 90

const TYPE_IDS: readonly number[] = [PIX_IN.id, BOLEPIX_IN.id]

export const isRefundable = ({ leftCents }: ReceivedPixEntry): boolean => leftCents > 0

/**
 * Reads the Pix that paid a charge, newest first, or those with the requested id. Stops after `enough` refundable ones
 * or one past the deadline, because an open code may be paid hundreds of times a day.
 */
export const readReceivedPix = async (
  store: Store,
  charge: Pick<Charge, 'id' | 'accountId'>,
  endToEndId: string | null,
  today: string,
  enough = 2,
): Promise<readonly ReceivedPixEntry[]> => {
  const received: ReceivedPixEntry[] = []
  const where = [
    ofCharge(charge),
    isIn('typeId', TYPE_IDS),
    ...(endToEndId === null ? [] : [eq('endToEnd', endToEndId)]),
  ]
  for (let before: readonly Where<keyof Entry & string>[] = []; ; ) {
    const { records } = await store.list(
      listOf(entries, { where: all(...where, ...before), sort: { by: 'seq', dir: 'desc' }, limit: PAGE_SIZE }),
    )
    received.push(...(await pixEntries(store, records)))
    const last = records.at(-1)
    const isOver = !last || records.length < PAGE_SIZE || isPastDeadline(last, today)
    if (isOver || received.filter(isRefundable).length >= enough) return received
    before = [lt('seq', last.seq)]
  }
}

/**
 * Reads the sum of the payments of a charge with splits, less its refunds, pending ones included; 0 for other charges.
 * It is negative if the bank returned a refund that had failed here beside another one of the same money.
 */
export const readNetPaid = async (store: Store, charge: Charge): Promise<number> => {
  if (charge.splits === null) return 0
  const notFailed = all(ofCharge(charge), not(eq('status', 'failed')))
  return (await readPaid(store, charge)) - (await sumOf(store, refunds, 'valueCents', notFailed))
}

/**
 * Reads the sum of the payments of a charge. Releases before 0.22.0 did not count those of a charge that accepted none,
 * so their entries are added up.
 */
const readPaid = async (store: Store, charge: Charge): Promise<number> => {
  const countedCents = charge.amountPaidCents ?? 0
  if (!isUnpayable(charge) || charge.card !== null) return countedCents
  const received = all(ofCharge(charge), isIn('typeId', PAYMENT_TYPE_IDS))
  return Math.max(countedCents, await sumOf(store, entries, 'valueCents', received))
}

const isUnpayable = (charge: Pick<Charge, 'status'>): boolean => !isOpen(charge) && !isPaid(charge)

/** Counts the payments of charges that accepted none, which releases before 0.22.0 posted without counting them. */
export const countLatePayments = migrationOf({
  name: 'count-late-payments',
  from: charges,
  where: isIn(
    'status',
    CHARGE_STATUSES.filter((status) => isUnpayable({ status })),
  ),
  changes: async (charge, store) => {
    const paidCents = await readPaid(store, charge)
    if (paidCents === (charge.amountPaidCents ?? 0)) return []
    const when = eq('amountPaidCents', charge.amountPaidCents)
    return [patch(charges, charge.id, { set: { amountPaidCents: paidCents }, when })]
  },
})

/** The money of a charge, open or closed, in cents. */
export interface ChargeMoney {
  /** Its payments less its completed refunds. */
  readonly keptCents: number
  /** True if that pays the charge: a payment of a closed charge may be below the amount due. */
  readonly isSettled: boolean
}

/** Returns the amount that pays a charge on a day, with the payments that it has; refunded ones are due again. */
const priceOn = (charge: Charge, day: Day): number =>
  charge.paymentDate === null ? receivedCents(charge) + dueOn(charge, day) : dueOn({ ...charge, received: null }, day)

/** Reads the money of a charge, as of a day. */
export const readChargeMoney = async (store: Store, charge: Charge, day: Day): Promise<ChargeMoney> => {
  const refundedCents = charge.refundedCents ?? 0
  const keptCents = Math.max(0, (await readPaid(store, charge)) - refundedCents)
  const isPaidByBank = charge.paymentDate !== null && refundedCents === 0
  return { keptCents, isSettled: keptCents > 0 && (isPaidByBank || keptCents >= priceOn(charge, day)) }
}

/** Reads the money of a charge by its id; null if there is no such charge. */
export const findChargeMoney = async (store: Store, chargeId: number, day: Day): Promise<ChargeMoney | null> => {
  const charge = await store.find(byId(charges, chargeId))
  return charge && readChargeMoney(store, charge, day)
}

/** Returns the entries that are Pix, with the refundable amount of each: without a record, the posted amount. */
const pixEntries = async (store: Store, records: readonly Entry[]): Promise<readonly ReceivedPixEntry[]> => {
  const queries: Record<string, Find<RefundablePix> | Find<Journal>> = {}
  for (const entry of records) {
    queries[`left ${entry.id}`] = byId(refundablePix, refundableId(entry))
    queries[`journal ${entry.id}`] = byId(journals, entry.journalId)
  }
  const found: Readonly<Record<string, RefundablePix | Journal | null>> = await store.read(queries)
  return records
    .filter((entry) => isPix(entry, found[`journal ${entry.id}`] as Journal | null | undefined))
    .map((entry) => {
      const stored = found[`left ${entry.id}`] as RefundablePix | null | undefined
      return { entry, leftCents: stored?.refundableCents ?? entry.valueCents }
    })
}

/** The entries of a bolepix have one type for both methods: the cause of the journal shows the method. */
const isPix = ({ typeId, endToEnd }: Entry, journal: Journal | null | undefined): boolean =>
  endToEnd !== null && (typeId === PIX_IN.id || journal?.cause.startsWith('pix-in:') === true)

export const refundableId = ({ id }: Pick<Entry, 'id'>): string => `${id}`

/** Builds the record of a Pix without refunds. */
export const newRefundablePix = ({ id, accountId, valueCents }: Entry): RefundablePix => ({
  id: refundableId({ id }),
  accountId,
  refundableCents: valueCents,
})

/** Returns the cause under which a refund is posted once. */
export const refundCause = (id: string): string => `pix-refund:${id}`

/** Returns the cause under which the corrections of a refund that failed are posted once. */
export const failedRefundCause = (id: string): string => `pix-refund-failed:${id}`

/** Reports whether a Pix can no longer be refunded; the ninetieth day after it is the last. */
export const isPastDeadline = ({ day }: Pick<Entry, 'day'>, today: string): boolean =>
  daysBetween(day, today) > REFUNDABLE_DAYS

/** Records `charge.refunded`, with the charge and the refund as the API shows them now. */
export const recordRefund = (
  fresh: Fresh,
  detail: ChargeDetail,
  refund: Refund,
  take: Take<'refundedCents'>,
): readonly Change[] => {
  const data = { charge: encodeNow(fresh, detail), refund: refundView.on(SNAKE_CASE).encode(refund) }
  return recordEventOf(fresh, 'charge.refunded', detail.charge, data, take)
}
