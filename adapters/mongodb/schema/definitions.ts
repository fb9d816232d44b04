import { createHash } from 'node:crypto'
import type { ObjectId } from 'mongodb'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { checkedChange, type StoredShape, shapeChange, storedShape } from '../../../core/kernel/records/stored-shape.ts'
import type { StoredNames } from '../layout/shape.ts'

/** The stored definition of a collection. Shapes are JSON texts, because names in them are not names of fields. */
export interface Definition {
  readonly _id: string
  /** The generation of its last breaking change. */
  readonly since: number
  /** Identifies the shape. */
  readonly digest: string
  /** The digests before it. */
  readonly past: readonly string[]
  readonly shape: string
  /** The shape for which the records are stored now. Differs from `shape` during a migration. */
  readonly stands: string
  /** The field of each key in `_keys`. */
  readonly keyNames: Readonly<Record<string, string>>
  /** The greatest number that a tally had. */
  readonly lastNumber: number
  /** False until the records are migrated. */
  readonly isDone: boolean
  /** The process that migrates the records. */
  readonly filler?: ObjectId
  /** Names of indexes whose building has begun. */
  readonly building: readonly string[]
}

/** The document of the whole store. */
export interface StoreDoc {
  readonly _id: string
  /** Changes with each breaking change of any collection. */
  readonly generation: number
  /** The generation whose writes the validators of all collections accept. They reject all others. */
  readonly fenced: number
  /** Written by each process that opens the store, so that one waits for another. */
  readonly version: number
}

/** No name of a collection: those have no underscore. */
export const STORE_DOC = '_store'

/** The definitions after a process of these collections has opened the store. */
export interface Definitions {
  readonly generation: number
  readonly definitions: ReadonlyMap<string, Definition>
  /** Those to write. The records of those that are not done must be migrated. */
  readonly changed: readonly Definition[]
}

/**
 * Decides the definitions for the collections. `isServed`: other processes serve the current generation. Throws if a
 * newer release has written the store, or if a release that replaced this one is serving it.
 */
export const decideDefinitions = (
  { generation: current }: Pick<StoreDoc, 'generation'>,
  stored: readonly Definition[],
  collections: readonly AnyCollection[],
  isServed: boolean,
  filler: ObjectId,
): Definitions => {
  const found = new Map(stored.map((definition) => [definition._id, definition]))
  const known = collections.flatMap((collection) => {
    const former = found.get(collection.name)
    return former ? [{ collection, former, kind: changeKind(former, collection) }] : []
  })
  const changing = known.filter(({ kind }) => kind !== 'none')
  const isReplaced = changing.every(({ collection, former }) => former.past.includes(digestOf(collection)))
  if (isServed && changing.length > 0 && isReplaced) throw new Error(SERVED)
  const isBreaking = known.some(({ kind }) => kind === 'breaking')
  const generation = current + Number(isBreaking)
  const changed = [
    ...collections.filter(({ name }) => !found.has(name)).map((collection) => newDefinition(collection, generation)),
    ...changing.map(({ collection, former, kind }) =>
      kind === 'additive' ? extended(former, collection) : migrating(former, collection, generation, filler),
    ),
  ]
  const definitions = new Map([...found, ...changed.map((definition) => [definition._id, definition] as const)])
  return { generation, definitions, changed }
}

const SERVED = 'MongoDB: a newer release is serving this store: start that one, or stop all of its processes first'

const parse = (text: string): StoredShape => JSON.parse(text)

const changeKind = (former: Definition, collection: AnyCollection) => {
  // Releases until 0.3.0 stored other definitions.
  const [shape, stands] = former.digest === undefined ? [null] : [parse(former.shape), parse(former.stands)]
  const { kind } = checkedChange(shape, collection, stands)
  return former.isDone ? kind : 'breaking'
}

/** Identifies a shape, regardless of the order of its lists. */
const digestOf = (collection: AnyCollection): string => {
  const { tallies, ...shape } = storedShape(collection)
  const definition = { ...shape, tallies: tallies.map((tally) => tally.definition) }
  return createHash('sha256').update(JSON.stringify(definition, sorted)).digest('base64url')
}

const sorted = (_key: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.toSorted()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const newDefinition = (collection: AnyCollection, generation: number): Definition => {
  const shape = storedShape(collection)
  const text = JSON.stringify(shape)
  return {
    _id: collection.name,
    since: generation,
    digest: digestOf(collection),
    past: [],
    shape: text,
    stands: text,
    keyNames: Object.fromEntries(shape.keys.map((key) => [key, key])),
    lastNumber: shape.tallies.length - 1,
    isDone: true,
    building: [],
  }
}

const extended = (former: Definition, collection: AnyCollection): Definition => {
  const { tallyNumbers } = shapeChange(parse(former.shape), collection)
  const shape = JSON.stringify(storedShape(collection, tallyNumbers))
  return { ...former, ...digestsAfter(former, collection), shape, stands: shape }
}

const migrating = (
  { stands, ...former }: Definition,
  collection: AnyCollection,
  generation: number,
  filler: ObjectId,
): Definition => {
  // Buckets of former tallies, and of an interrupted migration, keep their numbers.
  const numbers = (collection.tallies ?? []).map((_, at) => former.lastNumber + 1 + at)
  const shape = storedShape(collection, numbers)
  const built = parse(stands)
  // An interrupted migration may have removed the texts of keys that its release no longer had: they are filled again.
  const keys = built.keys.filter((key) => parse(former.shape).keys.includes(key))
  // A new key gets a new field: texts of a former key of that name may still be stored.
  const nameOf = (key: string) => (keys.includes(key) ? (former.keyNames[key] ?? key) : `${key}_${generation}`)
  return {
    ...former,
    since: generation,
    ...digestsAfter(former, collection),
    shape: JSON.stringify(shape),
    stands: JSON.stringify({ ...built, keys }),
    keyNames: Object.fromEntries(shape.keys.map((key) => [key, nameOf(key)])),
    lastNumber: former.lastNumber + numbers.length,
    isDone: false,
    filler,
  }
}

const KEPT_DIGESTS = 20

/** After a downgrade to a past shape, removes the later digests, so that their releases may start again. */
const digestsAfter = ({ past, digest }: Pick<Definition, 'past' | 'digest'>, collection: AnyCollection) => {
  const next = digestOf(collection)
  if (digest === next) return { digest, past }
  const kept = past.includes(next) ? past.slice(0, past.indexOf(next)) : [...past, digest].slice(-KEPT_DIGESTS)
  return { digest: next, past: kept }
}

/** The numbers of the tallies, and the fields of the keys, of a collection. */
export const storedNames = ({ shape, keyNames }: Definition, collection: AnyCollection): StoredNames => ({
  numbers: shapeChange(parse(shape), collection).tallyNumbers,
  keyNames,
})
