import { randomBytes } from 'node:crypto'
import { type Document, ObjectId } from 'mongodb'
import { fillMissingFields } from '../../../core/kernel/records/missing-fields.ts'
import type { AnyCollection, At, Id, Json, Rec } from '../../../core/kernel/records/record.ts'
import { conditionTest } from '../../../core/kernel/records/table.ts'
import { keyPath, type Shape } from './shape.ts'

/** A stored record: its fields at the top level, its id as `_id`, and the fields of the store. */
export interface Doc {
  readonly _id: Id
  /** The batch of commits that wrote the record last. A write is guarded by the revision that was read. */
  readonly _rev: ObjectId
  /** The texts of unique keys. */
  readonly _keys: Readonly<Record<string, string>>
  /** The named conditions that are true. */
  readonly _when: Readonly<Record<string, true>>
  readonly [field: string]: unknown
}

/** The texts of unique keys by the names of the keys. */
export type KeyTexts = Readonly<Record<string, string>>

/** Identifies a record among those of all collections. */
export const recordName = ([collection, id]: At): string => `${collection} ${JSON.stringify(id)}`

export const docOf = ({ collection, keyNames }: Shape, record: Rec, texts: KeyTexts, _rev: ObjectId): Doc => {
  const doc: Doc & { [field: string]: unknown } = {
    _id: record.id,
    _rev,
    _keys: Object.fromEntries(Object.entries(texts).map(([key, text]) => [keyNames[key] ?? key, text])),
    _when: whenOf(collection, record),
  }
  for (const field in record) if (field !== 'id') doc[field] = plain(record[field] ?? null)
  return doc
}

/** An update from one state of a record to another. */
export interface Difference {
  readonly set: Readonly<Record<string, unknown>>
  readonly unset: readonly string[]
}

/** A record and its texts of unique keys. */
export interface KeyedRecord {
  readonly record: Rec
  readonly texts: KeyTexts
}

export const difference = (shape: Shape, before: KeyedRecord, after: KeyedRecord): Difference => {
  const { collection } = shape
  const set: Record<string, unknown> = {}
  for (const field in after.record)
    if (after.record[field] !== before.record[field]) set[field] = plain(after.record[field] ?? null)
  const when = whenOf(collection, after.record)
  if (!isSame(when, whenOf(collection, before.record))) set._when = when
  for (const [key, text] of Object.entries(after.texts)) if (before.texts[key] !== text) set[keyPath(shape, key)] = text
  const lost = Object.keys(before.texts).filter((key) => after.texts[key] === undefined)
  const retired = (collection.retired ?? []).filter((field) => before.record[field] !== undefined)
  return { set, unset: [...lost.map((key) => keyPath(shape, key)), ...retired] }
}

export const recordOf = (collection: AnyCollection, { _id, _rev, _keys, _when, ...fields }: Doc): Rec =>
  fillMissingFields(collection)({ id: _id, ...fields } as Rec)

/** Returns the texts of a document, without those of former keys. */
export const keyTextsOf = ({ keyNames }: Shape, { _keys }: Pick<Doc, '_keys'>): KeyTexts => {
  const texts: Record<string, string> = {}
  for (const key in keyNames) {
    const text = _keys[keyNames[key] ?? key]
    if (text !== undefined) texts[key] = text
  }
  return texts
}

const whenOf = (collection: AnyCollection, record: Rec): Record<string, true> => {
  const met: Record<string, true> = {}
  for (const name in collection.conditions) if (conditionTest(collection, name)(record)) met[name] = true
  return met
}

// Both come from `whenOf`, in the same order.
const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

/** -0 becomes 0, as in JSON. */
const plain = (value: Json): Json => {
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}

/**
 * A `_rev` has the generation of shapes in its first four bytes and eight random bytes. The server can therefore reject
 * writes of an earlier generation, and a record shows for which shapes it was written. Up to 0.3.0 it began with a
 * time, which is greater than any generation.
 */
const RANDOM_BYTES = 8
const FIRST_TIME = 0x40_00_00_00

export const newRev = (generation: number): ObjectId => {
  const bytes = Buffer.alloc(4 + RANDOM_BYTES)
  bytes.writeUInt32BE(generation)
  randomBytes(RANDOM_BYTES).copy(bytes, 4)
  return new ObjectId(bytes)
}

export const generationOf = (rev: ObjectId): number => {
  const first = Buffer.from(rev.id).readUInt32BE(0)
  return first < FIRST_TIME ? first : 0
}

const bound = (generation: number, rest: number): ObjectId => {
  const bytes = Buffer.alloc(4 + RANDOM_BYTES, rest)
  bytes.writeUInt32BE(generation)
  return new ObjectId(bytes)
}

/** Returns a validator that accepts writes of this generation only. Generation 0 accepts all. */
export const validatorOf = (generation: number): Document =>
  generation === 0 ? {} : { _rev: { $gte: bound(generation, 0), $lte: bound(generation, 0xff) } }
