import { type AnyCollection, fieldCodecs, isJsonObject, type Json, type Rec } from './record.ts'

type Fill = (value: Json) => Json
export type RecordFiller = <R extends Rec>(record: R) => R
/** The parts of a collection that decide the values of missing fields. */
export type Upgradable = Pick<AnyCollection, 'codec' | 'upgrades'>

const fills = new WeakMap<Upgradable, RecordFiller>()

/**
 * Returns a function that fills the fields that a record lacks because it was stored before its collection had them:
 * from `upgrades`, else with null, also in nested objects. It returns the same object if no field is missing, and keeps
 * unknown fields. If the codec does not accept null for a missing field without an upgrade, a patch must set that
 * field.
 */
export const fillMissingFields = (collection: Upgradable): RecordFiller => {
  const known = fills.get(collection)
  if (known) return known
  const fill = fillOf(collection.codec)
  const nulls: RecordFiller = fill ? (record) => fill(record) as typeof record : (record) => record
  const made = collection.upgrades ? upgraded(nulls, collection.upgrades) : nulls
  fills.set(collection, made)
  return made
}

/** Returns the values to set in a stored record that lacks fields with an upgrade, or null if it lacks none. */
export const upgradeValues = (
  collection: Upgradable,
  stored: Rec,
  fields: readonly string[] = Object.keys(collection.upgrades ?? {}),
): Readonly<Record<string, Json>> | null => {
  const lacking = fields.filter((field) => stored[field] === undefined)
  if (lacking.length === 0) return null
  const filled = fillMissingFields(collection)(stored)
  return Object.fromEntries(lacking.map((field) => [field, filled[field] ?? null]))
}

/** Adds the results of the upgrades, each computed from the stored fields, with null for missing ones. */
const upgraded =
  (nulls: RecordFiller, upgrades: NonNullable<AnyCollection['upgrades']>): RecordFiller =>
  (stored) => {
    const filled = nulls(stored)
    // For nearly all records no field is missing, and `nulls` returns the same object.
    if (filled === stored) return stored
    const values: { [field: string]: Json } = {}
    for (const field in upgrades) if (stored[field] === undefined) values[field] = upgrades[field]?.(filled) ?? null
    return { ...filled, ...values }
  }

/** Returns null for a codec without fields, and for one that does not list them. */
const fillOf = (codec: object): Fill | null => {
  const props = fieldCodecs(codec)
  if (props) return fillObject(props)
  if (isTagged(codec, 'ArrayType')) return fillList(fillOf(codec.type))
  if (!isTagged(codec, 'UnionType')) return null
  const [only, ...others] = codec.types.map(fillOf).filter((fill) => fill !== null)
  // If several members of a union are objects, the one that the value belongs to is unknown.
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
 * Runs for every record that is read. Most records have the fields of an earlier complete one in the same order, which
 * is much cheaper to check than each field.
 */
const fillObject = (props: Readonly<Record<string, object>>): Fill => {
  const fields = Object.keys(props)
  const within = fields.flatMap((field) => {
    const fill = fillOf(props[field] ?? {})
    return fill ? [{ field, fill }] : []
  })
  let complete: readonly string[] | null = null
  return (value) => {
    if (!isJsonObject(value)) return value
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

/** Reports whether an object has exactly these fields, in this order. */
const hasExactly = (value: object, fields: readonly string[]): boolean => {
  let count = 0
  for (const field in value) {
    if (field !== fields[count]) return false
    count += 1
  }
  return count === fields.length
}

interface Tagged {
  readonly ArrayType: { readonly type: object }
  readonly UnionType: { readonly types: readonly object[] }
}

const isTagged = <T extends keyof Tagged>(codec: object, tag: T): codec is Tagged[T] =>
  '_tag' in codec && codec._tag === tag
