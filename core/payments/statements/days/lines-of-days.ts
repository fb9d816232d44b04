import { all, eq, type Where } from '../../../kernel/records/where.ts'
import type { Store } from '../../../ports/store.ts'
import type { Entry } from '../../ledger/entry.ts'
import type { EntryField } from '../entry-filter.ts'
import type { PeriodBalance } from './day-balances.ts'
import { atPlaces, type Places } from './span.ts'
import { walkEntries } from './walk-entries.ts'

/** Lines of a day, a month or a range, the oldest first, read while they are told. */
export type Lines = AsyncIterable<Entry>

export const linesAt = (
  store: Pick<Store, 'list'>,
  accountId: number,
  places: Places,
  ...narrowed: readonly Where<EntryField>[]
): Lines =>
  walkEntries(store, {
    where: all<EntryField>(eq('accountId', accountId), ...narrowed, ...atPlaces(places)),
    dir: 'asc',
  })

/** A day of a statement, with all its lines: those of every status, of which balances are of the confirmed ones. */
export interface DayStatement extends PeriodBalance {
  readonly transactions: Lines
}

export const withLines = (store: Pick<Store, 'list'>, accountId: number, day: PeriodBalance): DayStatement => ({
  ...day,
  transactions: linesAt(store, accountId, day.places),
})
