import type { Either, Failure } from '../../failure.ts'
import type { Store } from '../../ports/store.ts'
import type { Field } from '../input/field.ts'
import type { allOptional, Decoded, FieldCodes, Fields, FieldsInput, Input } from '../input/input.ts'
import type { AnyView } from '../input/view.ts'
import type {
  AnyCollection,
  Change,
  Collection,
  Id,
  IndexRow,
  OldestShape,
  Rec,
  Scalar,
  TallyRow,
  Where,
} from '../records/record.ts'
import type { Fresh } from '../running/use-case.ts'

type Ids = AnyCollection['ids']

export type IdOf<D extends Ids> = D extends 'integer' ? number : string

/** The properties that all resources of a business share. */
export interface Business<T extends string, D extends Ids = Ids, C extends boolean = boolean> {
  /** `payments`: begins the names of collections. */
  readonly name: string
  /** The tenant field of every record: `accountId`. */
  readonly tenant: T
  /** The type of the ids of records and tenants. */
  readonly ids: D
  /** True if each record has a random code that cannot be guessed. */
  readonly coded: C
  /** The fields of every record in replies. */
  readonly shown: {
    readonly id: Field<IdOf<D>>
    readonly createdAt: Field<string>
    readonly updatedAt: Field<string>
  }
}

type Flat<A> = { [K in keyof A]: A[K] }

/** The fields of every record of a resource. */
export interface Common<I extends Id> {
  readonly id: I
  readonly createdAt: string
  readonly updatedAt: string
  readonly removedAt: string | null
}

export type ResourceRecord<
  T extends string,
  I extends Id,
  C extends boolean,
  F extends Fields,
  K extends Fields,
> = Flat<
  Common<I> & { readonly [tenant in T]: I } & (C extends true ? Coded : unknown) & Decoded<F> & Decoded<K> & Searched
>

export interface Coded {
  /** Random, with at least one letter, so that it is never taken for an id. */
  readonly code: string
}

export interface Searched {
  /** The folded texts of the searched fields, one a line. */
  readonly search: string
}

/** A reference to a record of the same tenant that is not removed. */
export interface Reference {
  readonly to: AnyCollection
  /** The field values that the referenced record must have: `{ role: 'Owner' }`. */
  readonly is?: Readonly<Record<string, Scalar>>
  /**
   * The field of the referenced record that counts its references. `blockedBy` prevents its removal while it is not 0.
   */
  readonly counts?: string
}

/**
 * The way a list is filtered by a field.
 * - `scan`: tests each record.
 * - `index`: has its own index and is cheap at any size.
 * - `own`: like `index`; the field names the owner within the tenant, and an actor limited to their own sees no other
 *   records.
 * - `tally`: has few values, by which records are counted. Totals are cheap; a page of a rare value scans.
 * - `days`, `instants`: a range of days over a field of days or of instants. It scans, except for `createdAt`, which
 *   every list has an index on.
 */
export type FilterKind = 'scan' | 'index' | 'own' | 'tally' | RangeKind
type RangeKind = 'days' | 'instants'

type Searchable<N extends string> = N | `${N}.${string}`

/**
 * The definition of a plain resource. It has no hooks: behaviour beyond it is a use case built on the parts of the
 * resource.
 */
export interface ResourceSpec<
  One extends string,
  F extends Fields,
  K extends Fields,
  U extends keyof F & string,
  B extends keyof K & string,
> {
  /** `client`: begins its failure codes, `client.unknown`. */
  readonly one: One
  /** `clients`: ends the name of its collection. */
  readonly many: string
  /** The fields that a caller sets. */
  readonly input: F
  /** The fields that only use cases set. Each must decode to its initial value when absent. */
  readonly internal: K
  /** The values that these fields take when the record is removed. */
  readonly removed?: Partial<Decoded<K>>
  /** Text fields whose values are unique among the tenant's records that are not removed. */
  readonly unique?: readonly U[]
  /** Fields with an index across all tenants that includes removed records. */
  readonly acrossTenants?: readonly (keyof F & string)[]
  /**
   * The searched fields: a text, an object with all of its texts, or one of them by its path, such as `address.street`.
   */
  readonly search?: readonly Searchable<keyof (F & K) & string>[]
  readonly filters?: { readonly [field in keyof (F & K) & string]?: FilterKind } & {
    readonly [field in 'createdAt' | 'updatedAt']?: 'instants'
  }
  /** Fields that reference records, with the collections that the id may belong to. */
  readonly references?: { readonly [field in keyof F & string]?: readonly Reference[] }
  /** Counters of references to the record. It cannot be removed while one of them is not 0. */
  readonly blockedBy?: readonly B[]
  /** Conditions, indexes, tallies and day fields beyond those that follow from the filters. */
  readonly extra?: Besides<keyof (F & K) & string>
}

interface Besides<N extends string> {
  readonly conditions?: { readonly [condition in string]: Where<N | keyof Common<Id>> }
  readonly indexes?: readonly IndexRow<N | keyof Common<Id>>[]
  readonly tallies?: readonly (Omit<TallyRow<N>, 'by'> & { readonly by: readonly string[] })[]
  readonly days?: { readonly [field in N]?: N | keyof Common<Id> }
  readonly oldest?: OldestShape<N | keyof Common<Id>>
}

/** The type parameters of a resource: the names and tables of its spec, its ids and its record. */
export interface ResourceTypes {
  readonly tenant: string
  readonly id: Id
  readonly one: string
  readonly input: Fields
  readonly internal: Fields
  readonly unique: string
  readonly blockedBy: string
  readonly record: Rec
}

/** A reference with the result of its lookup. */
export interface ResolvedReference {
  readonly field: string
  /** Null clears the reference. */
  readonly id: Id | null
  /** Null if the tenant has no such record. */
  readonly target: Pick<Reference, 'to' | 'is' | 'counts'> | null
}

/** The facts that the decisions of a resource read. */
export interface Facts<R> {
  /** The record to change or remove. Null if the tenant has none, or if one is created. */
  readonly record: R | null
  /** The current holder of each unique text in the input. */
  readonly keyHolders: { readonly [field: string]: R | null | undefined }
  /** The references in the input. */
  readonly references: readonly ResolvedReference[]
  /** The stored references of the record that are counted. */
  readonly storedReferences: readonly ResolvedReference[]
}

/** The result of a decision: the record afterwards, and the changes to commit. */
export interface RecordDecision<R> {
  readonly record: R
  readonly changes: readonly Change[]
}

type Changed<F extends Fields> = ReturnType<typeof allOptional<F>>

/** A plain resource, as parts that use cases compose. */
export interface Resource<S extends ResourceTypes> {
  readonly business: Business<S['tenant']>
  readonly collection: Collection<S['record']>
  readonly spec: ResourceSpec<
    S['one'],
    S['input'],
    S['internal'],
    S['unique'] & keyof S['input'],
    S['blockedBy'] & keyof S['internal']
  >
  /** The input that creates a record, or replaces one. */
  readonly createInput: Input<Decoded<S['input']>, FieldsInput<S['input']>, FieldCodes<S['input']> | 'object'>
  /** The input that updates a record: absent fields keep their values. */
  readonly updateInput: Input<
    Decoded<Changed<S['input']>>,
    FieldsInput<Changed<S['input']>>,
    FieldCodes<Changed<S['input']>> | 'object'
  >
  /** A record as an API shows it: its id, the fields that a caller sets, and when it was created and updated. */
  readonly view: AnyView<S['record']>
  /** Returns a record of the tenant by id, or null if it belongs to another tenant or is removed. */
  find(store: Store, tenant: S['id'], id: S['id']): Promise<S['record'] | null>
  /** Reads the facts of a decision: the record, the holders of unique texts, and the references. */
  readFacts(
    store: Store,
    tenant: S['id'],
    id: S['id'] | null,
    input: Partial<Decoded<S['input']>>,
  ): Promise<Facts<S['record']>>
  /**
   * Builds and inserts a record without checks: unique texts and references must have been checked, and are not
   * counted.
   */
  build(
    tenant: S['id'],
    input: Decoded<S['input']>,
    fresh: Fresh,
    internal?: Partial<Decoded<S['internal']>>,
  ): RecordDecision<S['record']>
  /** Creates a record. Fails: `fields` (`unknown` for a reference to no record), `<one>.<field>.taken`. */
  create(
    facts: Facts<S['record']>,
    tenant: S['id'],
    input: Decoded<S['input']>,
    fresh: Fresh,
    internal?: Partial<Decoded<S['internal']>>,
  ): Either<WriteFailure<S['one'], S['unique']>, RecordDecision<S['record']>>
  /** Updates the fields in the input. Fails: `<one>.unknown`, and as `create` does. */
  update(
    facts: Facts<S['record']>,
    input: Partial<Decoded<S['input']>>,
    fresh: Fresh,
    internal?: Partial<Decoded<S['internal']>>,
  ): Either<NotFound<S['one']> | WriteFailure<S['one'], S['unique']>, RecordDecision<S['record']>>
  /** Removes the record from lists and frees its unique texts. Fails: `<one>.unknown`, `<one>.in-use`. */
  remove(
    facts: Facts<S['record']>,
    fresh: Fresh,
  ): Either<Failure<RemoveCode<S['one'], S['blockedBy']>, never>, RecordDecision<S['record']>>
}

export type NotFound<One extends string> = Failure<`${One}.unknown`, never>
/** `in-use` exists only for resources with `blockedBy`. */
export type RemoveCode<One extends string, B extends string> =
  | `${One}.unknown`
  | ([B] extends [never] ? never : `${One}.in-use`)
export type TakenCode<One extends string, U extends string> = `${One}.${U}.taken`
export type WriteFailure<One extends string, U extends string> = Failure<
  'fields' | TakenCode<One, U>,
  'unknown' | TakenCode<One, U>
>

/** The record of a resource: `type Client = RecordOf<typeof client>`. */
export type RecordOf<R extends { readonly find: (...by: never) => Promise<unknown> }> = NonNullable<
  Awaited<ReturnType<R['find']>>
>
