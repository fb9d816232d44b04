import type { DayRange } from '../../../kernel/input/query.ts'
import type { GroupRow } from '../../../kernel/records/tally.ts'
import { all, any, eq, gt, lte, type Where } from '../../../kernel/records/where.ts'
import { byId, groupOf } from '../../../ports/store.ts'
import { CONFIRMED, entries } from '../../ledger/entry.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'
import { type EntryField, onDays } from '../entry-filter.ts'
import { centsOf, countOf } from '../type-sum.ts'

/** What an account had before and after some days, in cents, and where their lines stand among all that it has. */
export interface Span {
  /** Before the first of the days. */
  readonly openingCents: number
  /** At the end of the last of them. */
  readonly closingCents: number
  /** Now. */
  readonly currentCents: number
  readonly places: Places
}

/** The lines after one place and until another, that one included. */
export interface Places {
  readonly after: number
  readonly until: number
}

export const atPlaces = ({ after, until }: Places): readonly Where<EntryField>[] => [
  gt<EntryField>('seq', after),
  lte<EntryField>('seq', until),
]

/** What tells the span of some days: asked at one instant with whatever else is told of them. */
export const spanAsks = (accountId: number, range: DayRange) => {
  const byStatus = (...days: readonly Where<EntryField>[]) =>
    groupOf(entries, {
      where: all<EntryField>(eq('accountId', accountId), ...days),
      by: ['status'],
      sum: ['valueCents'],
    })
  return {
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
    within: byStatus(...onDays(range)),
    // Counted back from now, since what is asked for is mostly of late.
    later: byStatus(range.to ? gt('day', range.to) : any()),
  }
}

interface SpanAnswers {
  readonly book: LedgerAccount | null
  readonly within: readonly GroupRow[]
  readonly later: readonly GroupRow[]
}

/**
 * Balances are those of confirmed lines; an account has one line a place, and days do not run backwards along them.
 * Source: decisions.md §11, Sums.
 */
export const spanOf = ({ book, within, later }: SpanAnswers): Span => {
  const currentCents = book?.balanceCents ?? 0
  const closingCents = currentCents - centsOf(confirmed(later))
  const until = (book?.seq ?? 0) - countOf(later)
  return {
    openingCents: closingCents - centsOf(confirmed(within)),
    closingCents,
    currentCents,
    places: { after: until - countOf(within), until },
  }
}

export const confirmed = (rows: readonly GroupRow[]): readonly GroupRow[] =>
  rows.filter(({ by }) => by.status === CONFIRMED)
