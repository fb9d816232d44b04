import type { Failure } from '../../failure.ts'
import type { Either } from '../../fp.ts'
import type { Store } from '../../ports/store.ts'
import type { allOptional, Input } from '../input/input.ts'
import type { Decoded, Fields, Given, IssuesOf } from '../input/table.ts'
import type { Change } from '../records/change.ts'
import type { Collection, Id, Rec } from '../records/collection.ts'
import type { Fresh } from '../running/fresh.ts'
import type { Facts } from './facts.ts'
import type { Business, ResourceSpec } from './spec.ts'

/** What a decision makes of a record, beside whatever else rides in the same commit. */
export interface Made<R> {
  readonly record: R
  readonly changes: readonly Change[]
}

/** Its fields as they may all be left out: a PUT that merges. */
type Changed<F extends Fields> = ReturnType<typeof allOptional<F>>

/** What a resource is of, for types: the names and tables of its spec, its ids, and the record that they make. */
export interface Kind {
  readonly tenant: string
  readonly id: Id
  readonly one: string
  readonly given: Fields
  readonly kept: Fields
  readonly unique: string
  readonly blockedBy: string
  readonly record: Rec
}

/** A plain resource, as parts that use cases compose. */
export interface Resource<S extends Kind> {
  readonly business: Business<S['tenant']>
  readonly collection: Collection<S['record']>
  readonly spec: ResourceSpec<
    S['one'],
    S['given'],
    S['kept'],
    S['unique'] & keyof S['given'],
    S['blockedBy'] & keyof S['kept']
  >
  /** What makes one, and what a PUT that replaces says. */
  readonly created: Input<Decoded<S['given']>, Given<S['given']>, IssuesOf<S['given']> | 'object'>
  /** What changes one: what is left out stays. */
  readonly changed: Input<
    Decoded<Changed<S['given']>>,
    Given<Changed<S['given']>>,
    IssuesOf<Changed<S['given']>> | 'object'
  >
  /** The tenant's record of this id; null for another's, and for a removed one. */
  find(store: Store, tenant: S['id'], id: S['id']): Promise<S['record'] | null>
  /** What the decisions look at: the record, who has what is unique, and what the fields point at. */
  read(
    store: Store,
    tenant: S['id'],
    id: S['id'] | null,
    given: Partial<Decoded<S['given']>>,
  ): Promise<Facts<S['record']>>
  /** A new one, for who has seen that nothing is in its way. */
  make(tenant: S['id'], given: Decoded<S['given']>, fresh: Fresh, kept?: Partial<Decoded<S['kept']>>): Made<S['record']>
  /** Fails: `fields` (`unknown` for what points at nothing), `<one>.<field>.taken`. */
  create(
    facts: Facts<S['record']>,
    tenant: S['id'],
    given: Decoded<S['given']>,
    fresh: Fresh,
    kept?: Partial<Decoded<S['kept']>>,
  ): Either<Refused<S['one'], S['unique']>, Made<S['record']>>
  /** Changes what is given and leaves the rest. Fails: `<one>.unknown`, and as `create` does. */
  update(
    facts: Facts<S['record']>,
    given: Partial<Decoded<S['given']>>,
    fresh: Fresh,
    kept?: Partial<Decoded<S['kept']>>,
  ): Either<Missing<S['one']> | Refused<S['one'], S['unique']>, Made<S['record']>>
  /** Removes it: it is in no list, and what was unique in it is free. Fails: `<one>.unknown`, `<one>.in-use`. */
  remove(
    facts: Facts<S['record']>,
    fresh: Fresh,
  ): Either<Failure<Unremovable<S['one'], S['blockedBy']>, never>, Made<S['record']>>
}

export type Missing<One extends string> = Failure<`${One}.unknown`, never>
/** Only what counters can block fails so. */
export type Unremovable<One extends string, B extends string> =
  | `${One}.unknown`
  | ([B] extends [never] ? never : `${One}.in-use`)
export type Taken<One extends string, U extends string> = `${One}.${U}.taken`
export type Refused<One extends string, U extends string> = Failure<'fields' | Taken<One, U>, 'unknown' | Taken<One, U>>
