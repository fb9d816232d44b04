import type { DayRange } from '../../kernel/input/query.ts'
import { all, any, eq, gt, lt, lte, type Where } from '../../kernel/records/where.ts'
import type { PageOf } from '../../kernel/values/page.ts'
import { offsetOf, type Page } from '../../kernel/values/page.ts'
import { byId, groupOf, listOf, type Store } from '../../ports/store.ts'
import { type Entry, entries } from '../ledger/entry.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger-account.ts'
import { conditionsOf, type EntryField, type EntryFilter, onDays } from './entry-filter.ts'
import { countOf, magnitudesOf, type TypeSum, typeSums } from './type-sum.ts'

/** A page of entries, newest first, with the sums of all that match. */
export interface TransactionPage extends PageOf<Entry> {
  /** Of all that match, not of the page. Both are magnitudes. */
  readonly incomeCents: number
  readonly expensesCents: number
  /** The same by type, signed. */
  readonly types: readonly TypeSum[]
}

/** A page of the account's entries, the newest first: its cost does not grow with what lies behind it. */
export const entryPage = async (
  store: Store,
  accountId: number,
  filter: EntryFilter,
  paging: Page,
): Promise<TransactionPage> => {
  const { days = {} } = filter
  const own = eq<EntryField>('accountId', accountId)
  const others = conditionsOf(filter)
  const where = all<EntryField>(own, ...others, ...onDays(days))
  const places = await placesOn(store, accountId, days)
  const { page, sums } = await store.read({
    page: listOf(entries, {
      where: places ? all<EntryField>(own, ...others, ...places) : where,
      sort: { by: 'seq', dir: 'desc' },
      limit: paging.perPage,
      offset: offsetOf(paging),
    }),
    sums: groupOf(entries, { where, by: ['typeId', 'direction'], sum: ['valueCents'] }),
  })
  const { incomeCents, expensesCents } = magnitudesOf(sums)
  return {
    records: page.records,
    page: paging.page,
    perPage: paging.perPage,
    total: countOf(sums),
    incomeCents,
    expensesCents,
    types: typeSums(sums),
  }
}

/**
 * The places of what was entered on these days: no place is left out and days do not run backwards, so that what came before
 * is as many as it counts. Null where no day is asked for, where nothing is of these days yet, and where tallies that are still
 * being made count something else.
 */
const placesOn = async (
  store: Store,
  accountId: number,
  { from, to }: DayRange,
): Promise<readonly Where<EntryField>[] | null> => {
  if (!from && !to) return null
  const counted = (...parts: readonly Where<EntryField>[]) =>
    groupOf(entries, { where: all<EntryField>(eq('accountId', accountId), ...parts), by: [], sum: [] })
  const { whole, before, until, book } = await store.read({
    whole: counted(),
    before: from ? counted(lt('day', from)) : counted(any()),
    until: to ? counted(lte('day', to)) : counted(),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
  })
  const [count, first, last] = [whole, before, until].map(([row]) => row?.count ?? 0)
  if (count === undefined || count !== book?.seq) return null
  // Nothing is of these days yet: what comes meanwhile may still be of earlier ones.
  if (first === count) return null
  // What comes meanwhile is of a later day than one that is over, and has a later place.
  return [gt<EntryField>('seq', first ?? 0), ...(last === count ? [] : [lte<EntryField>('seq', last ?? 0)])]
}
