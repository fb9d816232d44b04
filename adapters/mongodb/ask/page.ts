import type { Sort } from 'mongodb'
import type { Rec } from '../../../core/kernel/records/collection.ts'
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

/** A page in the order of an index, from the nearer end where a tally tells how far the other is. */
export const page = async (shape: Shape, ask: List<Rec>, reader: DatabaseReader): Promise<Listed<Rec>> => {
  const { where, when, limit, offset = 0, total: wantsTotal = false } = ask
  const total = offset >= FAR ? await tallyTotal(shape, where, when, reader) : null
  if (total !== null && offset > total / 2) {
    const size = Math.min(limit, Math.max(0, total - offset))
    const found = await part(shape, ask, reader, { isForward: false, skip: total - offset - size, limit: size })
    return { records: found.reverse(), total: wantsTotal ? total : null }
  }
  const records = await part(shape, ask, reader, { isForward: true, skip: offset, limit })
  if (!wantsTotal) return { records, total: null }
  // A page that ends early tells the total by itself.
  const isLast = records.length < limit && (records.length > 0 || offset === 0)
  const known = isLast ? offset + records.length : total
  return { records, total: known ?? (await totalOf(shape, ask, reader)) }
}

const totalOf = async (shape: Shape, ask: List<Rec>, reader: DatabaseReader): Promise<number> => {
  const { where, when } = ask
  const tallied = await tallyTotal(shape, where, when, reader)
  if (tallied !== null) return tallied
  const way = await cheapestPath(shape, pathsTo(shape, ask), false, reader)
  return countedTotal(shape, where, when, way?.index.name, reader)
}

interface Part {
  readonly isForward: boolean
  readonly skip: number
  readonly limit: number
}

const part = async (
  shape: Shape,
  ask: List<Rec>,
  reader: DatabaseReader,
  { isForward, skip, limit }: Part,
): Promise<Rec[]> => {
  // No limit is what MongoDB takes 0 for.
  if (limit === 0) return []
  const way = await cheapestPath(shape, pathsTo(shape, ask), true, reader)
  const filter = conditionOf(shape, ask.where, ask.when)
  const search: Search = { filter, hint: way?.index.name, sort: order(ask, isForward), skip, limit }
  const { collection } = shape
  return (await reader.find(collection.name, search)).map((doc) => recordOf(collection, doc))
}

const order = ({ sort }: List<Rec>, isForward: boolean): Sort => {
  const direction = (sort?.dir !== 'desc') === isForward ? 1 : -1
  return { ...(sort && { [recordPath(sort.by)]: direction }), _id: direction }
}
