import type { Id, Rec } from '../../../core/kernel/records/collection.ts'
import { chooseIndex, conjuncts, namesIds } from '../../../core/kernel/records/index-choice.ts'
import type { Where } from '../../../core/kernel/records/where.ts'
import { recordOf } from '../layout/document.ts'
import { filterOf } from '../layout/filter.ts'
import type { Shape } from '../layout/shape.ts'
import type { Look } from './reader.ts'

/** Records that a scan reads at once; fewer at first, since many a caller leaves early. */
const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** Ids that a scan through an index holds at once. */
const SCAN_IDS = 100_000

/** How a scan looks: each page as it is then, and what must be of one instant at one. */
export interface Eyes {
  readonly now: Look
  atOneInstant<T>(work: (look: Look) => Promise<T>): Promise<T>
}

/**
 * Every matching record by id, in pages, with nothing held open between them. Where an index leads to the owner's
 * records but not by id, their ids are gathered first: else the walk would go through everybody's.
 */
export async function* scan(shape: Shape, where: Where, eyes: Eyes): AsyncGenerator<Rec, void> {
  const parts = conjuncts(where)
  const wanted = { parts, when: undefined }
  const byId = parts.some(namesIds) ? null : chooseIndex(shape, { ...wanted, sort: 'id' })
  const index = byId || parts.some(namesIds) ? null : chooseIndex(shape, { ...wanted, sort: null })
  yield* index ? throughIndex(shape, where, index.name, eyes) : inOrder(shape, where, byId?.name, eyes.now)
}

async function* inOrder(
  { collection }: Shape,
  where: Where,
  hint: string | undefined,
  look: Look,
): AsyncGenerator<Rec, void> {
  let last: Id | null = null
  for (let limit = FIRST_PAGE; ; limit = NEXT_PAGE) {
    const docs = await look.find(collection.name, {
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

async function* throughIndex(shape: Shape, where: Where, hint: string, eyes: Eyes): AsyncGenerator<Rec, void> {
  const { collection } = shape
  let last: Id | null = null
  let size = FIRST_PAGE
  for (;;) {
    const ids: Id[] = await eyes.atOneInstant((look) => idsOf(look, collection.name, after(where, last), hint))
    for (let start = 0; start < ids.length; start += size, size = NEXT_PAGE) {
      const some: Where = { all: [where, { in: ['id', ids.slice(start, start + size)] }] }
      const docs = await eyes.now.find(collection.name, { filter: filterOf(some), sort: { _id: 1 }, hint: '_id_' })
      for (const doc of docs) yield recordOf(collection, doc)
    }
    last = ids.at(-1) ?? null
    if (ids.length < SCAN_IDS) return
  }
}

const idsOf = async (look: Look, name: string, where: Where, hint: string): Promise<Id[]> => {
  const search = { filter: filterOf(where), projection: { _id: 1 }, sort: { _id: 1 } as const, limit: SCAN_IDS, hint }
  return (await look.find(name, search)).map(({ _id }) => _id)
}

const after = (where: Where, id: Id | null): Where => (id === null ? where : { all: [where, { gt: ['id', id] }] })
