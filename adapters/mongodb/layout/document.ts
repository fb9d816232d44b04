import type { ObjectId } from 'mongodb'
import type { AnyCollection, Id, Json, Rec } from '../../../core/kernel/records/collection.ts'
import { conditionTest } from '../../../core/kernel/records/matches.ts'
import { missingAsNull } from '../../../core/kernel/records/missing-fields.ts'

/** A record as it is stored: its fields on the top level, its id as `_id`, and beside them what the store keeps. */
export interface Doc {
  readonly _id: Id
  /** Names the batch of commits that wrote it last: whoever writes it next asks that it is still the one that was read. */
  readonly _rev: ObjectId
  /** The texts of its unique keys. */
  readonly _keys: Readonly<Record<string, string>>
  /** The named conditions that hold. */
  readonly _when: Readonly<Record<string, true>>
  readonly [field: string]: unknown
}

export const docOf = (collection: AnyCollection, record: Rec, _rev: ObjectId): Doc => {
  const doc: Doc & { [field: string]: unknown } = {
    _id: record.id,
    _rev,
    _keys: keysOf(collection, record),
    _when: whenOf(collection, record),
  }
  for (const field in record) if (field !== 'id') doc[field] = plain(record[field] ?? null)
  return doc
}

/** What an update sets to make the one record the other. */
export const changedFields = (collection: AnyCollection, before: Rec, after: Rec): Record<string, unknown> => {
  const set: Record<string, unknown> = {}
  for (const field in after) if (after[field] !== before[field]) set[field] = plain(after[field] ?? null)
  const [keys, when] = [keysOf(collection, after), whenOf(collection, after)]
  if (!isSame(keys, keysOf(collection, before))) set._keys = keys
  if (!isSame(when, whenOf(collection, before))) set._when = when
  return set
}

export const recordOf = (collection: AnyCollection, { _id, _rev, _keys, _when, ...fields }: Doc): Rec =>
  missingAsNull(collection)({ id: _id, ...fields } as Rec)

export const keysOf = ({ keys = {} }: AnyCollection, record: Rec): Record<string, string> => {
  const texts: Record<string, string> = {}
  for (const key in keys) {
    const text = keys[key]?.(record) ?? null
    if (text !== null) texts[key] = text
  }
  return texts
}

export const whenOf = (collection: AnyCollection, record: Rec): Record<string, true> => {
  const held: Record<string, true> = {}
  for (const name in collection.conditions) if (conditionTest(collection, name)(record)) held[name] = true
  return held
}

// Both are made by the same function, in the same order.
const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

/** As JSON has it: -0 is 0. */
const plain = (value: Json): Json => {
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}
