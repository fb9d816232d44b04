import type { GroupRow } from '../../../kernel/records/tally.ts'
import { all, eq, gt, gte, lte } from '../../../kernel/records/where.ts'
import { byId, groupOf, type Store } from '../../../ports/store.ts'
import { CONFIRMED, entries } from '../../ledger/entry.ts'
import { ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'
import type { EntryField } from '../entry-filter.ts'
import type { Period } from '../period.ts'
import { magnitudesOf } from '../type-sum.ts'

/** What the days of a period came to, whatever else a list is narrowed by. Totals count what is confirmed. */
export interface PeriodFigures {
  readonly period: Period
  readonly receivedCents: number
  /** A magnitude. */
  readonly paidCents: number
  readonly initialCents: number
  readonly finalCents: number
  /** At this instant, whenever the period ended. */
  readonly currentCents: number
  /** By day, type and direction: the confirmed movements of the period. */
  readonly rows: readonly GroupRow[]
}

/**
 * The figures of a period at one instant. The balance at its ends is that of now less what came after: a period that ends today
 * costs no more for what lies before it.
 */
export const periodFigures = async (store: Store, accountId: number, period: Period): Promise<PeriodFigures> => {
  const own = [eq<EntryField>('accountId', accountId), eq<EntryField>('status', CONFIRMED)]
  const { book, rows, after } = await store.read({
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
    rows: groupOf(entries, {
      where: all<EntryField>(...own, gte('day', period.from), lte('day', period.to)),
      by: ['day', 'typeId', 'direction'],
      sum: ['valueCents'],
    }),
    after: groupOf(entries, { where: all<EntryField>(...own, gt('day', period.to)), by: [], sum: ['valueCents'] }),
  })
  const { incomeCents: receivedCents, expensesCents: paidCents } = magnitudesOf(rows)
  const currentCents = book?.balanceCents ?? 0
  const finalCents = currentCents - (after[0]?.sums.valueCents ?? 0)
  return {
    period,
    receivedCents,
    paidCents,
    initialCents: finalCents - receivedCents + paidCents,
    finalCents,
    currentCents,
    rows,
  }
}

/** A day on which something moved: what it left, and by how much it changed that. */
export interface DayChange {
  readonly day: string
  readonly balanceCents: number
  readonly changeCents: number
}

/** The days with movement, from the first: each with its closing balance. */
export const dailyChanges = ({
  rows,
  initialCents,
}: Pick<PeriodFigures, 'rows' | 'initialCents'>): readonly DayChange[] => {
  const changes = new Map<string, number>()
  for (const { by, sums } of rows) changes.set(`${by.day}`, (changes.get(`${by.day}`) ?? 0) + (sums.valueCents ?? 0))
  let balanceCents = initialCents
  return [...changes.keys()].sort().map((day) => {
    const changeCents = changes.get(day) ?? 0
    balanceCents += changeCents
    return { day, balanceCents, changeCents }
  })
}
