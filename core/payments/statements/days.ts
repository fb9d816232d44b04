import type { DayRange } from '../../kernel/input/mod.ts'
import { all, any, eq, gt, lt, lte, type Where } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { MAX_PAGE } from '../../limits.ts'
import { listOf, type QueryResults, type Store } from '../../ports/store.ts'
import { bookOf, CONFIRMED, type Entry, entries } from '../ledger/ledger.ts'
import { centsOf, countOf, type Magnitudes, magnitudesOf, type TypeSum, typeSums } from './entries.ts'
import { type EntryField, onDays, sumsBy } from './filters.ts'

/** A day or month with entries. Balances, sums and types count its confirmed entries, in cents. */
export interface PeriodBalance extends Magnitudes {
  /** `YYYY-MM-DD` of a day, `YYYY-MM` of a month. */
  readonly period: string
  readonly openingCents: number
  readonly closingCents: number
  readonly types: readonly TypeSum[]
  /** The `seq` range of its entries of every status. */
  readonly places: Places
}

/** The days of a range with entries, the oldest first, and the balances around the range. */
export interface DayBalances extends Span {
  readonly days: readonly PeriodBalance[]
}

/** The length of a period's name as a prefix of its days. */
const PERIOD_CHARS = { days: 10, months: 7 } as const

export const dayQueries = (accountId: number, range: DayRange) => ({
  ...spanQueries(accountId, range),
  sums: sumsBy(['day', 'status', 'typeId', 'direction'], accountId, ...onDays(range)),
})

export const dayBalancesOf = (
  answers: QueryResults<ReturnType<typeof dayQueries>>,
  by: keyof typeof PERIOD_CHARS = 'days',
): DayBalances => {
  const span = spanOf(answers)
  return { ...span, days: periodsOf(span, answers.sums, PERIOD_CHARS[by]) }
}

/**
 * Reads the days of a range with their opening and closing balances, in one read. A past balance is the current one
 * less the tallies since.
 */
export const dayBalances = async (store: Store, accountId: number, range: DayRange): Promise<DayBalances> =>
  dayBalancesOf(await store.read(dayQueries(accountId, range)))

const periodsOf = (
  { openingCents, places }: Pick<Span, 'openingCents' | 'places'>,
  sums: readonly GroupRow[],
  chars: number,
): readonly PeriodBalance[] => {
  let [balanceCents, place] = [openingCents, places.after]
  return rowsByPeriod(sums, chars).map(([period, of]) => {
    const [opening, after] = [balanceCents, place]
    balanceCents += centsOf(confirmedRows(of))
    place += countOf(of)
    return {
      period,
      openingCents: opening,
      closingCents: balanceCents,
      ...magnitudesOf(confirmedRows(of)),
      types: typeSums(confirmedRows(of)),
      places: { after, until: place },
    }
  })
}

/** Groups rows by day or, with fewer characters of the day, by month; the oldest first. */
export const rowsByPeriod = (
  rows: readonly GroupRow[],
  chars: number = PERIOD_CHARS.days,
): readonly (readonly [period: string, rows: readonly GroupRow[]])[] => {
  const periods = new Map<string, GroupRow[]>()
  for (const row of rows) {
    const period = `${row.by.day}`.slice(0, chars)
    const known = periods.get(period)
    if (known) known.push(row)
    else periods.set(period, [row])
  }
  return [...periods].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The account's balances around a range of days, in cents, and the `seq` range of its entries. */
export interface Span {
  /** Before the first day. */
  readonly openingCents: number
  /** At the end of the last day. */
  readonly closingCents: number
  readonly currentCents: number
  readonly places: Places
}

/** A range of an account's `seq`: greater than `after`, up to and including `until`. */
export interface Places {
  readonly after: number
  readonly until: number
}

export const seqWithin = ({ after, until }: Places): readonly Where<EntryField>[] => [
  gt('seq', after),
  lte('seq', until),
]

/** Returns the queries that `spanOf` needs, to be read together with those of the caller. */
export const spanQueries = (accountId: number, range: DayRange) => ({
  book: bookOf(accountId),
  within: sumsBy(['status'], accountId, ...onDays(range)),
  // Subtracted from the current balance, since most requests are about recent days.
  later: sumsBy(['status'], accountId, range.to ? gt('day', range.to) : any()),
})

/** Balances count confirmed entries. The `seq` of an account has no gaps, and its days never decrease. */
export const spanOf = ({ book, within, later }: QueryResults<ReturnType<typeof spanQueries>>): Span => {
  const currentCents = book?.balanceCents ?? 0
  const closingCents = currentCents - centsOf(confirmedRows(later))
  const until = (book?.seq ?? 0) - countOf(later)
  return {
    openingCents: closingCents - centsOf(confirmedRows(within)),
    closingCents,
    currentCents,
    places: { after: until - countOf(within), until },
  }
}

export const confirmedRows = (rows: readonly GroupRow[]): readonly GroupRow[] =>
  rows.filter(({ by }) => by.status === CONFIRMED)

/** Entries of a day, a month or a range, the oldest first, read from the store while they are iterated. */
export type Lines = AsyncIterable<Entry>

export const linesIn = (
  store: Pick<Store, 'list'>,
  accountId: number,
  places: Places,
  ...narrowed: readonly Where<EntryField>[]
): Lines =>
  streamEntries(store, { where: all(eq('accountId', accountId), ...narrowed, ...seqWithin(places)), dir: 'asc' })

/** A day of a statement with its entries of every status. */
export interface DayStatement extends PeriodBalance {
  readonly transactions: Lines
}

interface Walk {
  readonly where: Where<EntryField>
  readonly dir: 'asc' | 'desc'
  /** The number of entries to skip. */
  readonly offset?: number
  readonly limit?: number
}

/**
 * Streams entries in the order of `seq`, page by page: memory does not grow with their number, and an entry that
 * is posted during the iteration shifts no page.
 */
export async function* streamEntries(store: Pick<Store, 'list'>, walk: Walk): AsyncGenerator<Entry, void> {
  const { where, dir, offset = 0, limit = Number.POSITIVE_INFINITY } = walk
  let left = limit
  let seen: Entry | undefined
  while (left > 0) {
    const size = Math.min(MAX_PAGE, left)
    const { records } = await store.list(
      listOf(entries, {
        where: seen ? all(where, dir === 'asc' ? gt('seq', seen.seq) : lt('seq', seen.seq)) : where,
        sort: { by: 'seq', dir },
        limit: size,
        ...(!seen && offset > 0 && { offset }),
      }),
    )
    yield* records
    if (records.length < size) return
    left -= size
    seen = records.at(-1)
  }
}
