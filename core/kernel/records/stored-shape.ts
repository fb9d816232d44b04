import { type AnyCollection, fieldCodecs, type IndexRow, type Json, type TallyRow, type Where } from './record.ts'

/**
 * The definition for which the records of a collection are stored, as JSON. It is independent of the physical layout,
 * so every store records the same.
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
   * `none`; `additive`: only nullable fields and indexes are new, so that processes of the former release can serve
   * beside this one; `breaking`: any other.
   */
  readonly kind: 'none' | 'additive' | 'breaking'
  /** Upgraded fields that stored records may lack. */
  readonly fieldsToFill: readonly string[]
  readonly newKeys: readonly string[]
  /** The number of each tally of the collection, in order: of an unchanged one as stored, of a new one unused. */
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

/** Returns the work that a store of this shape needs for a collection, without the checks of `checkedChange`. */
export const shapeChange = (stored: StoredShape, collection: AnyCollection): ShapeChange => {
  const own = storedShape(collection)
  const [fieldsToFill, newKeys] = [without(own.upgrades, stored.upgrades), without(own.keys, stored.keys)]
  const breaking = [
    fieldsToFill,
    newKeys,
    without(stored.keys, own.keys),
    without(stored.indexes, own.indexes),
    without(own.retired, stored.retired),
    ...[tallyTexts, conditionTexts].flatMap((texts) => [
      without(texts(own), texts(stored)),
      without(texts(stored), texts(own)),
    ]),
  ]
  const added = [without(own.indexes, stored.indexes), without(own.fields ?? [], stored.fields ?? [])]
  const isSome = (lists: readonly (readonly string[])[]) => lists.some((list) => list.length > 0)
  const kind = isSome(breaking) ? 'breaking' : isSome(added) ? 'additive' : 'none'
  return { kind, fieldsToFill, newKeys, tallyNumbers: tallyNumbers(stored, own) }
}

const without = (list: readonly string[], others: readonly string[]): readonly string[] =>
  list.filter((each) => !others.includes(each))

const tallyTexts = ({ tallies }: StoredShape): readonly string[] => tallies.map(({ definition }) => definition)

const conditionTexts = ({ conditions }: StoredShape): readonly string[] =>
  Object.entries(conditions).map(([name, text]) => `${name} ${text}`)

const tallyNumbers = (stored: StoredShape, own: StoredShape): readonly number[] => {
  let unused = Math.max(-1, ...stored.tallies.map(({ number }) => number)) + 1
  return tallyTexts(own).map((text) => stored.tallies.find(({ definition }) => definition === text)?.number ?? unused++)
}

/**
 * Returns the work that a store needs for a collection, whose records are stored for `stands`. Throws if a later
 * release has written it, if its ids are of another kind, or if the oldest release whose stores open did not complete
 * it; null is the unreadable shape of an older one.
 */
export const checkedChange = (
  shape: StoredShape | null,
  collection: AnyCollection,
  stands: StoredShape | null = shape,
): ShapeChange => {
  const { name, ids, oldest = {} } = collection
  const marks = (oldest.indexes ?? []).map((row) => indexText(collection, row))
  const isComplete = ({ upgrades, indexes }: StoredShape) =>
    without(oldest.upgrades ?? [], upgrades).length + without(marks, indexes).length === 0
  if (!shape || !stands || !isComplete(stands)) throw new Error(tooOldMessage(name))
  if (shape.ids !== ids) throw new Error(`${name} has ${shape.ids} ids in the store`)
  const newer = newerFields(shape, storedShape(collection))
  if (newer.length > 0)
    throw new Error(`a newer release has written this store (${name}: ${newer.join(', ')}): start that one`)
  return shapeChange(shape, collection)
}

/** Returns the fields of a later release that this one would lose or misread. All else is rebuilt. */
const newerFields = (stored: StoredShape, { fields, retired }: StoredShape): readonly string[] => {
  if (fields === null) return []
  const added = without(stored.fields ?? [], [...fields, ...retired])
  return [...added, ...stored.retired.filter((field) => fields.includes(field))]
}

export const tooOldMessage = (collection: string): string =>
  `a release before 0.10.0 has written this store (${collection}): open it with release 0.10.0 until its background work is done`
