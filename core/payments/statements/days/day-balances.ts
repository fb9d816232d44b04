import type { DayRange } from '../../../kernel/input/query.ts'
import type { GroupRow } from '../../../kernel/records/tally.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import type { Day } from '../../../kernel/values/day.ts'
import { groupOf, type Store } from '../../../ports/store.ts'
import { entries } from '../../ledger/entry.ts'
import { type EntryField, onDays } from '../entry-filter.ts'
import { centsOf, countOf, type Magnitudes, magnitudesOf, type TypeSum, typeSums } from '../type-sum.ts'
import { confirmed, type Places, type Span, spanAsks, spanOf } from './span.ts'

/** A day or month on which something was posted: balances, sums and types are of its confirmed lines, in cents. */
export interface PeriodBalance extends Magnitudes {
  /** `YYYY-MM-DD` of a day, `YYYY-MM` of a month. */
  readonly period: string
  readonly openingCents: number
  readonly closingCents: number
  readonly types: readonly TypeSum[]
  /** Where all its lines stand, whatever their status. */
  readonly places: Places
}

/** The days of a range on which something was posted, the oldest first, and what the account had around them. */
export interface DayBalances extends Span {
  readonly days: readonly PeriodBalance[]
}

const DAY_CHARS = 10
const MONTH_CHARS = 7

/** How many letters of a day name a period. */
export const PERIOD_CHARS = { days: DAY_CHARS, months: MONTH_CHARS } as const

export const dayAsks = (accountId: number, range: DayRange) => ({
  ...spanAsks(accountId, range),
  moved: groupOf(entries, {
    where: all<EntryField>(eq('accountId', accountId), ...onDays(range)),
    by: ['day', 'status', 'typeId', 'direction'],
    sum: ['valueCents'],
  }),
})

type DayAnswers = Parameters<typeof spanOf>[0] & { readonly moved: readonly GroupRow[] }

export const dayBalancesOf = (answers: DayAnswers, by: keyof typeof PERIOD_CHARS = 'days'): DayBalances => {
  const span = spanOf(answers)
  return { ...span, days: periodsOf(span, answers.moved, PERIOD_CHARS[by]) }
}

/**
 * The days of a range with what each opened and closed with, at one instant: balances come from what the account has now, less
 * what tallies count since. The one reader of all statements by days.
 */
export const dayBalances = async (store: Store, accountId: number, range: DayRange): Promise<DayBalances> =>
  dayBalancesOf(await store.read(dayAsks(accountId, range)))

const periodsOf = (
  { openingCents, places }: Pick<Span, 'openingCents' | 'places'>,
  moved: readonly GroupRow[],
  chars: number,
): readonly PeriodBalance[] => {
  const rows = new Map<Day, GroupRow[]>()
  for (const row of moved) {
    const period = `${row.by.day}`.slice(0, chars)
    const known = rows.get(period)
    if (known) known.push(row)
    else rows.set(period, [row])
  }
  let [balanceCents, place] = [openingCents, places.after]
  return [...rows.keys()].sort().map((period) => {
    const of = rows.get(period) ?? []
    const [opening, after] = [balanceCents, place]
    balanceCents += centsOf(confirmed(of))
    place += countOf(of)
    return {
      period,
      openingCents: opening,
      closingCents: balanceCents,
      ...magnitudesOf(confirmed(of)),
      types: typeSums(confirmed(of)),
      places: { after, until: place },
    }
  })
}
