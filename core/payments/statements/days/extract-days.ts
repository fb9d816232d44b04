import { right } from '../../../fp.ts'
import { required } from '../../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { notBefore } from '../../../kernel/input/rules.ts'
import type { GroupRow } from '../../../kernel/records/tally.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Day } from '../../../kernel/values/day.ts'
import { groupOf, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { entries } from '../../ledger/entry.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { conditionsOf, type EntryField, entryFilters, onDays, overlapOf } from '../entry-filter.ts'
import { centsOf, countOf, type TypeSum, typeSums } from '../type-sum.ts'
import { dayAsks, dayBalancesOf } from './day-balances.ts'
import { type Lines, linesAt } from './lines-of-days.ts'
import { confirmed } from './span.ts'

/** Source: 02-billing.md, Statements and reports (transactions/extract); decisions.md §11, Sums: this range has no limit. */
export const dayExtractFilter = input(
  'DayExtractFilter',
  {
    from: required(inQuery.day({ wire: 'payment_date_start', about: 'Pagamento, desde' })),
    to: required(inQuery.day({ wire: 'payment_date_end', about: 'Pagamento, até' })),
    created: inQuery.range('created_at', 'Criação'),
    ...entryFilters,
  },
  notBefore('to', 'from'),
)

export type DayExtractFilter = InputOf<typeof dayExtractFilter>

/** A day with those of its lines that match; what they come to counts the confirmed ones, in cents. */
export interface ExtractDay {
  readonly day: Day
  readonly transactions: Lines
  /** How many lines match. */
  readonly count: number
  readonly totalCents: number
  /** What the account had at the end of the day, whatever matches. */
  readonly closingCents: number
}

export interface DayExtract {
  /** The oldest first; those of which something matches. */
  readonly days: readonly ExtractDay[]
  readonly summary: {
    /** What the account had at the end of the range. */
    readonly balanceCents: number
    readonly total: number
    /** Of the confirmed lines that match. */
    readonly types: readonly TypeSum[]
  }
}

/**
 * The lines that match, day by day, with the balance at the end of each day and of the range.
 * Fails: `fields`. Source: 02-billing.md, Statements and reports; decisions.md §11.
 */
export const extractDays =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: DayExtractFilter) =>
    withValidInput(
      ports,
      dayExtractFilter,
      given,
      (filter): UseCase<DayExtract, never> =>
        async () =>
          right(await extractOf(ports.store, accountId, filter)),
    )

const extractOf = async (
  store: Store,
  accountId: number,
  filter: DecodedOf<typeof dayExtractFilter>,
): Promise<DayExtract> => {
  const { from, to, created } = filter
  const narrowed = [...conditionsOf(filter), ...onDays(created)]
  const { listed, ...answers } = await store.read({
    ...dayAsks(accountId, { from, to }),
    listed: groupOf(entries, {
      where: all<EntryField>(
        eq('accountId', accountId),
        ...conditionsOf(filter),
        ...onDays(overlapOf({ from, to }, created)),
      ),
      by: ['day', 'status', 'typeId', 'direction'],
      sum: ['valueCents'],
    }),
  })
  const { days, closingCents } = dayBalancesOf(answers)
  const byDay = rowsByDay(listed)
  return {
    days: days.flatMap(({ period, closingCents: endOfDay, places }) => {
      const rows = byDay.get(period)
      if (!rows) return []
      const transactions = linesAt(store, accountId, places, ...narrowed)
      const totalCents = centsOf(confirmed(rows))
      return [{ day: period, transactions, count: countOf(rows), totalCents, closingCents: endOfDay }]
    }),
    summary: { balanceCents: closingCents, total: countOf(listed), types: typeSums(confirmed(listed)) },
  }
}

const rowsByDay = (rows: readonly GroupRow[]): ReadonlyMap<Day, readonly GroupRow[]> => {
  const days = new Map<Day, GroupRow[]>()
  for (const row of rows) {
    const day = `${row.by.day}`
    days.set(day, [...(days.get(day) ?? []), row])
  }
  return days
}
