import type { Change, CommitHook, Outcome } from '../kernel/records/change.ts'
import type { Collection, Field, Id, Rec } from '../kernel/records/collection.ts'
import type { GroupRow } from '../kernel/records/tally.ts'
import type { Where } from '../kernel/records/where.ts'

/** One record, by its id or by a unique key of its collection. */
export interface Find<R extends Rec> {
  readonly ask: 'find'
  readonly from: Collection<R>
  readonly by: { readonly id: Id } | { readonly key: string; readonly is: string }
}

/**
 * A page of records. Without `sort`, by id ascending. Ties of a sort are ordered by id, in the same direction.
 * Nulls are the smallest. `when` names a condition of the collection and brings its partial indexes and tallies in.
 */
export interface List<R extends Rec> {
  readonly ask: 'list'
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
  readonly sort?: { readonly by: Field<R>; readonly dir: 'asc' | 'desc' }
  readonly limit: number
  readonly offset?: number
  /** Asks for the count of all that match, from a tally where one covers it. */
  readonly total?: boolean
}

/** Counts and sums per combination of `by` (none: one row for all, also over nothing). */
export interface Group<R extends Rec, B extends Field<R> = Field<R>, S extends Field<R> = Field<R>> {
  readonly ask: 'group'
  readonly from: Collection<R>
  readonly where: Where<Field<R>>
  readonly when?: string
  readonly by: readonly B[]
  readonly sum: readonly S[]
}

export interface Listed<R> {
  readonly records: readonly R[]
  /** Null unless asked for. */
  readonly total: number | null
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where asks of every record type stand side by side
export type Ask = Find<any> | List<any> | Group<any>
export type Answer<A> =
  A extends Find<infer R>
    ? R | null
    : A extends List<infer R>
      ? Listed<R>
      : A extends Group<infer _R>
        ? readonly GroupRow[]
        : never

/**
 * The one store of every collection. Rejects with `StoreUnavailable` when it cannot be reached or has too much
 * waiting: nothing was acknowledged then, and the commit may or may not have happened.
 */
export interface Store {
  /** The names of those that it was opened with, for whoever needs one to say so at once; a store may leave it out. */
  readonly collections?: readonly string[]
  /** The name of the database system in traces: `sqlite`; a store may leave it out. */
  readonly system?: string
  find<R extends Rec>(ask: Find<R>): Promise<R | null>
  list<R extends Rec>(ask: List<R>): Promise<Listed<R>>
  group<R extends Rec>(ask: Group<R>): Promise<readonly GroupRow[]>
  /** Several asks at one instant. */
  read<A extends Readonly<Record<string, Ask>>>(asks: A): Promise<{ readonly [K in keyof A]: Answer<A[K]> }>
  /** Every matching record by id, without holding a transaction open: one that is there throughout comes exactly once. */
  scan<R extends Rec>(from: Collection<R>, where: Where<Field<R>>): AsyncIterable<R>
  /** All of the changes or none, durable when it resolves. */
  commit(changes: readonly Change[], hook?: CommitHook): Promise<Outcome>
  /** The first of `count` integer ids of this collection that nobody else gets, ever. The first of all is 1. */
  reserve(collection: string, count: number): Promise<number>
  /**
   * Gives ids back that were reserved and not used, from `next` to `end`, so that a clean stop leaves no gap:
   * a wish, honoured where nobody reserved after.
   */
  returnIds(collection: string, next: number, end: number): Promise<void>
  /**
   * Resolves once all that its collections say is made of the records that were there, which they serve meanwhile; a store
   * that makes nothing beside what it serves may leave it out.
   */
  settled?(): Promise<void>
  close(): Promise<void>
}

/** The store cannot be reached, or has too much waiting. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/**
 * Told once, in one line, that a newer release has taken over a store that is open here: it takes no commits any more, and
 * whoever opened it should end.
 */
export type Superseded = (line: string) => void

/** The store takes no commits: its disk is full, fails, or may only be read. What it holds can mostly still be read. */
export class StoreUnwritable extends StoreUnavailable {
  override readonly name = 'StoreUnwritable'
}

export const byId = <R extends Rec>(from: Collection<R>, id: Id): Find<R> => ({ ask: 'find', from, by: { id } })

export const byKey = <R extends Rec>(from: Collection<R>, key: string, is: string): Find<R> => ({
  ask: 'find',
  from,
  by: { key, is },
})

export const listOf = <R extends Rec>(from: Collection<R>, query: Omit<List<R>, 'ask' | 'from'>): List<R> => ({
  ask: 'list',
  from,
  ...query,
})

/** All that a list finds, a page of so many after the other: for what is few, and may be more than a page. */
export const everyOf = async <R extends Rec>(store: Pick<Store, 'list'>, list: List<R>): Promise<readonly R[]> => {
  const found: R[] = []
  for (;;) {
    const { records } = await store.list({ ...list, offset: found.length })
    found.push(...records)
    if (records.length < list.limit) return found
  }
}

export const groupOf = <R extends Rec>(from: Collection<R>, query: Omit<Group<R>, 'ask' | 'from'>): Group<R> => ({
  ask: 'group',
  from,
  ...query,
})
