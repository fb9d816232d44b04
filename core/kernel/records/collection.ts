import type { Either } from '../../fp.ts'
import type { Scalar, Where } from './where.ts'

export type Id = string | number

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** What a store holds: a flat-ish object with an id. Every field is present; absent is null. */
export type Rec = { readonly id: Id; readonly [field: string]: Json }

/** The fields of a record that a query, an index or a change may name. */
export type Field<R> = keyof R & string

/**
 * A cheap page: `owner`, at most one equality field, one sort, `id`, under the condition it serves.
 * `search` makes the row carry that folded field, so that `contains` walks the index and not the records.
 */
export interface IndexRow<F extends string = string> {
  readonly eq?: F
  readonly sort: F
  readonly when?: string
  readonly search?: F
  /** Fields that the row holds besides: what asks for them, or sorts by them, walks the index and not the records. */
  readonly carries?: readonly F[]
  /** Begins with no owner: what the worker looks for crosses tenants. */
  readonly across?: true
}

/** A count and sums kept exact by every commit, one bucket per combination of the `by` fields (scalars). */
export interface TallyRow<F extends string = string> {
  readonly by: readonly F[]
  readonly sum: readonly F[]
  readonly when?: string
}

/** One row of the table of collections: all that a store knows of a kind of record. */
export interface Collection<R extends Rec> {
  /** `payments.clients`: named by business, lower-case letters, dots and hyphens. */
  readonly name: string
  readonly ids: 'integer' | 'text'
  /** Checks a record when it is written; what is read is trusted. Keeps only the fields it knows. */
  readonly codec: { decode(record: unknown): Either<unknown, R> }
  /** The tenant field that begins every index row, or null where records have no tenant. */
  readonly owner: Field<R> | null
  /** Named conditions (`live`, `listed`, `waiting`) that indexes and tallies are partial by. */
  readonly conditions?: Readonly<Record<string, Where<Field<R>>>>
  /** Unique keys: a text that no other record of the collection may have, or null for none. */
  readonly keys?: Readonly<Record<string, (record: R) => string | null>>
  readonly indexes?: readonly IndexRow<Field<R>>[]
  readonly tallies?: readonly TallyRow<Field<R>>[]
  /** Fields that hold the day of a moment in another field: `createdDay` of `createdAt`. An index by the one serves both. */
  readonly days?: { readonly [F in Field<R>]?: Field<R> }
  /**
   * What a field is in a record that lacks it, from the fields that it has: pure, and never given up again. Without it a
   * lacking field is null, which its codec then has to let it be.
   */
  readonly upgrades?: { readonly [F in Field<R>]?: (record: R) => R[F] }
  /** Fields that records of earlier releases hold and those of this one do not: a step reads them, a write lets them go. */
  readonly retired?: readonly string[]
}

/** A collection as a store sees it: rows of every record type side by side. */
export interface AnyCollection {
  readonly name: string
  readonly ids: 'integer' | 'text'
  readonly codec: { decode(record: unknown): Either<unknown, Rec> }
  readonly owner: string | null
  readonly conditions?: Readonly<Record<string, Where>>
  readonly keys?: Readonly<Record<string, KeyOf['text']>>
  readonly indexes?: readonly IndexRow[]
  readonly tallies?: readonly TallyRow[]
  readonly days?: Readonly<Record<string, string | undefined>>
  readonly upgrades?: Readonly<Record<string, Filling['value'] | undefined>>
  readonly retired?: readonly string[]
}

// A method, because methods take a narrower parameter: a Collection<Charge> is an AnyCollection.
interface KeyOf {
  text(record: Rec): string | null
}

interface Filling {
  value(record: Rec): Json
}

/** Names a record: collection and id. */
export type At = readonly [collection: string, id: Id]

export const at = (collection: { readonly name: string }, id: Id): At => [collection.name, id]

/** The fields of a record as scalars, for comparison: lists and objects are compared by `has` or not at all. */
export const scalarOf = (record: Rec, field: string): Scalar | undefined => {
  const value = record[field]
  return typeof value === 'object' && value !== null ? undefined : (value ?? null)
}
