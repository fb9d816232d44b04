import type { AnyCollection } from './collection.ts'
import { type Json, propsOf, type Rec } from './record.ts'

type Fill = (value: Json) => Json
export type FillRecord = <R extends Rec>(record: R) => R
/** What missing fields depend on. */
export type Fillable = Pick<AnyCollection, 'codec' | 'upgrades'>

/** What is known of a collection is found out once. */
const fills = new WeakMap<Fillable, FillRecord>()

/**
 * Gives a stored record with each field that it lacks, as `upgrades` say, and null where they say nothing, also in the
 * objects within it: it was written before its collection had that field. One that lacks none is given as it is, and
 * what it has that the codec does not know stays. Where a codec does not let a field be null, no patch of a record that
 * lacks it decodes, unless it sets that field or an upgrade gives it.
 * Source: design, section 3.
 */
export const missingAsNull = (collection: Fillable): FillRecord => {
  const known = fills.get(collection)
  if (known) return known
  const fill = fillOf(collection.codec)
  // What is filled is a record of the same collection.
  const nulls: FillRecord = fill ? (record) => fill(record) as typeof record : (record) => record
  const made = collection.upgrades ? upgraded(nulls, collection.upgrades) : nulls
  fills.set(collection, made)
  return made
}

/** The fields that upgrades give to a stored record that lacks them: what is to be set in it. Null where it lacks none. */
export const upgradesFor = (
  collection: Fillable,
  stored: Rec,
  fields: readonly string[] = Object.keys(collection.upgrades ?? {}),
): Readonly<Record<string, Json>> | null => {
  const lacking = fields.filter((field) => stored[field] === undefined)
  if (lacking.length === 0) return null
  const filled = missingAsNull(collection)(stored)
  return Object.fromEntries(lacking.map((field) => [field, filled[field] ?? null]))
}

/** Each upgrade sees what was stored, and null for the rest: never what another upgrade gives. */
const upgraded =
  (nulls: FillRecord, upgrades: NonNullable<AnyCollection['upgrades']>): FillRecord =>
  (stored) => {
    const filled = nulls(stored)
    // What is given as it was lacks nothing, and nearly all records do not.
    if (filled === stored) return stored
    const given: { [field: string]: Json } = {}
    for (const field in upgrades) if (stored[field] === undefined) given[field] = upgrades[field]?.(filled) ?? null
    return { ...filled, ...given }
  }

/** Null for a codec in which there are no fields, or which does not tell them. */
const fillOf = (codec: object): Fill | null => {
  const props = propsOf(codec)
  if (props) return fillObject(props)
  if (isTagged(codec, 'ArrayType')) return fillList(fillOf(codec.type))
  if (!isTagged(codec, 'UnionType')) return null
  const [only, ...others] = codec.types.map(fillOf).filter((fill) => fill !== null)
  // Which of several kinds of object it is, nothing tells.
  return others.length === 0 ? (only ?? null) : null
}

const fillList = (fill: Fill | null): Fill | null => {
  if (!fill) return null
  return (list) => {
    if (!Array.isArray(list)) return list
    const filled = list.map(fill)
    return filled.some((part, index) => part !== list[index]) ? filled : list
  }
}

/**
 * Every record that is read comes through here. Most have the fields of the one before them, in the same order: to see
 * that costs a fraction of looking for each field.
 */
const fillObject = (props: Readonly<Record<string, object>>): Fill => {
  const fields = Object.keys(props)
  const within = fields.flatMap((field) => {
    const fill = fillOf(props[field] ?? {})
    return fill ? [{ field, fill }] : []
  })
  let complete: readonly string[] | null = null
  return (value) => {
    if (!isObject(value)) return value
    let filled: { [field: string]: Json } | null = null
    if (complete === null || !hasExactly(value, complete)) {
      for (const field of fields) {
        if (value[field] === undefined) {
          filled ??= { ...value }
          filled[field] = null
        }
      }
      if (filled === null) complete = Object.keys(value)
    }
    for (const { field, fill } of within) {
      const part = value[field] ?? null
      const after = fill(part)
      if (after !== part) {
        filled ??= { ...value }
        filled[field] = after
      }
    }
    return filled ?? value
  }
}

/** Whether these are the fields of an object, in this order. */
const hasExactly = (value: object, fields: readonly string[]): boolean => {
  let count = 0
  for (const field in value) {
    if (field !== fields[count]) return false
    count += 1
  }
  return count === fields.length
}

const isObject = (value: Json): value is { readonly [field: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Tagged {
  readonly ArrayType: { readonly type: object }
  readonly UnionType: { readonly types: readonly object[] }
}

const isTagged = <T extends keyof Tagged>(codec: object, tag: T): codec is Tagged[T] =>
  '_tag' in codec && codec._tag === tag
