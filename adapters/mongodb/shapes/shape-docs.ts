import { createHash } from 'node:crypto'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import {
  newerFields,
  rowsShape,
  type StoredShape,
  shapeChange,
  storedShape,
  usedFields,
} from '../../../core/kernel/records/stored-shape.ts'
import type { Standing, Unfilled } from '../layout/shape.ts'

/** What the database says of a collection. Shapes are texts of JSON: their names are no names of fields. */
export interface ShapeDoc {
  readonly _id: string
  /** What 0.3.0 compares with its own, and names when it then refuses to start. */
  readonly ids: string
  readonly kind: 'integer' | 'text'
  /** The generation that its present shape came with. */
  readonly since: number
  /** Tells the present shape from others. */
  readonly digest: string
  /** Those that it has had before. */
  readonly past: readonly string[]
  /** The present shape, all of which will stand. */
  readonly shape: string
  /** What of it stands: all records carry it, all tallies count them. */
  readonly stands: string
  readonly keyNames: Readonly<Record<string, string>>
  /** No tally has a number greater than this, nor had one. */
  readonly lastNumber: number
  readonly isOpen: boolean
  readonly isDone: boolean
  /** Names of indexes that a process has begun to build. */
  readonly building: readonly string[]
}

/** As 0.1.0 to 0.3.0 wrote it. */
export interface EarlierDoc {
  readonly _id: string
  readonly ids: 'integer' | 'text'
  readonly made: string
}

type EarlierRows = Pick<AnyCollection, 'conditions' | 'tallies'> & { readonly keys?: readonly string[] }

export const isEarlier = (doc: ShapeDoc | EarlierDoc): doc is EarlierDoc => !('digest' in doc)

// 0.3.0 says: `payments.accounts has a newer release's ids in the database`, and starts no more.
const NEWER_IDS = "a newer release's"
const KEPT_DIGESTS = 20

const parsed = (text: string): StoredShape => JSON.parse(text)

export const digestOf = (collection: AnyCollection): string => {
  const { tallies, ...shape } = storedShape(collection)
  const told = { ...shape, tallies: tallies.map(({ definition }) => definition) }
  return createHash('sha256').update(JSON.stringify(told, sorted)).digest('base64url')
}

/** Lists of names have no order, nor have the fields of an object. */
const sorted = (_key: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.toSorted()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Of a collection that was never there before. */
export const freshDoc = (collection: AnyCollection, generation: number): ShapeDoc => {
  const shape = storedShape(collection)
  const text = JSON.stringify(shape)
  return {
    _id: collection.name,
    ids: NEWER_IDS,
    kind: collection.ids,
    since: generation,
    digest: digestOf(collection),
    past: [],
    shape: text,
    stands: text,
    keyNames: sameNames(shape.keys),
    lastNumber: shape.tallies.length - 1,
    isOpen: true,
    isDone: true,
    building: [],
  }
}

const sameNames = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, key]))

/** What an earlier release has left, as if one of today had written it. */
export const adopted = ({ _id, ids, made }: EarlierDoc): ShapeDoc => {
  const rows: EarlierRows = JSON.parse(made.startsWith('{') ? made : NOTHING_MADE)
  const told = rowsShape({ ids, owner: null, ...rows })
  const text = JSON.stringify(told)
  return {
    _id,
    ids: NEWER_IDS,
    kind: ids,
    since: 0,
    digest: '',
    past: [],
    shape: text,
    stands: text,
    keyNames: sameNames(told.keys),
    lastNumber: told.tallies.length - 1,
    isOpen: true,
    isDone: true,
    building: [],
  }
}

// What was being rebuilt when its process ended says `being rebuilt` instead: nothing of it stands.
const NOTHING_MADE = '{}'

/** The same, once this release knows that all of it is as it wants it. */
export const ownDoc = (doc: ShapeDoc, collection: AnyCollection): ShapeDoc => {
  const shape = JSON.stringify(storedShape(collection, numbersOf(doc, collection)))
  return { ...doc, digest: digestOf(collection), shape, stands: shape }
}

/** What a later release has kept that this one does not know. */
export const newerIn = (doc: ShapeDoc, collection: AnyCollection): readonly string[] =>
  newerFields(parsed(doc.shape), collection)

/** The same collection in the shape that it gets with this generation. */
export const changedDoc = (doc: ShapeDoc, collection: AnyCollection, generation: number): ShapeDoc => {
  const stands = standsStill(parsed(doc.stands), collection)
  // No number is given twice: buckets of a tally that was given up, or begun and not finished, may still lie there.
  const spent = { number: doc.lastNumber, definition: '' }
  const { tallyNumbers, newKeys } = shapeChange({ ...stands, tallies: [...stands.tallies, spent] }, collection)
  const keyNames = Object.fromEntries(
    Object.keys(collection.keys ?? {}).map((key) => [
      key,
      newKeys.includes(key) ? `${key}_${generation}` : (doc.keyNames[key] ?? key),
    ]),
  )
  return {
    ...doc,
    since: generation,
    digest: digestOf(collection),
    past: pastOf(doc, digestOf(collection)),
    shape: JSON.stringify(storedShape(collection, tallyNumbers)),
    stands: JSON.stringify(stands),
    keyNames,
    lastNumber: Math.max(doc.lastNumber, ...tallyNumbers),
    isOpen: newKeys.length === 0,
    isDone: false,
  }
}

/** Going back to a shape forgets those after it: they may come again, as new as they were the first time. */
const pastOf = ({ past, digest }: ShapeDoc, next: string): readonly string[] =>
  past.includes(next) ? past.slice(0, past.indexOf(next)) : [...past, digest].slice(-KEPT_DIGESTS)

/** What of it stands also for a release of this shape. What that one gives up it keeps no more, from its first write on. */
const standsStill = (stands: StoredShape, collection: AnyCollection): StoredShape => {
  const own = storedShape(collection)
  const change = shapeChange(stands, collection)
  const filled = filledAnew(stands, change.fieldsToFill)
  const dropped = new Set(change.droppedTallies.map(({ number }) => number))
  return {
    ...own,
    upgrades: stands.upgrades.filter((field) => own.upgrades.includes(field)),
    conditions: Object.fromEntries(
      Object.entries(own.conditions).filter(
        ([when]) => !change.changedConditions.includes(when) && !names(filled, usedFields(collection, { when })),
      ),
    ),
    keys: stands.keys.filter((key) => own.keys.includes(key)),
    tallies: stands.tallies.filter(
      ({ number, definition }) =>
        !dropped.has(number) && !names(filled, usedFields({}, { ...JSON.parse(definition), when: undefined })),
    ),
  }
}

/** Fields that were there before, as null where records lacked them, and are now filled. */
const filledAnew = ({ fields }: StoredShape, fieldsToFill: readonly string[]): readonly string[] =>
  fieldsToFill.filter((field) => fields === null || fields.includes(field))

const names = (filled: readonly string[], fields: readonly string[]): boolean =>
  fields.some((field) => filled.includes(field))

export const doneDoc = (doc: ShapeDoc): Pick<ShapeDoc, 'stands' | 'isOpen' | 'isDone'> => ({
  stands: doc.shape,
  isOpen: true,
  isDone: true,
})

export const numbersOf = (doc: ShapeDoc, collection: AnyCollection): readonly number[] =>
  shapeChange(parsed(doc.shape), collection).tallyNumbers

/** How a process takes the collection by that. */
export const standingOf = (doc: ShapeDoc, collection: AnyCollection, unbuilt: ReadonlySet<string>): Standing => ({
  numbers: numbersOf(doc, collection),
  keyNames: doc.keyNames,
  unfilled: doc.isDone ? null : unfilledOf(doc, collection),
  unbuilt,
  isOpen: doc.isOpen,
})

const unfilledOf = (doc: ShapeDoc, collection: AnyCollection): Unfilled | null => {
  const { fieldsToFill, changedConditions, newKeys, newTallies } = shapeChange(parsed(doc.stands), collection)
  if (fieldsToFill.length + changedConditions.length + newKeys.length + newTallies.length === 0) return null
  return {
    since: doc.since,
    fields: new Set(fieldsToFill),
    conditions: new Set(changedConditions),
    keys: new Set(newKeys),
    tallies: new Set(newTallies.map(({ at }) => at)),
  }
}
