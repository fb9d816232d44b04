import { type AnyCollection, fieldCodecs, type IndexRow, type Json, type TallyRow, type Where } from './record.ts'

/**
 * The definition for which the records of a collection are stored, as JSON. It is independent of the physical layout, so
 * every store records the same.
 */
export interface StoredShape {
  readonly ids: 'integer' | 'text'
  /** The fields of the records, or null if the codec does not list them. */
  readonly fields: readonly string[] | null
  readonly retired: readonly string[]
  /** The upgraded fields that every stored record now has. */
  readonly upgrades: readonly string[]
  readonly conditions: Readonly<Record<string, string>>
  /** The names of the unique keys. A key whose function changes needs a new name. */
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  readonly tallies: readonly StoredTally[]
}

/** A tally. Its number identifies its buckets. */
export interface StoredTally {
  readonly number: number
  readonly definition: string
}

/** The work that turns a stored shape into that of a collection. A changed index or tally counts as dropped and new. */
export interface ShapeChange {
  /**
   * `none`; `additive`: only nullable fields and indexes are new, so that processes of the former release can serve beside this
   * one; `breaking`: any other.
   */
  readonly kind: 'none' | 'additive' | 'breaking'
  /** Upgraded fields that stored records may lack. */
  readonly fieldsToFill: readonly string[]
  readonly newKeys: readonly string[]
  /** The positions of the new tallies. */
  readonly newTallies: ReadonlySet<number>
  /** The number of each tally of the collection, in order. An unchanged one keeps its number, a new one gets an unused. */
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

const firstShapes = new WeakMap<AnyCollection, StoredShape>()

/** Returns the shape of a collection, as a store has it that is built for it. */
export const storedShape = (collection: AnyCollection, numbers?: readonly number[]): StoredShape => {
  if (numbers) return makeShape(collection, numbers)
  const shape = firstShapes.get(collection) ?? makeShape(collection)
  firstShapes.set(collection, shape)
  return shape
}

const makeShape = (collection: AnyCollection, numbers?: readonly number[]): StoredShape => {
  const { ids, codec, conditions = {}, keys = {}, indexes = [], tallies = [] } = collection
  const { retired = [], upgrades = {}, oldest } = collection
  const known = fieldCodecs(codec)
  return {
    ids,
    fields: known && Object.keys(known),
    retired,
    upgrades: [...(oldest?.upgrades ?? []), ...Object.keys(upgrades)],
    conditions: Object.fromEntries(Object.entries(conditions).map(([name, where]) => [name, conditionText(where)])),
    keys: Object.keys(keys),
    indexes: indexes.map((row) => indexText(collection, row)),
    tallies: tallies.map((row, at) => ({ number: numbers?.[at] ?? at, definition: tallyText(collection, row) })),
  }
}

/** Returns the work that a store of this shape needs for a collection. */
export const shapeChange = (stored: StoredShape, collection: AnyCollection): ShapeChange => {
  const own = storedShape(collection)
  const { numbers, kept } = numbered(stored.tallies, own.tallies)
  const newTallies = new Set(numbers.flatMap((number, at) => (kept.has(number) ? [] : [at])))
  const [fieldsToFill, newKeys] = [without(own.upgrades, stored.upgrades), without(own.keys, stored.keys)]
  const breaking = [
    fieldsToFill,
    newKeys,
    [...newTallies],
    stored.tallies.filter(({ number }) => !kept.has(number)),
    without(stored.keys, own.keys),
    without(stored.indexes, own.indexes),
    without(own.retired, stored.retired),
    without(conditionTexts(own), conditionTexts(stored)),
    without(conditionTexts(stored), conditionTexts(own)),
  ]
  const added = [without(own.indexes, stored.indexes), without(own.fields ?? [], stored.fields ?? [])]
  const isSome = (lists: readonly (readonly unknown[])[]) => lists.some((list) => list.length > 0)
  const kind = isSome(breaking) ? 'breaking' : isSome(added) ? 'additive' : 'none'
  return { kind, fieldsToFill, newKeys, newTallies, tallyNumbers: numbers }
}

const without = <T>(list: readonly T[], others: readonly T[]): readonly T[] =>
  list.filter((each) => !others.includes(each))

const conditionTexts = ({ conditions }: StoredShape): readonly string[] =>
  Object.entries(conditions).map(([name, text]) => `${name} ${text}`)

const numbered = (stored: readonly StoredTally[], own: readonly StoredTally[]) => {
  const kept = new Set<number>()
  let next = Math.max(-1, ...stored.map(({ number }) => number)) + 1
  const numbers = own.map(({ definition }) => {
    const same = stored.find((one) => one.definition === definition && !kept.has(one.number))
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

/**
 * Returns the work that a store needs for a collection, whose records are stored for `stands`. Throws if a later release has
 * written it, if its ids are of another kind, or if it was not completed by the oldest release whose stores open; null is the
 * unreadable shape of an older one.
 */
export const checkedChange = (
  shape: StoredShape | null,
  collection: AnyCollection,
  stands: StoredShape | null = shape,
): ShapeChange => {
  const { name, ids } = collection
  if (!shape || !stands || isTooOld(stands, collection)) throw new Error(tooOldMessage(name))
  if (shape.ids !== ids) throw new Error(`${name} has ${shape.ids} ids in the store`)
  const newer = newerFields(shape, collection)
  if (newer.length > 0) throw new Error(newerReleaseMessage(name, newer))
  return shapeChange(shape, collection)
}

/** Reports whether the store was not completed by the oldest release whose stores open. */
export const isTooOld = (stored: StoredShape, collection: AnyCollection): boolean => {
  const { upgrades = [], indexes = [] } = collection.oldest ?? {}
  const texts = indexes.map((row) => indexText(collection, row))
  return without(upgrades, stored.upgrades).length + without(texts, stored.indexes).length > 0
}

export const tooOldMessage = (collection: string): string =>
  `a release before 0.10.0 has written this store (${collection}): open it with release 0.10.0 until its background work is done`
