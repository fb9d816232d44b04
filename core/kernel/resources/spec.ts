import type { Decoded, Fields } from '../input/table.ts'
import type { AnyCollection, Id, IndexRow, TallyRow } from '../records/collection.ts'
import type { Scalar, Where } from '../records/where.ts'

type Ids = AnyCollection['ids']

/** What an id is. */
export type IdOf<D extends Ids> = D extends 'integer' ? number : string

/** What the resources of a business have in common. */
export interface Business<T extends string, D extends Ids = Ids, C extends boolean = boolean> {
  /** `payments`: begins the names of collections. */
  readonly name: string
  /** The field that says whose a record is: `accountId`. */
  readonly tenant: T
  /** Of its records and of its tenants. */
  readonly ids: D
  /** Whether each record has a random code, which nobody can guess. */
  readonly coded: C
}

type Flat<A> = { [K in keyof A]: A[K] }

/** What every record has, whatever it is of. */
export interface Common<I extends Id> {
  readonly id: I
  readonly createdAt: string
  readonly updatedAt: string
  readonly removedAt: string | null
}

/** A record of a resource. */
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
  /** Random, with a letter in it, so that it is never taken for an id. */
  readonly code: string
}

export interface Searched {
  /** The folded texts that a search looks through, one a line. */
  readonly search: string
}

/** Where a field points: a record of the same tenant that is not removed. */
export interface Reference {
  readonly to: AnyCollection
  /** What such a record has to be besides: `{ role: 'Owner' }`. */
  readonly is?: Readonly<Record<string, Scalar>>
  /** The counter there of how many point at it, which keeps it from being removed. */
  readonly counts?: string
}

/**
 * What a list may be narrowed by: `walk` looks at each record, `index` is cheap at any size, and so is `own`, whose field says
 * whose a record is: to who may see only their own, the others are none. Of `few` there are so few values that records are
 * counted by them: its total is cheap, a page of a rare one walks. Ranges of days are asked of a field of `days` or `instants`:
 * they walk, but for `createdAt`, whose index a list has anyway.
 */
export type FilterKind = 'walk' | 'index' | 'own' | 'few' | RangeKind
type RangeKind = 'days' | 'instants'

type Searchable<N extends string> = N | `${N}.${string}`

/**
 * A plain resource: its fields, and what is asked of them. No hooks and no callbacks: what needs one is a use case over the
 * resource's parts.
 */
export interface ResourceSpec<
  One extends string,
  F extends Fields,
  K extends Fields,
  U extends keyof F & string,
  B extends keyof K & string,
> {
  /** `client`: begins its codes, `client.unknown`. */
  readonly one: One
  /** `clients`: ends the name of its collection. */
  readonly many: string
  /** What a caller may send. */
  readonly given: F
  /** What is kept beside it; each begins with what it is when nothing is sent. */
  readonly kept: K
  /** What a removed record says of itself. */
  readonly removed?: Partial<Decoded<K>>
  /** Texts that no two records of a tenant share, removed ones apart. */
  readonly unique?: readonly U[]
  /** What records are found by whoever's they are, removed ones too. */
  readonly across?: readonly (keyof F & string)[]
  /** What a search looks through: texts, the texts of what is made of them, or one of these: `address.street`. */
  readonly search?: readonly Searchable<keyof (F & K) & string>[]
  readonly filters?: { readonly [field in keyof (F & K) & string]?: FilterKind } & {
    readonly [field in 'createdAt' | 'updatedAt']?: 'instants'
  }
  readonly references?: { readonly [field in keyof F & string]?: readonly Reference[] }
  /** Counters of what hangs on a record: while one is not 0 it is not removed. */
  readonly blockedBy?: readonly B[]
  /** What its store keeps beside what follows from its filters: for lists and sums that only use cases ask for. */
  readonly besides?: Besides<keyof (F & K) & string>
}

interface Besides<N extends string> {
  readonly conditions?: { readonly [condition in string]: Where<N | keyof Common<Id>> }
  readonly indexes?: readonly IndexRow<N | keyof Common<Id>>[]
  readonly tallies?: readonly (Omit<TallyRow<N>, 'by'> & { readonly by: readonly string[] })[]
  readonly days?: { readonly [field in N]?: N | keyof Common<Id> }
}
