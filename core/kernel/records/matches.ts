import { compareCodePoints } from '../values/text.ts'
import { type AnyCollection, type Rec, scalarOf } from './collection.ts'
import type { Where } from './where.ts'

export type RecordTest = (record: Rec) => boolean
type Bound = string | number
type Leaf = Exclude<Where, { all: unknown } | { any: unknown } | { not: unknown }>

/** Whether the record meets the condition: the meaning of `Where`, which every store's queries must equal. */
export const matches = (where: Where, record: Rec): boolean => compile(where)(record)

/** The same as `matches`, for asking it of many records. */
export const compile = (where: Where): RecordTest => {
  if ('all' in where) {
    const parts = where.all.map(compile)
    return (record) => parts.every((part) => part(record))
  }
  if ('any' in where) {
    const parts = where.any.map(compile)
    return (record) => parts.some((part) => part(record))
  }
  if ('not' in where) {
    const part = compile(where.not)
    return (record) => !part(record)
  }
  return leaf(where)
}

const leaf = (where: Leaf): RecordTest => {
  if ('eq' in where) {
    const [field, value] = where.eq
    return (record) => scalarOf(record, field) === value
  }
  if ('in' in where) {
    const [field, values] = where.in
    return (record) => values.some((value) => scalarOf(record, field) === value)
  }
  if ('has' in where) {
    const [field, value] = where.has
    return (record) => holds(record[field], value)
  }
  if ('contains' in where) {
    const [field, text] = where.contains
    return (record) => textHolds(record[field], text)
  }
  if ('lt' in where) return ordered(where.lt, (order) => order < 0)
  if ('lte' in where) return ordered(where.lte, (order) => order <= 0)
  if ('gt' in where) return ordered(where.gt, (order) => order > 0)
  return ordered(where.gte, (order) => order >= 0)
}

const holds = (list: unknown, value: Bound): boolean => Array.isArray(list) && list.includes(value)

const textHolds = (whole: unknown, part: string): boolean => typeof whole === 'string' && whole.includes(part)

const ordered =
  ([field, bound]: readonly [string, Bound], fits: (order: number) => boolean): RecordTest =>
  (record) => {
    const order = compareBounds(record[field], bound)
    return order !== null && fits(order)
  }

/** Numbers by value and texts by code point; null where the two have no order between them. */
export const compareBounds = (value: unknown, bound: Bound): number | null => {
  if (typeof value === 'number' && typeof bound === 'number') return value - bound
  if (typeof value === 'string' && typeof bound === 'string') return compareCodePoints(value, bound)
  return null
}

const conditionTests = new WeakMap<AnyCollection, Map<string, RecordTest>>()

/** The test of a named condition of a collection, made once. */
export const conditionTest = (collection: AnyCollection, name: string): RecordTest => {
  const tests = conditionTests.get(collection) ?? new Map<string, RecordTest>()
  conditionTests.set(collection, tests)
  const known = tests.get(name)
  if (known) return known
  const where = collection.conditions?.[name]
  if (!where) throw new Error(`${collection.name} has no condition ${name}`)
  const test = compile(where)
  tests.set(name, test)
  return test
}
