import { all, any, eq, gt, lt, lte, type Where } from '../../kernel/records/where.ts'
import { byId, groupOf, listOf, type Store } from '../../ports/store.ts'
import { CONFIRMED, type Entry, entries, ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import {
  conditionsOf,
  type EntryField,
  type EntryFilter,
  EVERY_STATUS,
  onDays,
  typeIdsOf,
} from '../statements/filters.ts'
import type { Export } from './export.ts'

/** The entries of a document. Entries that are posted later do not change it. */
export type Selection = Pick<
  Export,
  'accountId' | 'fromDay' | 'toDay' | 'typeIds' | 'search' | 'status' | 'afterSeq' | 'lastSeq' | 'byDay' | 'total'
>

const PAGE_SIZE = 1_000

type Narrowing = Pick<Export, 'accountId' | 'fromDay' | 'toDay' | 'typeIds' | 'search' | 'status'>

const narrowed = ({ accountId, typeIds, search, status }: Narrowing): readonly Where<EntryField>[] => [
  eq<EntryField>('accountId', accountId),
  ...conditionsOf({
    ...(typeIds && { typeIds }),
    ...(search !== null && { search }),
    ...(status !== null && { status }),
  }),
]

const days = ({ fromDay, toDay }: Narrowing): readonly Where<EntryField>[] =>
  onDays({ ...(fromDay !== null && { from: fromDay }), ...(toDay !== null && { to: toDay }) })

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

/**
 * Selects the current matches of a filter. The `seq` of an account has no gaps and its days never decrease, so the number of
 * entries before a day is the last `seq` before it. If an earlier release left gaps, the days become a condition too.
 */
export const selectionOf = async (store: Store, accountId: number, filter: EntryFilter): Promise<Selection> => {
  const narrowing = narrowingOf(accountId, filter)
  const { fromDay, toDay } = narrowing
  const own = eq<EntryField>('accountId', accountId)
  const counted = (...parts: readonly Where<EntryField>[]) =>
    groupOf(entries, { where: all<EntryField>(own, ...parts), by: [], sum: [] })
  const { whole, before, until, book, last, found } = await store.read({
    whole: counted(),
    before: fromDay === null ? counted(any()) : counted(lt('day', fromDay)),
    until: toDay === null ? counted() : counted(lte('day', toDay)),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
    last: listOf(entries, { where: own, sort: { by: 'seq', dir: 'desc' }, limit: 1 }),
    found: groupOf(entries, { where: all(...narrowed(narrowing), ...days(narrowing)), by: [], sum: [] }),
  })
  const [count = 0, first = 0, end = 0] = [whole, before, until].map(([row]) => row?.count ?? 0)
  const lastSeq = last.records[0]?.seq ?? 0
  const isWhole = count === (book?.seq ?? 0) && count === lastSeq
  return {
    ...narrowing,
    ...(isWhole ? { afterSeq: first, lastSeq: end, byDay: false } : { afterSeq: 0, lastSeq, byDay: true }),
    total: found[0]?.count ?? 0,
  }
}

/** Streams the entries in the order in which they were posted, page by page: memory does not grow with their number. */
export async function* entriesOf(store: Pick<Store, 'list'>, of: Selection): AsyncIterable<readonly Entry[]> {
  const where = [...narrowed(of), ...(of.byDay ? days(of) : [])]
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
      where: all<EntryField>(
        eq('accountId', of.accountId),
        eq('status', CONFIRMED),
        lte('seq', of.byDay ? of.lastSeq : of.afterSeq),
        ...(of.byDay && of.fromDay !== null ? [lt<EntryField>('day', of.fromDay)] : []),
      ),
      sort: { by: 'seq', dir: 'desc' },
      limit: 1,
    }),
  )
  return of.byDay && of.fromDay === null ? 0 : (records[0]?.balanceCents ?? 0)
}
