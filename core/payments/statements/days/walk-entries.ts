import { all, gt, lt, type Where } from '../../../kernel/records/where.ts'
import { MAX_PAGE } from '../../../limits.ts'
import { listOf, type Store } from '../../../ports/store.ts'
import { type Entry, entries } from '../../ledger/entry.ts'
import type { EntryField } from '../entry-filter.ts'

interface Walk {
  readonly where: Where<EntryField>
  readonly dir: 'asc' | 'desc'
  /** Lines before the first. */
  readonly offset?: number
  /** How many lines at most. */
  readonly limit?: number
}

/**
 * Lines in the order of their places, read a few hundred at a time while they are told: memory does not grow with them, and
 * what is posted meanwhile moves none of them.
 */
export async function* walkEntries(store: Pick<Store, 'list'>, walk: Walk): AsyncGenerator<Entry, void> {
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
