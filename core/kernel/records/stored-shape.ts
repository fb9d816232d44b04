import type { AnyCollection, IndexRow, TallyRow } from './collection.ts'
import { fieldCodecs, type Json } from './record.ts'
import { fieldsOf, type Where } from './where.ts'

/**
 * The definition of a collection as a store records it, as JSON: the parts that are built, without those that are
 * pending. It is independent of the physical layout, so every store records the same.
 */
export interface StoredShape {
  readonly ids: 'integer' | 'text'
  /** The fields of the records, or null if the codec does not list them. */
  readonly fields: readonly string[] | null
  /** The fields that the collection dropped. */
  readonly retired: readonly string[]
  /** The upgraded fields that every stored record now has. */
  readonly upgrades: readonly string[]
  readonly conditions: Readonly<Record<string, string>>
  /** The names of the unique keys. A key whose function changes needs a new name. */
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  readonly tallies: readonly StoredTally[]
}

/** A tally. Its number identifies its buckets and stays the same when other tallies are added or removed. */
export interface StoredTally {
  readonly number: number
  readonly definition: string
}

/** An index or tally with its position in the definition. */
export interface Placed<R> {
  readonly at: number
  readonly row: R
}

/**
 * The work that turns a stored shape into that of a collection. A changed condition, index or tally counts as dropped
 * and new.
 */
export interface ShapeChange {
  readonly newFields: readonly string[]
  /**
   * Upgraded fields that stored records may still lack. Until they are filled, no query, index or tally may use them.
   */
  readonly fieldsToFill: readonly string[]
  /** The names of new and changed conditions. */
  readonly changedConditions: readonly string[]
  readonly newKeys: readonly string[]
  readonly droppedKeys: readonly string[]
  readonly newIndexes: readonly Placed<IndexRow>[]
  /** The definitions of the dropped indexes. */
  readonly droppedIndexes: readonly string[]
  readonly newTallies: readonly (Placed<TallyRow> & { readonly number: number })[]
  readonly droppedTallies: readonly StoredTally[]
  /** The number of each tally of the collection, in order. */
  readonly tallyNumbers: readonly number[]
}

/** Returns JSON that does not depend on the order of keys. */
const canonical = (value: Json): string => {
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field] ?? null)}`).join(',')}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

type Conditions = AnyCollection['conditions']

export const conditionText = (where: Where): string => canonical(where)

/** Returns the named condition of an index or tally, which is part of its definition. */
const conditionOf = (conditions: Conditions, when: string | undefined): Json =>
  (when === undefined ? undefined : conditions?.[when]) ?? null

export const indexText = (
  { owner, conditions }: Pick<AnyCollection, 'owner' | 'conditions'>,
  { eq, sort, when, search, include, acrossOwners }: IndexRow,
): string =>
  canonical({
    owner: acrossOwners ? null : owner,
    eq: eq ?? null,
    sort,
    search: search ?? null,
    // The recorded name differs from that of the field: stores of earlier releases have it.
    ...(include && { carries: [...include] }),
    when: when ?? null,
    where: conditionOf(conditions, when),
  })

export const tallyText = ({ conditions }: Pick<AnyCollection, 'conditions'>, { by, sum, when }: TallyRow): string =>
  canonical({ by: [...by], sum: [...sum], when: when ?? null, where: conditionOf(conditions, when) })

export type ShapeRows = Pick<AnyCollection, 'ids' | 'owner' | 'conditions' | 'indexes' | 'tallies'> & {
  readonly keys?: readonly string[]
}

/**
 * Returns the shape of definitions without fields, with tallies numbered by position. Releases 0.1 to 0.3 recorded only
 * these.
 */
export const rowsShape = (rows: ShapeRows): StoredShape => {
  const { ids, conditions = {}, keys = [], indexes = [], tallies = [] } = rows
  return {
    ids,
    fields: null,
    retired: [],
    upgrades: [],
    conditions: Object.fromEntries(Object.entries(conditions).map(([name, where]) => [name, conditionText(where)])),
    keys,
    indexes: indexes.map((row) => indexText(rows, row)),
    tallies: tallies.map((row, number) => ({ number, definition: tallyText(rows, row) })),
  }
}

/** Returns the shape of a collection whose indexes, tallies and keys are all built, as in a new store. */
export const storedShape = (collection: AnyCollection, numbers?: readonly number[]): StoredShape => {
  const { codec, keys = {}, retired = [], upgrades = {}, oldest } = collection
  const known = fieldCodecs(codec)
  const shape = rowsShape({ ...collection, keys: Object.keys(keys) })
  return {
    ...shape,
    fields: known && Object.keys(known),
    retired,
    upgrades: [...(oldest?.upgrades ?? []), ...Object.keys(upgrades)],
    tallies: shape.tallies.map((tally) => ({ ...tally, number: numbers?.[tally.number] ?? tally.number })),
  }
}

/** Returns the work that a store of this shape needs for a collection. An unchanged tally keeps its number. */
export const shapeChange = (stored: StoredShape, collection: AnyCollection): ShapeChange => {
  const { indexes = [], tallies = [] } = collection
  const own = storedShape(collection)
  const tallyTexts = tallies.map((row) => tallyText(collection, row))
  const indexTexts = indexes.map((row) => indexText(collection, row))
  const { numbers, kept } = numbered(stored.tallies, tallyTexts)
  return {
    newFields: (own.fields ?? []).filter((field) => stored.fields !== null && !stored.fields.includes(field)),
    fieldsToFill: own.upgrades.filter((field) => !stored.upgrades.includes(field)),
    changedConditions: Object.keys(own.conditions).filter((name) => own.conditions[name] !== stored.conditions[name]),
    newKeys: own.keys.filter((key) => !stored.keys.includes(key)),
    droppedKeys: stored.keys.filter((key) => !own.keys.includes(key)),
    newIndexes: indexes
      .map((row, at) => ({ row, at }))
      .filter(({ at }) => !stored.indexes.includes(indexTexts[at] ?? '')),
    droppedIndexes: stored.indexes.filter((text) => !indexTexts.includes(text)),
    newTallies: tallies.flatMap((row, at) => {
      const number = numbers[at]
      return number === undefined || kept.has(number) ? [] : [{ row, at, number }]
    }),
    droppedTallies: stored.tallies.filter(({ number }) => !kept.has(number)),
    tallyNumbers: numbers,
  }
}

/** Numbers the tallies. A recorded number is not reused for another tally, because its buckets may still be stored. */
const numbered = (stored: readonly StoredTally[], texts: readonly string[]) => {
  const kept = new Set<number>()
  let next = Math.max(-1, ...stored.map(({ number }) => number)) + 1
  const numbers = texts.map((text) => {
    const same = stored.find(({ number, definition }) => definition === text && !kept.has(number))
    if (!same) return next++
    kept.add(same.number)
    return same.number
  })
  return { numbers, kept }
}

/**
 * Returns the fields of a later release that this one would lose or misread; none if this release may write the store.
 * Indexes, tallies, conditions and keys of another release are rebuilt and do not count.
 */
export const newerFields = (stored: StoredShape, collection: AnyCollection): readonly string[] => {
  const own = storedShape(collection)
  if (own.fields === null) return []
  const fields = new Set(own.fields)
  const known = new Set([...own.fields, ...own.retired])
  return [
    ...(stored.fields ?? []).filter((field) => !known.has(field)),
    ...stored.retired.filter((field) => fields.has(field)),
  ]
}

/** Returns the error message of a store that a later release has written. */
export const newerReleaseMessage = (collection: string, fields: readonly string[]): string =>
  `a newer release has written this store (${collection}: ${fields.join(', ')}): start that one`

/** Throws if the store was not completed by the oldest release whose stores open. */
export const refuseTooOld = (stored: StoredShape, collection: AnyCollection): void => {
  const { upgrades = [], indexes = [] } = collection.oldest ?? {}
  const isComplete =
    upgrades.every((field) => stored.upgrades.includes(field)) &&
    indexes.every((row) => stored.indexes.includes(indexText(collection, row)))
  if (!isComplete) throw new Error(tooOldMessage(collection.name))
}

export const tooOldMessage = (collection: string): string =>
  `a release before 0.10.0 has written this store (${collection}): open it with release 0.10.0 until its background work is done`

/** The parts of a query, an index or a tally that name fields. */
interface Naming {
  readonly where?: Where
  readonly when?: string | undefined
  readonly sort?: string | { readonly by: string } | undefined
  readonly eq?: string | undefined
  readonly search?: string | undefined
  readonly include?: readonly string[] | undefined
  readonly by?: readonly string[] | { readonly id: unknown } | { readonly key: string }
  readonly sum?: readonly string[]
}

/**
 * Returns the fields that a query, an index or a tally names, also through its condition. A find by id or key names
 * none.
 */
export const usedFields = (
  { conditions = {} }: Pick<AnyCollection, 'conditions'>,
  naming: Naming,
): readonly string[] => {
  const { where, when, sort, eq, search, include = [], by, sum = [] } = naming
  const condition = when === undefined ? undefined : conditions[when]
  return [
    ...[where, condition].flatMap((one) => (one ? fieldsOf(one) : [])),
    ...[typeof sort === 'object' ? sort.by : sort, eq, search].filter((field) => field !== undefined),
    ...include,
    ...(by && areNames(by) ? by : []),
    ...sum,
  ]
}

const areNames = (by: NonNullable<Naming['by']>): by is readonly string[] => Array.isArray(by)
