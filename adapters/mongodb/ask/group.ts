import type { Document } from 'mongodb'
import { chooseIndex, conjuncts } from '../../../core/kernel/planner/access-paths.ts'
import { toInstantRanges } from '../../../core/kernel/planner/day-fields.ts'
import type { Rec, Scalar } from '../../../core/kernel/records/record.ts'
import { coveringTally, type GroupRow, type TallyQuery } from '../../../core/kernel/records/tally.ts'
import type { Where } from '../../../core/kernel/records/where.ts'
import type { Group } from '../../../core/ports/store.ts'
import { bucketPath, bucketsOf } from '../layout/buckets.ts'
import { allOf, type Filter, filterOf, type PathOf, recordPath } from '../layout/filter.ts'
import { type Shape, whenPath } from '../layout/shape.ts'
import type { DatabaseReader } from './reader.ts'

/** Where to count, and what. */
interface Counting {
  readonly from: string
  readonly filter: Filter
  readonly hint: string | undefined
  readonly path: PathOf
  readonly count: Document
  readonly sum: (field: string) => string
}

/** A group, from the tally that covers it or else from the records. */
export const group = async (
  shape: Shape,
  { where, when, by, sum }: Group<Rec>,
  reader: DatabaseReader,
): Promise<GroupRow[]> =>
  grouped(tallied(shape, { where, when, by, sum }) ?? records(shape, where, when), by, sum, reader)

/** The count of all that match, null where no tally tells it. */
export const tallyTotal = async (shape: Shape, where: Where, when: string | undefined, reader: DatabaseReader) => {
  const counting = tallied(shape, { where, when, by: [], sum: [] })
  return counting ? ((await grouped(counting, [], [], reader))[0]?.count ?? 0) : null
}

/** The same by counting the records, through an index. */
export const countedTotal = async (
  shape: Shape,
  where: Where,
  when: string | undefined,
  hint: string | undefined,
  reader: DatabaseReader,
) => (await grouped({ ...records(shape, where, when), hint }, [], [], reader))[0]?.count ?? 0

/** The condition of a query together with the named one that it is under. */
export const conditionOf = ({ collection, unfilled }: Shape, where: Where, when: string | undefined): Filter => {
  const parts = toInstantRanges(collection, conjuncts(where)).map((part) => filterOf(part))
  if (when === undefined) return allOf(parts)
  const condition = collection.conditions?.[when]
  if (!condition) throw new Error(`${collection.name} has no condition ${when}`)
  return allOf([...parts, unfilled?.conditions.has(when) ? filterOf(condition) : { [whenPath(when)]: { $eq: true } }])
}

const records = (shape: Shape, where: Where, when: string | undefined): Counting => ({
  from: shape.collection.name,
  filter: conditionOf(shape, where, when),
  hint: chooseIndex(shape, { parts: toInstantRanges(shape.collection, conjuncts(where)), when, sort: null })?.name,
  path: recordPath,
  count: { $sum: 1 },
  sum: (field) => `$${recordPath(field)}`,
})

const tallied = ({ collection, tallies, numbers, unfilled }: Shape, asked: TallyQuery): Counting | null => {
  const index = coveringTally(collection, asked, (place) => !unfilled?.tallies.has(place))
  const [row, number] = index === null ? [] : [collection.tallies?.[index], numbers[index]]
  if (!row || number === undefined || tallies === null) return null
  const parts = conjuncts(asked.where)
  return {
    from: tallies,
    filter: allOf([bucketsOf({ row, number }, parts), ...parts.map((part) => filterOf(part, bucketPath))]),
    hint: '_id_',
    path: bucketPath,
    count: { $sum: '$count' },
    sum: (field) => `$sums.${recordPath(field)}`,
  }
}

const grouped = async (
  { from, filter, hint, path, count, sum: amount }: Counting,
  by: readonly string[],
  sum: readonly string[],
  reader: DatabaseReader,
): Promise<GroupRow[]> => {
  // A field that is missing would make a group of its own beside that of null.
  const value = (field: string): Document => ({ $ifNull: [`$${path(field)}`, null] })
  const _id = by.length === 0 ? null : Object.fromEntries(by.map((field, index) => [`b${index}`, value(field)]))
  const sums = sum.map((field, index) => [`s${index}`, { $sum: amount(field) }] as const)
  const pipeline = [{ $match: filter }, { $group: { _id, n: count, ...Object.fromEntries(sums) } }]
  const rows = await reader.aggregate(from, pipeline, hint)
  // Without `by` there is one row, also over nothing.
  const found = by.length === 0 && rows.length === 0 ? [{ _id: null, n: 0 }] : rows
  return found.map((row) => rowOf(row, by, sum)).filter((row) => by.length === 0 || row.count > 0)
}

const rowOf = ({ _id, n, ...sums }: Document, by: readonly string[], sum: readonly string[]): GroupRow => ({
  by: Object.fromEntries(by.map((field, index) => [field, scalar(field, _id?.[`b${index}`])])),
  count: numberOf(n),
  sums: Object.fromEntries(sum.map((field, index) => [field, numberOf(sums[`s${index}`] ?? 0)])),
})

const scalar = (field: string, value: unknown): Scalar => {
  if (typeof value === 'object' && value !== null)
    throw new Error(`${field} is a list or an object: it cannot be counted by`)
  return (value ?? null) as Scalar
}

/** Sums that no number holds exactly come as an object of the driver. */
const numberOf = (value: unknown): number => Number(String(value))
