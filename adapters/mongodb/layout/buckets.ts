import { type AnyBulkWriteOperation, Long } from 'mongodb'
import type { Scalar, TallyRow, Where } from '../../../core/kernel/records/record.ts'
import type { TallyDelta } from '../../../core/kernel/records/tally.ts'
import { isDay } from '../../../core/kernel/values/day.ts'
import { type Filter, fieldName, type PathOf } from './shape.ts'

/**
 * A stripe of a bucket of a tally. The bucket is the sum of its stripes, so that concurrent transactions do not
 * conflict.
 */
export interface BucketDoc {
  /** Row, values and stripe: `0[7,"open","2026-11-21"]#3`. Buckets with the same first values are adjacent. */
  readonly _id: string
  readonly by: Readonly<Record<string, Scalar>>
  readonly count: Long
  readonly sums?: Readonly<Record<string, Long>>
}

/** The stripes of a bucket, each for one transaction at a time. */
export const STRIPES = 8

export const bucketPath: PathOf = (field) => `by.${fieldName(field)}`

/** A tally and its number, with which the ids of its buckets begin. */
interface NumberedTally {
  readonly row: TallyRow
  readonly number: number
}

/**
 * Returns a filter for the buckets that can match the conjuncts: a range of ids, by the leading fields with an equality
 * and by the days that bound the next field.
 */
export const bucketsOf = ({ row, number }: NumberedTally, parts: readonly Where[]): Filter => {
  const values: Scalar[] = []
  for (const field of row.by) {
    const pin = parts.find((part) => 'eq' in part && part.eq[0] === field)
    if (!pin || !('eq' in pin)) break
    values.push(pin.eq[1])
  }
  const start = `${number}${JSON.stringify(values).slice(0, -1)}${nextMark(values.length, row.by.length)}`
  const [from, to] = daysOf(row.by[values.length], parts)
  return { _id: { $gte: `${start}${from}`, $lt: `${start}${to}${LAST}` } }
}

/** Returns the JSON of the days that bound a field; empty texts without a bound. */
const daysOf = (field: string | undefined, parts: readonly Where[]): readonly [from: string, to: string] => {
  const dayOf = (bound: readonly [string, unknown] | false): string =>
    bound && bound[0] === field && typeof bound[1] === 'string' && isDay(bound[1]) ? `"${bound[1]}"` : ''
  const from = parts.map((part) => dayOf(('gte' in part && part.gte) || ('gt' in part && part.gt))).sort()
  const to = parts.map((part) => dayOf(('lte' in part && part.lte) || ('lt' in part && part.lt))).sort()
  return [from.at(-1) ?? '', to.find((day) => day !== '') ?? '']
}

/** Matches all buckets of a tally. */
export const everyBucketOf = (number: number): Filter => ({ _id: { $gte: `${number}[`, $lt: `${number}[${LAST}` } })

const LAST = '\u{10FFFF}'
const nextMark = (pinned: number, all: number): string => (pinned === all ? ']' : pinned === 0 ? '' : ',')

const idOf = (tally: NumberedTally, { by }: TallyDelta, stripe: number): string =>
  `${tally.number}${JSON.stringify(by)}#${stripe}`

const amountsOf = (row: TallyRow, sums: readonly number[]): (readonly [path: string, amount: Long])[] =>
  row.sum.map((field, index) => [`sums.${fieldName(field)}`, Long.fromNumber(sums[index] ?? 0)] as const)

type BucketWrite = AnyBulkWriteOperation<BucketDoc>

/** Returns the write that adds a change to a stripe. */
export const bucketAdd = (tally: NumberedTally, delta: TallyDelta, stripe: number): BucketWrite => {
  const { row } = tally
  const $inc = { count: Long.fromNumber(delta.count), ...Object.fromEntries(amountsOf(row, delta.sums)) }
  const by = Object.fromEntries(row.by.map((field, index) => [fieldName(field), delta.by[index] ?? null]))
  return {
    updateOne: { filter: { _id: idOf(tally, delta, stripe) }, update: { $inc, $setOnInsert: { by } }, upsert: true },
  }
}

/** Returns the write that removes a stripe if it is empty. */
export const bucketSweep = (tally: NumberedTally, delta: TallyDelta, stripe: number): BucketWrite => {
  const nothing = Object.fromEntries(amountsOf(tally.row, []))
  return { deleteOne: { filter: { _id: idOf(tally, delta, stripe), count: Long.ZERO, ...nothing } } }
}
