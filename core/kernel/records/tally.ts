import type { Written } from './batch-state.ts'
import { type AnyCollection, conditionTest, type TallyRow } from './collection.ts'
import { type Rec, type Scalar, scalarOf } from './record.ts'
import { compile, fieldsOf, type Where } from './where.ts'

/** One bucket of a tally row: `by` in the order of the row's `by`, `sums` in that of its `sum`. */
export interface Bucket {
  readonly by: readonly Scalar[]
  readonly count: number
  readonly sums: readonly number[]
}

/** What a store answers for one combination of the fields that it groups by. */
export interface GroupRow {
  readonly by: Readonly<Record<string, Scalar>>
  readonly count: number
  readonly sums: Readonly<Record<string, number>>
}

/** What a batch adds to a bucket; `row` is an index in the collection's `tallies`. */
export interface TallyDelta extends Bucket {
  readonly collection: AnyCollection
  readonly row: number
}

/** The name of a bucket within its row. */
export const bucketKey = (by: readonly Scalar[]): string => JSON.stringify(by)

/** The net change of every bucket; buckets that end as they were are left out. */
export const tallyDeltas = (writes: readonly Written[]): TallyDelta[] => {
  const touched = new Set<AnyCollection>()
  for (const { collection } of writes) if (collection.tallies?.length) touched.add(collection)
  return [...touched].flatMap((collection) => {
    const own = writes.filter((write) => write.collection === collection)
    return (collection.tallies ?? []).flatMap((row, index) =>
      rowDeltas(collection, row, own).map((delta) => ({ collection, row: index, ...delta })),
    )
  })
}

const rowDeltas = (collection: AnyCollection, row: TallyRow, writes: readonly Written[]): Bucket[] => {
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
    count(before, -1)
    count(after, 1)
  }
  return [...buckets.values()].filter((bucket) => bucket.count !== 0 || bucket.sums.some((sum) => sum !== 0))
}

const scalar = (record: Rec, field: string): Scalar => {
  const value = scalarOf(record, field)
  if (value === undefined) throw new Error(`${field} is a list or an object: nothing is counted by it`)
  return value
}

const amount = (record: Rec, field: string): number => {
  const value = record[field] ?? 0
  if (!Number.isSafeInteger(value)) throw new Error(`${field} is no integer: it has no exact sum`)
  return Number(value)
}

/** Throws where a tally of the collection could not count the record. */
export const assertTallies = (collection: AnyCollection, record: Rec): void => {
  for (const row of collection.tallies ?? []) {
    for (const field of row.by) scalar(record, field)
    for (const field of row.sum) amount(record, field)
  }
}

/** What a tally may answer: a group, or with no `by` and no `sum` a total. */
export interface Counted {
  readonly where: Where
  readonly when?: string | undefined
  readonly by: readonly string[]
  readonly sum: readonly string[]
}

/**
 * The index of the tally row that answers exactly from the fewest buckets: the same condition, every field named in its `by`.
 * `stands` tells which are counted already.
 */
export const covers = (
  collection: AnyCollection,
  { where, when, by, sum }: Counted,
  stands: (row: number) => boolean = () => true,
): number | null => {
  const rows = collection.tallies ?? []
  const named = [...fieldsOf(where), ...by]
  const fits = (row: TallyRow): boolean =>
    row.when === when && named.every((field) => row.by.includes(field)) && sum.every((field) => row.sum.includes(field))
  // Buckets lie in the order of `by`: those of a row that begins with what is named stand together.
  const leading = ({ by: fields }: TallyRow): number => {
    const unnamed = fields.findIndex((field) => !named.includes(field))
    return unnamed === -1 ? fields.length : unnamed
  }
  const found = rows
    .filter((row, at) => fits(row) && stands(at))
    .sort((a, b) => leading(b) - leading(a) || a.by.length - b.by.length)[0]
  return found ? rows.indexOf(found) : null
}

/** Answers a group from the buckets of a row that covers it; buckets of several stripes may come apart. */
export const regroup = (row: TallyRow, buckets: Iterable<Bucket>, { where, by, sum }: Counted): GroupRow[] => {
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

/** Answers a group by walking the records. */
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
  // Without `by` there is one row, also over nothing.
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
