import { chooseIndex, conjuncts, isIdCondition } from '../../core/kernel/planner/access-paths.ts'
import type { Id, Rec, Where } from '../../core/kernel/records/record.ts'
import type { DatabaseReader } from './database.ts'
import { recordOf } from './layout/document.ts'
import { filterOf } from './layout/filter.ts'
import type { Shape } from './layout/shape.ts'

/** Records that a scan reads at once. The first page is smaller, because many callers stop early. */
const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** Ids that a scan through an index keeps in memory. */
const SCAN_IDS = 100_000

/** The readers of a scan: the current state for pages, a snapshot for ids. */
interface ScanReaders {
  readonly now: DatabaseReader
  atOneInstant<T>(work: (reader: DatabaseReader) => Promise<T>): Promise<T>
}

/**
 * Yields all matching records by id, in pages, without an open cursor between them. If an index finds the records but
 * not in the order of their ids, it reads the ids first, because a scan by id would read all records of the collection.
 */
export async function* scan(shape: Shape, where: Where, readers: ScanReaders): AsyncGenerator<Rec, void> {
  const parts = conjuncts(where)
  const wanted = { parts, when: undefined }
  const byId = parts.some(isIdCondition) ? null : chooseIndex(shape, { ...wanted, sort: 'id' })
  const index = byId || parts.some(isIdCondition) ? null : chooseIndex(shape, { ...wanted, sort: null })
  yield* index ? throughIndex(shape, where, index.name, readers) : inOrder(shape, where, byId?.name, readers.now)
}

async function* inOrder(
  { collection }: Shape,
  where: Where,
  hint: string | undefined,
  reader: DatabaseReader,
): AsyncGenerator<Rec, void> {
  let last: Id | null = null
  for (let limit = FIRST_PAGE; ; limit = NEXT_PAGE) {
    const docs = await reader.find(collection.name, {
      filter: filterOf(after(where, last)),
      sort: { _id: 1 },
      limit,
      hint,
    })
    for (const doc of docs) yield recordOf(collection, doc)
    last = docs.at(-1)?._id ?? null
    if (docs.length < limit) return
  }
}

async function* throughIndex(
  shape: Shape,
  where: Where,
  hint: string,
  readers: ScanReaders,
): AsyncGenerator<Rec, void> {
  const { collection } = shape
  let last: Id | null = null
  let size = FIRST_PAGE
  for (;;) {
    const ids: Id[] = await readers.atOneInstant((reader) => idsOf(reader, collection.name, after(where, last), hint))
    for (let start = 0; start < ids.length; start += size, size = NEXT_PAGE) {
      const some: Where = { all: [where, { in: ['id', ids.slice(start, start + size)] }] }
      const docs = await readers.now.find(collection.name, { filter: filterOf(some), sort: { _id: 1 }, hint: '_id_' })
      for (const doc of docs) yield recordOf(collection, doc)
    }
    last = ids.at(-1) ?? null
    if (ids.length < SCAN_IDS) return
  }
}

const idsOf = async (reader: DatabaseReader, name: string, where: Where, hint: string): Promise<Id[]> => {
  const search = { filter: filterOf(where), projection: { _id: 1 }, sort: { _id: 1 } as const, limit: SCAN_IDS, hint }
  return (await reader.find(name, search)).map(({ _id }) => _id)
}

const after = (where: Where, id: Id | null): Where => (id === null ? where : { all: [where, { gt: ['id', id] }] })
