import { all, gt, type Id, isIn, type Rec, type Where } from '../records/record.ts'
import { chooseIndex, conjuncts, isIdCondition, type StoreIndex } from './access-paths.ts'

/** Records that a scan reads at once. The first page is smaller, because many callers stop early. */
export const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** Ids that a scan through an index keeps in memory. */
export const SCAN_IDS = 100_000

/** The reads of a store for a scan. */
interface ScanReads<I> {
  /** Returns the first matching records by id: through an index, by the ids in `where`, or as the store chooses (null). */
  records(where: Where, limit: number, index: I | 'ids' | null): Promise<readonly Rec[]>
  /** Returns the first `SCAN_IDS` ids of matching records, which an index finds in another order, as of one instant. */
  ids(where: Where, index: I): Promise<readonly Id[]>
}

/**
 * Yields all matching records by id, in pages. If an index finds the records but not in the order of their ids, it reads the
 * ids first, because a scan by id would read all records of the collection.
 */
export async function* scanRecords<I extends StoreIndex>(
  of: Parameters<typeof chooseIndex<I>>[0],
  where: Where,
  reads: ScanReads<I>,
): AsyncGenerator<Rec, void> {
  const parts = conjuncts(where)
  const isByIds = parts.some(isIdCondition)
  const inOrder = isByIds ? null : chooseIndex(of, { parts, when: undefined, sort: 'id' })
  const index = isByIds || inOrder ? null : chooseIndex(of, { parts, when: undefined, sort: null })
  let last: Id | null = null
  for (let size = FIRST_PAGE, isMore = true; isMore; ) {
    const rest: Where = last === null ? where : all(where, gt('id', last))
    if (index) {
      const ids = await reads.ids(rest, index)
      for (let start = 0; start < ids.length; start += size, size = NEXT_PAGE)
        yield* await reads.records(all(where, isIn('id', ids.slice(start, start + size))), size, 'ids')
      last = ids.at(-1) ?? null
      isMore = ids.length === SCAN_IDS
    } else {
      const records = await reads.records(rest, size, inOrder)
      yield* records
      last = records.at(-1)?.id ?? null
      isMore = records.length === size
      size = NEXT_PAGE
    }
  }
}
