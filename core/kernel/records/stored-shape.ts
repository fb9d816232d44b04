import type { AnyCollection, IndexRow, TallyRow } from './collection.ts'
import { type Json, propsOf } from './record.ts'
import { fieldsOf, type Where } from './where.ts'

/**
 * What a store writes down of a collection, as JSON: what stands in it, and not what is still to be made. It says nothing
 * of how a store lays it, so that every store writes the same.
 */
export interface StoredShape {
  readonly ids: 'integer' | 'text'
  /** The fields of the records, null where the release that wrote it told none. */
  readonly fields: readonly string[] | null
  /** Fields that it gave up. */
  readonly retired: readonly string[]
  /** Fields that every record has, since an upgrade gave them to those that lacked them. */
  readonly upgrades: readonly string[]
  readonly conditions: Readonly<Record<string, string>>
  /** A key is known by its name: one whose function changes needs a new name. */
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  readonly tallies: readonly StoredTally[]
}

/** The number names its buckets, and stays with them as rows of the table come and go. */
export interface StoredTally {
  readonly number: number
  readonly definition: string
}

/** A row of a table, with its place in it. */
export interface Placed<R> {
  readonly at: number
  readonly row: R
}

/** What is to be done to make the one shape the other. A changed condition, index or tally is one gone and one new. */
export interface ShapeChange {
  readonly newFields: readonly string[]
  /** Fields with an upgrade that records may still lack. Until they have them, nothing may name them but a record in hand. */
  readonly fieldsToFill: readonly string[]
  /** Names of conditions that are new or mean something else. */
  readonly changedConditions: readonly string[]
  readonly newKeys: readonly string[]
  readonly droppedKeys: readonly string[]
  readonly newIndexes: readonly Placed<IndexRow>[]
  /** Definitions. */
  readonly droppedIndexes: readonly string[]
  readonly newTallies: readonly (Placed<TallyRow> & { readonly number: number })[]
  readonly droppedTallies: readonly StoredTally[]
  /** The number of each tally of the table, in its order. */
  readonly tallyNumbers: readonly number[]
}

/** The same text for the same value, whatever the order of its keys. */
const canonical = (value: Json): string => {
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field] ?? null)}`).join(',')}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

type Conditions = AnyCollection['conditions']

export const conditionText = (where: Where): string => canonical(where)

/** What a row serves is part of what it is: with its condition it changes too. */
const conditionOf = (conditions: Conditions, when: string | undefined): Json =>
  (when === undefined ? undefined : conditions?.[when]) ?? null

export const indexText = (
  { owner, conditions }: Pick<AnyCollection, 'owner' | 'conditions'>,
  { eq, sort, when, search, carries, across }: IndexRow,
): string =>
  canonical({
    owner: across ? null : owner,
    eq: eq ?? null,
    sort,
    search: search ?? null,
    ...(carries && { carries: [...carries] }),
    when: when ?? null,
    where: conditionOf(conditions, when),
  })

export const tallyText = ({ conditions }: Pick<AnyCollection, 'conditions'>, { by, sum, when }: TallyRow): string =>
  canonical({ by: [...by], sum: [...sum], when: when ?? null, where: conditionOf(conditions, when) })

export type ShapeRows = Pick<AnyCollection, 'ids' | 'owner' | 'conditions' | 'indexes' | 'tallies'> & {
  readonly keys?: readonly string[]
}

/** The shape that rows of a table make, which tell no fields: releases 0.1 to 0.3 knew no more, and numbered tallies by place. */
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

/** The shape of a collection all of whose rows stand: of a store that holds nothing yet, or once all is made. */
export const storedShape = (collection: AnyCollection, numbers?: readonly number[]): StoredShape => {
  const { codec, keys = {}, retired = [], upgrades = {} } = collection
  const known = propsOf(codec)
  const shape = rowsShape({ ...collection, keys: Object.keys(keys) })
  return {
    ...shape,
    fields: known && Object.keys(known),
    retired,
    upgrades: Object.keys(upgrades),
    tallies: shape.tallies.map((tally) => ({ ...tally, number: numbers?.[tally.number] ?? tally.number })),
  }
}

/** What there is to do in a store of this shape for a collection. A tally keeps its number as long as it is the same. */
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

/** A number that is written down is given to no other tally: its buckets may still lie there. */
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
 * What a later release has kept in a store that this one would lose or misread, by the names of its fields; none where this
 * release may write it. Indexes, tallies, conditions and keys of another release are made anew, and are no reason.
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

/** What a store answers where a later release has written it. */
export const newerLine = (collection: string, fields: readonly string[]): string =>
  `a newer release has written this store (${collection}: ${fields.join(', ')}): start that one`

/** What a question, an index row or a tally row may name. */
interface Naming {
  readonly where?: Where
  readonly when?: string | undefined
  readonly sort?: string | { readonly by: string } | undefined
  readonly eq?: string | undefined
  readonly search?: string | undefined
  readonly carries?: readonly string[] | undefined
  readonly by?: readonly string[] | { readonly id: unknown } | { readonly key: string }
  readonly sum?: readonly string[]
}

/** The fields of records that it names, also through its condition. A record that is asked for by id or key is in hand. */
export const fieldsNamed = (
  { conditions = {} }: Pick<AnyCollection, 'conditions'>,
  naming: Naming,
): readonly string[] => {
  const { where, when, sort, eq, search, carries = [], by, sum = [] } = naming
  const condition = when === undefined ? undefined : conditions[when]
  return [
    ...[where, condition].flatMap((one) => (one ? fieldsOf(one) : [])),
    ...[typeof sort === 'object' ? sort.by : sort, eq, search].filter((field) => field !== undefined),
    ...carries,
    ...(by && areNames(by) ? by : []),
    ...sum,
  ]
}

const areNames = (by: NonNullable<Naming['by']>): by is readonly string[] => Array.isArray(by)
