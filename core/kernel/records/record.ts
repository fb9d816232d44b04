import type { Either } from '../../failure.ts'
import { MAX_INDEXES } from '../../limits.ts'
import { compareCodePoints } from '../values/text.ts'
import { fieldCodecs } from './codec.ts'

export { fieldCodecs, orNull, record, t, word } from './codec.ts'

export type Id = string | number

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A stored record: a JSON object with an id. Every field is present; an absent value is null. */
export type Rec = { readonly id: Id; readonly [field: string]: Json }

/** The fields of a record that a query, an index or a change can name. */
export type Field<R> = keyof R & string

/** The value of a field that conditions can compare. Lists and objects are not scalars. */
export type Scalar = string | number | boolean | null

/** The address of a record: its collection and its id. */
export type At = readonly [collection: string, id: Id]

export const at = (collection: { readonly name: string }, id: Id): At => [collection.name, id]

/** Returns the scalar in a field, null if the field is absent, or undefined if it holds a list or an object. */
export const scalarOf = (record: Rec, field: string): Scalar | undefined => {
  const value = record[field]
  return typeof value === 'object' && value !== null ? undefined : (value ?? null)
}

/** Compares numbers by value and texts by code point. Returns null if the two have no order. */
export const compareBounds = (value: unknown, bound: string | number): number | null => {
  if (typeof value === 'number' && typeof bound === 'number') return value - bound
  if (typeof value === 'string' && typeof bound === 'string') return compareCodePoints(value, bound)
  return null
}

/** Booleans, numbers, texts. One field holds only one of these types; null sorts before all of them. */
const rank = (value: unknown): number => ['boolean', 'number', 'string'].indexOf(typeof value)

/** Compares two values of a field: nulls first, numbers by value, texts by code point. */
export const compareValues = (a: unknown, b: unknown): number => {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return rank(a) - rank(b) || (rank(a) < 0 ? 0 : Number(a) - Number(b))
}

export const compareIds = (a: Id, b: Id): number => compareValues(a, b)

/**
 * Returns the comparator of a page: by the sort field, ties by id in the same direction. Without a sort, by id
 * ascending.
 */
export const recordOrder = (sort?: {
  readonly by: string
  readonly dir: 'asc' | 'desc'
}): ((a: Rec, b: Rec) => number) => {
  if (!sort) return (a, b) => compareIds(a.id, b.id)
  const sign = sort.dir === 'asc' ? 1 : -1
  return (a, b) => sign * (compareValues(a[sort.by], b[sort.by]) || compareIds(a.id, b.id))
}

type Bound = string | number

/**
 * A condition on the top-level fields of a record, as data. `matches` defines its meaning; each store has one
 * translation. For a null field, `lt lte gt gte has contains` are false and `eq null` is true. `not` is the exact
 * complement. Texts compare by code point.
 */
export type Where<F extends string = string> =
  | { readonly all: readonly Where<F>[] }
  | { readonly any: readonly Where<F>[] }
  | { readonly not: Where<F> }
  | { readonly eq: readonly [F, Scalar] }
  | { readonly in: readonly [F, readonly Scalar[]] }
  | { readonly has: readonly [F, Bound] }
  | { readonly lt: readonly [F, Bound] }
  | { readonly lte: readonly [F, Bound] }
  | { readonly gt: readonly [F, Bound] }
  | { readonly gte: readonly [F, Bound] }
  | { readonly contains: readonly [F, string] }

export const all = <F extends string>(...parts: readonly Where<F>[]): Where<F> => ({ all: parts })
export const any = <F extends string>(...parts: readonly Where<F>[]): Where<F> => ({ any: parts })
export const not = <F extends string>(part: Where<F>): Where<F> => ({ not: part })
export const eq = <F extends string>(field: F, value: Scalar): Where<F> => ({ eq: [field, value] })
export const isIn = <F extends string>(field: F, values: readonly Scalar[]): Where<F> => ({ in: [field, values] })
/** The field is a list that contains the value. */
export const has = <F extends string>(field: F, value: Bound): Where<F> => ({ has: [field, value] })
export const lt = <F extends string>(field: F, value: Bound): Where<F> => ({ lt: [field, value] })
export const lte = <F extends string>(field: F, value: Bound): Where<F> => ({ lte: [field, value] })
export const gt = <F extends string>(field: F, value: Bound): Where<F> => ({ gt: [field, value] })
export const gte = <F extends string>(field: F, value: Bound): Where<F> => ({ gte: [field, value] })
/** The field contains the text literally. For a search, field and text must both be folded. */
export const contains = <F extends string>(field: F, text: string): Where<F> => ({ contains: [field, text] })
/** Matches every record: the explicit form of no condition. */
export const always: Where<never> = { all: [] }

/** Returns the fields that a condition names. */
export const fieldsOf = (where: Where): string[] => {
  if ('all' in where) return where.all.flatMap(fieldsOf)
  if ('any' in where) return where.any.flatMap(fieldsOf)
  if ('not' in where) return fieldsOf(where.not)
  return Object.values(where).map(([field]) => String(field))
}

export type RecordTest = (record: Rec) => boolean
type Leaf = Exclude<Where, { all: unknown } | { any: unknown } | { not: unknown }>

/** Reports whether a record meets a condition. The queries of every store must return the same result. */
export const matches = (where: Where, record: Rec): boolean => compile(where)(record)

/** Compiles a condition to a test, for use on many records. */
export const compile = (where: Where): RecordTest => {
  if ('all' in where) {
    const parts = where.all.map(compile)
    return (record) => parts.every((part) => part(record))
  }
  if ('any' in where) {
    const parts = where.any.map(compile)
    return (record) => parts.some((part) => part(record))
  }
  if ('not' in where) {
    const part = compile(where.not)
    return (record) => !part(record)
  }
  return leaf(where)
}

const leaf = (where: Leaf): RecordTest => {
  if ('eq' in where) {
    const [field, value] = where.eq
    return (record) => scalarOf(record, field) === value
  }
  if ('in' in where) {
    const [field, values] = where.in
    return (record) => values.some((value) => scalarOf(record, field) === value)
  }
  if ('has' in where) {
    const [field, value] = where.has
    return (record) => listContains(record[field], value)
  }
  if ('contains' in where) {
    const [field, text] = where.contains
    return (record) => textContains(record[field], text)
  }
  if ('lt' in where) return ordered(where.lt, (order) => order < 0)
  if ('lte' in where) return ordered(where.lte, (order) => order <= 0)
  if ('gt' in where) return ordered(where.gt, (order) => order > 0)
  return ordered(where.gte, (order) => order >= 0)
}

const listContains = (list: unknown, value: Bound): boolean => Array.isArray(list) && list.includes(value)

const textContains = (whole: unknown, part: string): boolean => typeof whole === 'string' && whole.includes(part)

const ordered =
  ([field, bound]: readonly [string, Bound], fits: (order: number) => boolean): RecordTest =>
  (record) => {
    const order = compareBounds(record[field], bound)
    return order !== null && fits(order)
  }

/**
 * An index: owner, at most one equality field, one sort field, `id`. With `when`, it is partial by that named
 * condition. `search` includes that folded field, so that `contains` scans the index instead of the records.
 */
export interface IndexRow<F extends string = string> {
  readonly eq?: F
  readonly sort: F
  readonly when?: string
  readonly search?: F
  /** Further fields in the index: a query that filters or sorts by them scans the index instead of the records. */
  readonly include?: readonly F[]
  /** The index does not begin with the owner: it serves queries across tenants, such as those of the worker. */
  readonly acrossOwners?: true
}

/**
 * A count and sums that every commit keeps exact: one bucket per combination of the `by` fields, which hold scalars.
 */
export interface TallyRow<F extends string = string> {
  readonly by: readonly F[]
  readonly sum: readonly F[]
  readonly when?: string
}

/** The definition of a collection: everything that a store needs to know of its records. */
export interface Collection<R extends Rec> {
  /** `payments.clients`: begins with the business; lower-case letters, digits, dots and hyphens. */
  readonly name: string
  readonly ids: 'integer' | 'text'
  /** Validates a record when it is written, and drops unknown fields. Records that are read are trusted. */
  readonly codec: { decode(record: unknown): Either<unknown, R> }
  /** The tenant field, with which every index begins, or null if records have no tenant. */
  readonly owner: Field<R> | null
  /** Named conditions (`live`, `listed`, `waiting`), by which indexes and tallies can be partial. */
  readonly conditions?: Readonly<Record<string, Where<Field<R>>>>
  /** Unique keys: each returns a text that no other record of the collection may have, or null for none. */
  readonly keys?: Readonly<Record<string, (record: R) => string | null>>
  readonly indexes?: readonly IndexRow<Field<R>>[]
  readonly tallies?: readonly TallyRow<Field<R>>[]
  /**
   * Day fields and the instant fields that they derive from: `createdDay` of `createdAt`. An index on either serves
   * both.
   */
  readonly days?: { readonly [F in Field<R>]?: Field<R> }
  /**
   * Compute a field for records that were stored without it, from the fields that they have. They are pure, and stay
   * until `oldest` names the field. A missing field without an upgrade is null, so its codec must accept null.
   */
  readonly upgrades?: { readonly [F in Field<R>]?: (record: R) => R[F] }
  /** Fields of earlier releases that this one dropped: upgrades can read them; the next write removes them. */
  readonly retired?: readonly string[]
  /** Marks of the oldest release whose stores open: a store without them is refused. */
  readonly oldest?: OldestShape<Field<R>>
}

/** Upgrades that the oldest release finished, and indexes that it had. Their functions and uses may be gone. */
export interface OldestShape<F extends string = string> {
  readonly upgrades?: readonly F[]
  readonly indexes?: readonly IndexRow<F>[]
}

/** A collection of any record type, as stores use it. */
export interface AnyCollection {
  readonly name: string
  readonly ids: 'integer' | 'text'
  readonly codec: { decode(record: unknown): Either<unknown, Rec> }
  readonly owner: string | null
  readonly conditions?: Readonly<Record<string, Where>>
  readonly keys?: Readonly<Record<string, KeyFunction['text']>>
  readonly indexes?: readonly IndexRow[]
  readonly tallies?: readonly TallyRow[]
  readonly days?: Readonly<Record<string, string | undefined>>
  readonly upgrades?: Readonly<Record<string, UpgradeFunction['value'] | undefined>>
  readonly retired?: readonly string[]
  readonly oldest?: OldestShape
}

// Methods are bivariant in their parameters, which makes a Collection<Charge> assignable to AnyCollection.
interface KeyFunction {
  text(record: Rec): string | null
}

interface UpgradeFunction {
  value(record: Rec): Json
}

const conditionTests = new WeakMap<AnyCollection, Map<string, RecordTest>>()

/** Returns the compiled test of a named condition of a collection. */
export const conditionTest = (collection: AnyCollection, name: string): RecordTest => {
  const tests = conditionTests.get(collection) ?? new Map<string, RecordTest>()
  conditionTests.set(collection, tests)
  const known = tests.get(name)
  if (known) return known
  const where = collection.conditions?.[name]
  if (!where) throw new Error(`${collection.name} has no condition ${name}`)
  const test = compile(where)
  tests.set(name, test)
  return test
}

const NAME = /^[a-z][a-z0-9.-]*$/

/**
 * Indexes the collections of a store by name. A collection that several businesses share may be listed by each of them.
 * Throws an error that lists every invalid definition.
 */
export const tableOf = (collections: readonly AnyCollection[]): ReadonlyMap<string, AnyCollection> => {
  const table = new Map<string, AnyCollection>()
  const faults: string[] = []
  for (const collection of new Set(collections)) {
    if (table.has(collection.name)) faults.push(`${collection.name}: two collections of that name`)
    table.set(collection.name, collection)
    faults.push(...faultsOf(collection).map((fault) => `${collection.name}: ${fault}`))
  }
  if (faults.length > 0) throw new Error(`invalid collections: ${faults.join('; ')}`)
  return table
}

const knownFaults = new WeakMap<AnyCollection, readonly string[]>()

const faultsOf = (collection: AnyCollection): readonly string[] => {
  const faults = knownFaults.get(collection) ?? findFaults(collection)
  knownFaults.set(collection, faults)
  return faults
}

const findFaults = (collection: AnyCollection): readonly string[] => {
  const { name, owner, conditions = {}, indexes = [], tallies = [], days = {} } = collection
  const { upgrades = {}, retired = [] } = collection
  const known = fieldCodecs(collection.codec)
  const named = [
    ...(owner === null ? [] : [owner]),
    ...Object.values(conditions).flatMap(fieldsOf),
    ...indexes
      .flatMap((row) => [row.eq, row.sort, row.search, ...(row.include ?? [])])
      .filter((field) => field !== undefined),
    ...Object.entries(days).flatMap(([day, moment = day]) => [day, moment]),
    ...tallies.flatMap(({ by, sum }) => [...by, ...sum]),
    ...Object.keys(upgrades),
  ]
  const whens = [...indexes, ...tallies].map(({ when }) => when).filter((when) => when !== undefined)
  // The partial index of a queue contains only waiting records and costs little.
  const counted = indexes.filter(({ acrossOwners, when }) => !acrossOwners || when === undefined)
  return [
    ...(NAME.test(name) ? [] : ['a name has lower-case letters, digits, dots and hyphens']),
    ...(counted.length > MAX_INDEXES ? [`${counted.length} indexes: at most ${MAX_INDEXES}`] : []),
    ...whens.filter((when) => !Object.hasOwn(conditions, when)).map((when) => `no condition ${when}`),
    ...(known ? named.filter((field) => !Object.hasOwn(known, field)).map((field) => `no field ${field}`) : []),
    ...Object.keys(upgrades)
      .filter((field) => field === 'id' || field === owner)
      .map((field) => `no upgrade can set ${field}`),
    ...(known || Object.keys(upgrades).length === 0 ? [] : ['upgrades need a codec that lists its fields']),
    ...(known
      ? retired.filter((field) => Object.hasOwn(known, field)).map((field) => `${field} is both retired and a field`)
      : []),
  ]
}

/** Copies a field of a record that an earlier change of the same commit patched or inserted. */
export type Take<F extends string = string> = { readonly [field in F]?: readonly [from: At, field: string] }

/**
 * A change, as data. The changes of a commit apply in order, all or none, each on the result of the earlier ones.
 * - `insert` fails with a conflict if the id exists or another record has the text of a unique key.
 * - `ensure` inserts the record unless the id exists, and then leaves the stored one unchanged.
 * - `patch`, `check` and `remove` fail as stale if the record does not exist or does not meet `when`.
 *
 * `set`, `add`, `max`, `take` and `when` name top-level fields. `add` to a null field starts from 0; `max` of a null
 * field sets the value. `max` compares numbers by value and texts by code point.
 */
export type Change =
  | { readonly kind: 'insert'; readonly at: At; readonly record: Rec; readonly take?: Take }
  | { readonly kind: 'ensure'; readonly at: At; readonly record: Rec }
  | {
      readonly kind: 'patch'
      readonly at: At
      readonly set?: { readonly [field: string]: Rec[string] }
      readonly add?: { readonly [field: string]: number }
      readonly max?: { readonly [field: string]: string | number }
      readonly when: Where
    }
  | { readonly kind: 'check'; readonly at: At; readonly when: Where }
  | { readonly kind: 'remove'; readonly at: At; readonly when: Where }

/** Returns the value that a field took in the commit: `taken(['payments.entries', 7], 'balanceCents')`. */
export type Taken = (at: At, field: string) => Scalar

/** Returns further changes for the same commit, from the values that its own changes took. */
export type CommitHook = (taken: Taken) => readonly Change[]

export type Outcome =
  | { readonly ok: true; readonly taken: Taken }
  | { readonly ok: false; readonly stale: At }
  | { readonly ok: false; readonly conflict: { readonly collection: string; readonly key: string } }

interface Named<R extends Rec> {
  readonly name: string
  readonly codec: { decode(record: unknown): unknown }
  readonly owner: Field<R> | null
}

type Numeric<R> = { [F in Field<R>]: R[F] extends number | null ? F : never }[Field<R>]

/** Inserts a record. The fields in `take` are overwritten when the commit is applied. */
export const insert = <R extends Rec>(into: Named<R>, record: R, take?: Take<Field<R>>): Change => {
  const change = { kind: 'insert', at: [into.name, record.id], record } as const
  return take ? { ...change, take: take as Take } : change
}

/** Inserts a record unless its id exists. Creates a counter on first use. */
export const ensure = <R extends Rec>(into: Named<R>, record: R): Change => ({
  kind: 'ensure',
  at: [into.name, record.id],
  record,
})

/** Patches fields. `when` is the weakest guard that the rule needs, or `always` for none. */
export const patch = <R extends Rec>(
  of: Named<R>,
  id: Id,
  fields: {
    readonly set?: Partial<R>
    readonly add?: Partial<Record<Numeric<R>, number>>
    readonly max?: Partial<Record<Field<R>, string | number>>
    readonly when: Where<Field<R>>
  },
): Change => ({
  ...(fields as Omit<Extract<Change, { kind: 'patch' }>, 'kind' | 'at'>),
  kind: 'patch',
  at: [of.name, id],
})

/**
 * Guards a record that is read but not written. On MongoDB it costs a write, so use it for money and invariants only.
 */
export const check = <R extends Rec>(of: Named<R>, id: Id, when: Where<Field<R>>): Change => ({
  kind: 'check',
  at: [of.name, id],
  when,
})

export const remove = <R extends Rec>(from: Named<R>, id: Id, when: Where<Field<R>>): Change => ({
  kind: 'remove',
  at: [from.name, id],
  when,
})

/** A state machine, defined by the transitions of each state. */
export interface StateMachine<S extends string> {
  readonly states: readonly S[]
  readonly can: (from: S, to: S) => boolean
  readonly next: (from: S) => readonly S[]
  readonly isFinal: (state: S) => boolean
}

/** Makes a state machine of a table with a row for every state; the row of a final state is empty. */
export const stateMachine = <S extends string>(table: Readonly<Record<S, readonly NoInfer<S>[]>>): StateMachine<S> => ({
  states: Object.keys(table) as S[],
  can: (from, to) => table[from].includes(to),
  next: (from) => table[from],
  isFinal: (state) => table[state].length === 0,
})
