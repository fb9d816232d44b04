import type { Sort } from 'mongodb'
import type { Rec } from '../../../core/kernel/records/record.ts'
import type { List, Listed } from '../../../core/ports/store.ts'
import { recordOf } from '../layout/document.ts'
import { recordPath } from '../layout/filter.ts'
import type { Shape } from '../layout/shape.ts'
import { conditionOf, countedTotal, tallyTotal } from './group.ts'
import { cheapestPath, pathsTo } from './paths.ts'
import type { DatabaseReader, Search } from './reader.ts'

/** Below this offset a page is walked to without asking which end is nearer. */
const FAR = 200

/** Whether the page needs a second question. */
export const asksTwice = (shape: Shape, ask: List<Rec>): boolean => {
  const { total = false, offset = 0 } = ask
  return total || offset >= FAR || pathsTo(shape, ask).length > 1
}

/** A page by the cheapest way, from the nearer end where a tally tells how far the other is. */
export const page = async (shape: Shape, ask: List<Rec>, reader: DatabaseReader): Promise<Listed<Rec>> => {
  const { where, when, limit, offset = 0, total: wantsTotal = false } = ask
  const paths = pathsTo(shape, ask)
  const isOpen = offset >= FAR || paths.length > 1
  const total = isOpen ? await tallyTotal(shape, where, when, reader) : null
  const told = wantsTotal ? total : null
  if (total !== null && offset >= total) return { records: [], total: told }
  const size = total === null ? limit : Math.min(limit, total - offset)
  const isForward = total === null || offset < FAR || offset <= total / 2
  const skip = isForward ? offset : total - offset - size
  const way = await cheapestPath(shape, { paths, when, page: { matches: total, upTo: skip + size } }, reader)
  const found = await part(shape, ask, reader, { isForward, skip, limit: size, hint: way?.index.name })
  const records = isForward ? found : found.reverse()
  if (!wantsTotal || told !== null) return { records, total: told }
  // A page that ends early tells the total by itself.
  const isLast = records.length < limit && (records.length > 0 || offset === 0)
  return { records, total: isLast ? offset + records.length : await totalOf(shape, ask, reader) }
}

const totalOf = async (shape: Shape, ask: List<Rec>, reader: DatabaseReader): Promise<number> => {
  const { where, when } = ask
  const tallied = await tallyTotal(shape, where, when, reader)
  if (tallied !== null) return tallied
  const way = await cheapestPath(shape, { paths: pathsTo(shape, ask), when, page: null }, reader)
  return countedTotal(shape, where, when, way?.index.name, reader)
}

interface Part {
  readonly isForward: boolean
  readonly skip: number
  readonly limit: number
  readonly hint: string | undefined
}

const part = async (
  shape: Shape,
  ask: List<Rec>,
  reader: DatabaseReader,
  { isForward, skip, limit, hint }: Part,
): Promise<Rec[]> => {
  // No limit is what MongoDB takes 0 for.
  if (limit === 0) return []
  const filter = conditionOf(shape, ask.where, ask.when)
  const search: Search = { filter, hint, sort: order(ask, isForward), skip, limit }
  const { collection } = shape
  return (await reader.find(collection.name, search)).map((doc) => recordOf(collection, doc))
}

const order = ({ sort }: List<Rec>, isForward: boolean): Sort => {
  const direction = (sort?.dir !== 'desc') === isForward ? 1 : -1
  return { ...(sort && { [recordPath(sort.by)]: direction }), _id: direction }
}
