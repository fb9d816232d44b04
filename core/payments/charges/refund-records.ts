import { t } from '../../fp.ts'
import { nullable } from '../../kernel/input/field.ts'
import { oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { all, eq, isIn, lt, type Where } from '../../kernel/records/where.ts'
import { daysBetween } from '../../kernel/values/day.ts'
import { byId, type Find, listOf, type Store } from '../../ports/store.ts'
import { type Entry, entries, type Journal, journals } from '../ledger/ledger.ts'
import { BOLEPIX_IN, PIX_IN } from '../ledger/transaction-type.ts'
import type { Charge } from './charge.ts'

export const REFUND_STATUSES = ['pending', 'completed', 'failed'] as const

const refund = record({
  /** Our own id at the bank, and that of its operation. */
  id: t.string,
  accountId: t.number,
  chargeId: t.number,
  /** The entry that posted the received Pix. */
  entryId: t.number,
  /** The received Pix that it gives back, or a part of. */
  endToEndId: t.string,
  valueCents: t.number,
  /** What the payer reads. */
  reason: orNull(t.string),
  status: word(...REFUND_STATUSES),
  /** Why it failed: the bank's reason, or a word of our own. */
  failure: orNull(t.string),
  /** By which the banks know it; null while they do not. */
  returnId: orNull(t.string),
  createdBy: t.number,
  createdAt: t.string,
  completedAt: orNull(t.string),
})

/** Money of a received Pix that goes back to whoever paid it (devolução). */
export type Refund = t.TypeOf<typeof refund>

export const refunds: Collection<Refund> = {
  name: 'payments.refunds',
  ids: 'text',
  codec: refund,
  owner: 'accountId',
  indexes: [{ eq: 'chargeId', sort: 'createdAt' }],
}

/** Money that went back to a payer, or is on its way, as the API shows it. Source: issue 14. */
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
  },
  (refund: Refund) => refund,
)

const receivedPix = record({
  /** The id of the entry that posted it, as text. */
  id: t.string,
  accountId: t.number,
  /** What of it neither went back nor is on its way. */
  refundableCents: t.number,
})

/** What is left of a received Pix: the keeper of its refunds, there from the first one on. */
export type RefundablePix = t.TypeOf<typeof receivedPix>

export const refundablePix: Collection<RefundablePix> = {
  name: 'payments.refundable-pix',
  ids: 'text',
  codec: receivedPix,
  owner: 'accountId',
}

/** A Pix that paid a charge, by the entry that posted it, and what is left of it. */
export interface ReceivedPixEntry {
  readonly entry: Entry
  readonly leftCents: number
}

/** Pix of a charge that are looked at at once. */
const PAGE_SIZE = 100
/** Source: BCB, Regulamento do Pix; issue 14. */
const REFUNDABLE_DAYS = 90

const TYPE_IDS: readonly number[] = [PIX_IN.id, BOLEPIX_IN.id]

/** Which Pix is meant: the one of this id, or where it is null the one of which something is left. */
interface PixChoice {
  readonly endToEndId: string | null
}

export const isRefundable = ({ leftCents }: ReceivedPixEntry): boolean => leftCents > 0

/**
 * The Pix that reached a charge, newest first, until more than one has something left or one is too old to go back: an open
 * code is paid hundreds of times a day. Only those of one id where it is given.
 */
export const readReceivedPix = async (
  store: Store,
  { id, accountId }: Pick<Charge, 'id' | 'accountId'>,
  { endToEndId }: PixChoice,
  today: string,
): Promise<readonly ReceivedPixEntry[]> => {
  const received: ReceivedPixEntry[] = []
  const where = [
    eq<keyof Entry & string>('accountId', accountId),
    eq<keyof Entry & string>('chargeId', id),
    isIn<keyof Entry & string>('typeId', TYPE_IDS),
    ...(endToEndId === null ? [] : [eq<keyof Entry & string>('endToEnd', endToEndId)]),
  ]
  for (let before: readonly Where<keyof Entry & string>[] = []; ; ) {
    const { records } = await store.list(
      listOf(entries, { where: all(...where, ...before), sort: { by: 'seq', dir: 'desc' }, limit: PAGE_SIZE }),
    )
    received.push(...(await pixEntries(store, records)))
    const last = records.at(-1)
    const isOver = !last || records.length < PAGE_SIZE || isPastDeadline(last, today)
    if (isOver || received.filter(isRefundable).length > 1) return received
    before = [lt('seq', last.seq)]
  }
}

/** Those of these entries that are Pix, with what is left of each; one of an earlier release is as it was posted. */
const pixEntries = async (store: Store, records: readonly Entry[]): Promise<readonly ReceivedPixEntry[]> => {
  const asks: Record<string, Find<RefundablePix> | Find<Journal>> = {}
  for (const entry of records) {
    asks[`left ${entry.id}`] = byId(refundablePix, refundableId(entry))
    asks[`journal ${entry.id}`] = byId(journals, entry.journalId)
  }
  const found: Readonly<Record<string, RefundablePix | Journal | null>> = await store.read(asks)
  return records
    .filter((entry) => isPix(entry, found[`journal ${entry.id}`] as Journal | null | undefined))
    .map((entry) => {
      const kept = found[`left ${entry.id}`] as RefundablePix | null | undefined
      return { entry, leftCents: kept?.refundableCents ?? entry.valueCents }
    })
}

/** A bolepix is one type however it was paid: how, its cause says. */
const isPix = ({ typeId, endToEnd }: Entry, journal: Journal | null | undefined): boolean =>
  endToEnd !== null && (typeId === PIX_IN.id || journal?.cause.startsWith('pix-in:') === true)

export const refundableId = ({ id }: Pick<Entry, 'id'>): string => `${id}`

/** The keeper of what is left of a Pix of which nothing was given back yet. */
export const newRefundablePix = ({ id, accountId, valueCents }: Entry): RefundablePix => ({
  id: refundableId({ id }),
  accountId,
  refundableCents: valueCents,
})

/** Whether it came so long ago that it goes back no more; on the ninetieth day after it still does. */
export const isPastDeadline = ({ day }: Pick<Entry, 'day'>, today: string): boolean =>
  daysBetween(day, today) > REFUNDABLE_DAYS
