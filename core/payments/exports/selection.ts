import type { DayRange } from '../../kernel/input/mod.ts'
import { all, eq, gt, lt, lte, type Where } from '../../kernel/records/record.ts'
import { groupOf, listOf, type Store } from '../../ports/store.ts'
import { CONFIRMED, type Entry, entries } from '../ledger/ledger.ts'
import { seqCountsOf, seqQueries } from '../statements/entries.ts'
import {
  conditionsOf,
  type EntryField,
  type EntryFilter,
  EVERY_STATUS,
  onDays,
  typeIdsOf,
} from '../statements/filters.ts'
import type { Export } from './export.ts'

type Narrowing = Pick<Export, 'accountId' | 'fromDay' | 'toDay' | 'typeIds' | 'search' | 'status'>

/** The entries of a document. Entries that are posted later do not change it. */
export type Selection = Narrowing & Pick<Export, 'afterSeq' | 'lastSeq' | 'byDay' | 'total'>

const PAGE_SIZE = 1_000

const narrowed = ({ accountId, typeIds, search, status }: Narrowing): readonly Where<EntryField>[] => [
  eq('accountId', accountId),
  ...conditionsOf({
    ...(typeIds && { typeIds }),
    ...(search !== null && { search }),
    ...(status !== null && { status }),
  }),
]

const daysOf = ({ fromDay, toDay }: Narrowing): DayRange => ({
  ...(fromDay !== null && { from: fromDay }),
  ...(toDay !== null && { to: toDay }),
})

/** Reports whether a filter other than days applies. */
export const isNarrowed = ({ typeIds, search, status }: Narrowing): boolean =>
  typeIds !== null || search !== null || status !== null

const narrowingOf = (accountId: number, filter: EntryFilter): Narrowing => {
  const { days: { from = null, to = null } = {}, search = null, status = EVERY_STATUS } = filter
  const typeIds = typeIdsOf(filter)
  return {
    accountId,
    fromDay: from,
    toDay: to,
    typeIds: typeIds && [...typeIds],
    search,
    status: status === EVERY_STATUS ? null : status,
  }
}

/** Selects the current matches of a filter. If an earlier release left gaps in `seq`, the days become a condition too. */
export const selectionOf = async (store: Store, accountId: number, filter: EntryFilter): Promise<Selection> => {
  const narrowing = narrowingOf(accountId, filter)
  const days = daysOf(narrowing)
  const own = eq('accountId', accountId)
  const { last, found, ...rows } = await store.read({
    ...seqQueries(accountId, days),
    last: listOf(entries, { where: own, sort: { by: 'seq', dir: 'desc' }, limit: 1 }),
    found: groupOf(entries, { where: all(...narrowed(narrowing), ...onDays(days)), by: [], sum: [] }),
  })
  const { total, before, until, isComplete } = seqCountsOf(rows)
  const lastSeq = last.records[0]?.seq ?? 0
  const isWhole = isComplete && total === lastSeq
  return {
    ...narrowing,
    ...(isWhole ? { afterSeq: before, lastSeq: until, byDay: false } : { afterSeq: 0, lastSeq, byDay: true }),
    total: found[0]?.count ?? 0,
  }
}

/** Streams the entries in the order in which they were posted, page by page: memory does not grow with their number. */
export async function* entriesOf(store: Pick<Store, 'list'>, of: Selection): AsyncIterable<readonly Entry[]> {
  const where = [...narrowed(of), ...(of.byDay ? onDays(daysOf(of)) : [])]
  const page = (after: number) =>
    store.list(
      listOf(entries, {
        where: all(...where, gt('seq', after), lte('seq', of.lastSeq)),
        sort: { by: 'seq', dir: 'asc' },
        limit: PAGE_SIZE,
      }),
    )
  if (of.afterSeq >= of.lastSeq) return
  for (let next = page(of.afterSeq); ; ) {
    const { records } = await next
    const last = records.at(-1)?.seq ?? of.lastSeq
    const isEnd = records.length < PAGE_SIZE || last >= of.lastSeq
    // The store reads the next page while this one is written.
    if (!isEnd) next = page(last)
    // If the caller leaves the loop, a failed read must not become an unhandled rejection.
    next.catch(() => {})
    if (records.length > 0) yield records
    if (isEnd) return
  }
}

/** Reads the account's balance before the selection. */
export const balanceBefore = async (store: Pick<Store, 'list'>, of: Selection): Promise<number> => {
  const { records } = await store.list(
    listOf(entries, {
      where: all(
        eq('accountId', of.accountId),
        eq('status', CONFIRMED),
        lte('seq', of.byDay ? of.lastSeq : of.afterSeq),
        ...(of.byDay && of.fromDay !== null ? [lt('day', of.fromDay)] : []),
      ),
      sort: { by: 'seq', dir: 'desc' },
      limit: 1,
    }),
  )
  return of.byDay && of.fromDay === null ? 0 : (records[0]?.balanceCents ?? 0)
}
