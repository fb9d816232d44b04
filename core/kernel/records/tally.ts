import type { NetWrite } from './batch-state.ts'
import {
  type AnyCollection,
  all,
  compile,
  fieldsOf,
  type Rec,
  type Scalar,
  scalarOf,
  type TallyRow,
  type Where,
} from './record.ts'
import { conditionTest } from './table.ts'

/** A bucket of a tally: `by` and `sums` are in the order of its `by` and `sum`. */
export interface Bucket {
  readonly by: readonly Scalar[]
  readonly count: number
  readonly sums: readonly number[]
}

/** The result of a group query for one combination of its `by` fields. */
export interface GroupRow {
  readonly by: Readonly<Record<string, Scalar>>
  readonly count: number
  readonly sums: Readonly<Record<string, number>>
}

/** The change of a bucket in a batch. `row` is the position in the collection's `tallies`. */
export interface TallyDelta extends Bucket {
  readonly collection: AnyCollection
  readonly row: number
}

export const bucketKey = (by: readonly Scalar[]): string => JSON.stringify(by)

/** Returns the net change of every bucket, without buckets that do not change. */
export const tallyDeltas = (writes: readonly NetWrite[]): TallyDelta[] => {
  const touched = new Set<AnyCollection>()
  for (const { collection } of writes) if (collection.tallies?.length) touched.add(collection)
  return [...touched].flatMap((collection) => {
    const own = writes.filter((write) => write.collection === collection)
    return (collection.tallies ?? []).flatMap((row, index) =>
      rowDeltas(collection, row, own).map((delta) => ({ collection, row: index, ...delta })),
    )
  })
}

const rowDeltas = (collection: AnyCollection, row: TallyRow, writes: readonly NetWrite[]): Bucket[] => {
  const test = row.when === undefined ? null : conditionTest(collection, row.when)
  const buckets = new Map<string, { by: Scalar[]; count: number; sums: number[] }>()
  const count = (record: Rec | null, sign: 1 | -1): void => {
    if (record === null || (test && !test(record))) return
    const by = row.by.map((field) => scalar(record, field))
    const key = bucketKey(by)
    const bucket = buckets.get(key) ?? { by, count: 0, sums: row.sum.map(() => 0) }
    buckets.set(key, bucket)
    bucket.count += sign
    for (const [index, field] of row.sum.entries())
      bucket.sums[index] = (bucket.sums[index] ?? 0) + sign * amount(record, field)
  }
  for (const { before, after } of writes) {
    if (before && after && isCountedAlike(row, test, before, after)) continue
    count(before, -1)
    count(after, 1)
  }
  return [...buckets.values()].filter((bucket) => bucket.count !== 0 || bucket.sums.some((sum) => sum !== 0))
}

/**
 * Reports whether two states of a record are in the same bucket with the same sums: most writes change no counted
 * field.
 */
const isCountedAlike = (
  { by, sum }: TallyRow,
  test: ((record: Rec) => boolean) | null,
  before: Rec,
  after: Rec,
): boolean => {
  const isSame = (field: string): boolean => (before[field] ?? null) === (after[field] ?? null)
  return by.every(isSame) && sum.every(isSame) && (test === null || test(before) === test(after))
}

const scalar = (record: Rec, field: string): Scalar => {
  const value = scalarOf(record, field)
  if (value === undefined) throw new Error(`${field} is a list or an object: it cannot be counted by`)
  return value
}

const amount = (record: Rec, field: string): number => {
  const value = record[field] ?? 0
  if (!Number.isSafeInteger(value)) throw new Error(`${field} is not an integer: it cannot be summed exactly`)
  return Number(value)
}

/** Throws if a tally of the collection cannot count the record. */
export const assertCountable = (collection: AnyCollection, record: Rec): void => {
  for (const row of collection.tallies ?? []) {
    for (const field of row.by) scalar(record, field)
    for (const field of row.sum) amount(record, field)
  }
}

/** A query that a tally can answer: a group, or a total if `by` and `sum` are empty. */
export interface TallyQuery {
  readonly where: Where
  readonly when?: string | undefined
  readonly by: readonly string[]
  readonly sum: readonly string[]
}

/** A tally by its position, and the condition to test on its buckets. */
export interface CoveringTally {
  readonly position: number
  readonly where: Where
}

/**
 * Returns the tally that answers the query exactly from the fewest buckets, or null. It contains every named field in
 * `by` and has the same condition, or none and every field of the condition, which then is tested on its buckets.
 * `isBuilt` reports which tallies are built.
 */
export const coveringTally = (
  collection: AnyCollection,
  query: TallyQuery,
  isBuilt: (position: number) => boolean = () => true,
): CoveringTally | null => {
  const condition = query.when === undefined ? undefined : collection.conditions?.[query.when]
  const { when: _, ...unnamed } = query
  return (
    tallyOf(collection, query, isBuilt) ??
    (condition ? tallyOf(collection, { ...unnamed, where: all(query.where, condition) }, isBuilt) : null)
  )
}

const tallyOf = (
  collection: AnyCollection,
  { where, when, by, sum }: TallyQuery,
  isBuilt: (position: number) => boolean,
): CoveringTally | null => {
  const rows = collection.tallies ?? []
  const named = [...fieldsOf(where), ...by]
  const fits = (row: TallyRow): boolean =>
    row.when === when && named.every((field) => row.by.includes(field)) && sum.every((field) => row.sum.includes(field))
  // Buckets are stored in the order of `by`: if it begins with the named fields, the matching buckets are adjacent.
  const leading = ({ by: fields }: TallyRow): number => {
    const unnamed = fields.findIndex((field) => !named.includes(field))
    return unnamed === -1 ? fields.length : unnamed
  }
  const found = rows
    .filter((row, at) => fits(row) && isBuilt(at))
    .sort((a, b) => leading(b) - leading(a) || a.by.length - b.by.length)[0]
  return found ? { position: rows.indexOf(found), where } : null
}

/** Answers a group query from the buckets of a covering tally. A bucket may come in several parts, one per stripe. */
export const groupBuckets = (row: TallyRow, buckets: Iterable<Bucket>, { where, by, sum }: TallyQuery): GroupRow[] => {
  const test = compile(where)
  const into = grouping(by, sum)
  for (const bucket of buckets) {
    const record: Rec = {
      id: 0,
      ...Object.fromEntries(row.by.map((field, index) => [field, bucket.by[index] ?? null])),
    }
    if (!test(record)) continue
    into.add(
      record,
      bucket.count,
      sum.map((field) => bucket.sums[row.sum.indexOf(field)] ?? 0),
    )
  }
  return into.rows()
}

/** Answers a group query from the records. */
export const groupRecords = (records: Iterable<Rec>, by: readonly string[], sum: readonly string[]): GroupRow[] => {
  const into = grouping(by, sum)
  for (const record of records)
    into.add(
      record,
      1,
      sum.map((field) => amount(record, field)),
    )
  return into.rows()
}

const grouping = (by: readonly string[], sum: readonly string[]) => {
  const groups = new Map<string, { by: Scalar[]; count: number; sums: number[] }>()
  const start = (values: Scalar[]) => ({ by: values, count: 0, sums: sum.map(() => 0) })
  // Without `by` there is one row, even for no records.
  if (by.length === 0) groups.set(bucketKey([]), start([]))
  return {
    add: (record: Rec, count: number, sums: readonly number[]): void => {
      const values = by.map((field) => scalar(record, field))
      const key = bucketKey(values)
      const group = groups.get(key) ?? start(values)
      groups.set(key, group)
      group.count += count
      for (const [index, value] of sums.entries()) group.sums[index] = (group.sums[index] ?? 0) + value
    },
    rows: (): GroupRow[] =>
      [...groups.values()]
        .filter((group) => by.length === 0 || group.count > 0)
        .map((group) => ({
          by: Object.fromEntries(by.map((field, index) => [field, group.by[index] ?? null])),
          count: group.count,
          sums: Object.fromEntries(sum.map((field, index) => [field, group.sums[index] ?? 0])),
        })),
  }
}
