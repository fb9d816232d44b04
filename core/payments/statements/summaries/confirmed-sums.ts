import type { DayRange } from '../../../kernel/input/query.ts'
import { all, eq, isIn, type Where } from '../../../kernel/records/where.ts'
import { groupOf } from '../../../ports/store.ts'
import { CONFIRMED, type Entry, entries } from '../../ledger/entry.ts'
import { type EntryField, onDays } from '../entry-filter.ts'

/** The confirmed lines of some days, or of all, by type and whatever else: a tally has them. Source: decisions.md §11, Sums. */
export const confirmedSums = (
  accountId: number,
  days: DayRange,
  {
    typeIds,
    by = [],
  }: { readonly typeIds?: readonly number[] | undefined; readonly by?: readonly (keyof Entry & string)[] } = {},
) => {
  const types: readonly Where<EntryField>[] = typeIds ? [isIn<EntryField>('typeId', typeIds)] : []
  return groupOf(entries, {
    where: all<EntryField>(eq('accountId', accountId), eq('status', CONFIRMED), ...types, ...onDays(days)),
    by: ['typeId', ...by],
    sum: ['valueCents'],
  })
}
