import type { Either } from '../../fp.ts'
import { MAX_INDEXES } from '../../limits.ts'
import { type Field, fieldCodecs, type Json, type Rec } from './record.ts'
import { compile, fieldsOf, type RecordTest, type Where } from './where.ts'

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

const faultsOf = (collection: AnyCollection): string[] => {
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
