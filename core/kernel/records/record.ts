/** Every codec of the project uses this import: deep paths of io-ts fail in Node's ESM and in Deno. */
import * as t from 'io-ts'
import { compareCodePoints } from '../values/text.ts'

export { t }

export type Id = string | number

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A stored record: a JSON object with an id. Every field is present; an absent value is null. */
export type Rec = { readonly id: Id; readonly [field: string]: Json }

/** The fields of a record that a query, an index or a change can name. */
export type Field<R> = keyof R & string

/** The value of a field that conditions can compare. Lists and objects are not scalars. */
export type Scalar = string | number | boolean | null

/** The address of a record: its collection and its id. */
export type At = readonly [collection: string, id: Id]

export const at = (collection: { readonly name: string }, id: Id): At => [collection.name, id]

/** Returns the scalar in a field, null if the field is absent, or undefined if it holds a list or an object. */
export const scalarOf = (record: Rec, field: string): Scalar | undefined => {
  const value = record[field]
  return typeof value === 'object' && value !== null ? undefined : (value ?? null)
}

/** Compares numbers by value and texts by code point. Returns null if the two have no order. */
export const compareBounds = (value: unknown, bound: string | number): number | null => {
  if (typeof value === 'number' && typeof bound === 'number') return value - bound
  if (typeof value === 'string' && typeof bound === 'string') return compareCodePoints(value, bound)
  return null
}

/** Booleans, numbers, texts. One field holds only one of these types; null sorts before all of them. */
const rank = (value: unknown): number => ['boolean', 'number', 'string'].indexOf(typeof value)

/** Compares two values of a field: nulls first, numbers by value, texts by code point. */
export const compareValues = (a: unknown, b: unknown): number => {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return rank(a) - rank(b) || (rank(a) < 0 ? 0 : Number(a) - Number(b))
}

export const compareIds = (a: Id, b: Id): number => compareValues(a, b)

/**
 * Returns the comparator of a page: by the sort field, ties by id in the same direction. Without a sort, by id
 * ascending.
 */
export const recordOrder = (sort?: {
  readonly by: string
  readonly dir: 'asc' | 'desc'
}): ((a: Rec, b: Rec) => number) => {
  if (!sort) return (a, b) => compareIds(a.id, b.id)
  const sign = sort.dir === 'asc' ? 1 : -1
  return (a, b) => sign * (compareValues(a[sort.by], b[sort.by]) || compareIds(a.id, b.id))
}

/** Builds the codec of a stored record: exactly these fields, all present. */
export const record = <P extends t.Props>(fields: P) => t.strict(fields)

export const orNull = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])

/** Builds the codec of a stored enumeration. */
export const word = <W extends string>(...words: readonly W[]): t.Type<W> => {
  const known: ReadonlySet<unknown> = new Set(words)
  const is = (value: unknown): value is W => known.has(value)
  return new t.Type<W>(
    words.join(' | '),
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    (value) => value,
  )
}

/** The tags of io-ts codecs that wrap the codec of an object. */
const WRAPPERS: ReadonlySet<unknown> = new Set(['ExactType', 'RefinementType', 'ReadonlyType'])

/** Returns the field codecs of an io-ts object codec, or null for any other codec. */
export const fieldCodecs = (codec: object): Readonly<Record<string, object>> | null => {
  if ('props' in codec && typeof codec.props === 'object' && codec.props) return { ...codec.props }
  if (!('_tag' in codec && WRAPPERS.has(codec._tag))) return null
  return 'type' in codec && typeof codec.type === 'object' && codec.type ? fieldCodecs(codec.type) : null
}
