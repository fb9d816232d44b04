import { compareBounds, type Rec, type Scalar, scalarOf } from './record.ts'

type Bound = string | number

/**
 * A condition on the top-level fields of a record, as data. `matches` defines its meaning; each store has one
 * translation. For a null field, `lt lte gt gte has contains` are false and `eq null` is true. `not` is the exact
 * complement. Texts compare by code point.
 */
export type Where<F extends string = string> =
  | { readonly all: readonly Where<F>[] }
  | { readonly any: readonly Where<F>[] }
  | { readonly not: Where<F> }
  | { readonly eq: readonly [F, Scalar] }
  | { readonly in: readonly [F, readonly Scalar[]] }
  | { readonly has: readonly [F, Bound] }
  | { readonly lt: readonly [F, Bound] }
  | { readonly lte: readonly [F, Bound] }
  | { readonly gt: readonly [F, Bound] }
  | { readonly gte: readonly [F, Bound] }
  | { readonly contains: readonly [F, string] }

export const all = <F extends string>(...parts: readonly Where<F>[]): Where<F> => ({ all: parts })
export const any = <F extends string>(...parts: readonly Where<F>[]): Where<F> => ({ any: parts })
export const not = <F extends string>(part: Where<F>): Where<F> => ({ not: part })
export const eq = <F extends string>(field: F, value: Scalar): Where<F> => ({ eq: [field, value] })
export const isIn = <F extends string>(field: F, values: readonly Scalar[]): Where<F> => ({ in: [field, values] })
/** The field is a list that contains the value. */
export const has = <F extends string>(field: F, value: Bound): Where<F> => ({ has: [field, value] })
export const lt = <F extends string>(field: F, value: Bound): Where<F> => ({ lt: [field, value] })
export const lte = <F extends string>(field: F, value: Bound): Where<F> => ({ lte: [field, value] })
export const gt = <F extends string>(field: F, value: Bound): Where<F> => ({ gt: [field, value] })
export const gte = <F extends string>(field: F, value: Bound): Where<F> => ({ gte: [field, value] })
/** The field contains the text literally. For a search, field and text must both be folded. */
export const contains = <F extends string>(field: F, text: string): Where<F> => ({ contains: [field, text] })
/** Matches every record: the explicit form of no condition. */
export const always: Where<never> = { all: [] }

/** Returns the fields that a condition names. */
export const fieldsOf = (where: Where): string[] => {
  if ('all' in where) return where.all.flatMap(fieldsOf)
  if ('any' in where) return where.any.flatMap(fieldsOf)
  if ('not' in where) return fieldsOf(where.not)
  return Object.values(where).map(([field]) => String(field))
}

export type RecordTest = (record: Rec) => boolean
type Leaf = Exclude<Where, { all: unknown } | { any: unknown } | { not: unknown }>

/** Reports whether a record meets a condition. The queries of every store must return the same result. */
export const matches = (where: Where, record: Rec): boolean => compile(where)(record)

/** Compiles a condition to a test, for use on many records. */
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
    return (record) => listContains(record[field], value)
  }
  if ('contains' in where) {
    const [field, text] = where.contains
    return (record) => textContains(record[field], text)
  }
  if ('lt' in where) return ordered(where.lt, (order) => order < 0)
  if ('lte' in where) return ordered(where.lte, (order) => order <= 0)
  if ('gt' in where) return ordered(where.gt, (order) => order > 0)
  return ordered(where.gte, (order) => order >= 0)
}

const listContains = (list: unknown, value: Bound): boolean => Array.isArray(list) && list.includes(value)

const textContains = (whole: unknown, part: string): boolean => typeof whole === 'string' && whole.includes(part)

const ordered =
  ([field, bound]: readonly [string, Bound], fits: (order: number) => boolean): RecordTest =>
  (record) => {
    const order = compareBounds(record[field], bound)
    return order !== null && fits(order)
  }
