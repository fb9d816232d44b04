import { listOf, type Store } from '../../ports/store.ts'
import { type Change, patch } from '../records/change.ts'
import { at, type Collection, type Field, type Id, type Rec } from '../records/collection.ts'
import { all, eq, isIn, lte, not, type Where } from '../records/where.ts'
import { plusSeconds } from '../values/day.ts'

/** A record with something to be done: when (null for nothing any more), and how often it was begun. */
export type Due = Rec & { readonly dueAt: string | null; readonly attempts: number }

/** The condition that a queue's collection names, with an index row `{ sort: 'dueAt', when: 'waiting', across: true }`. */
export const WAITING = 'waiting'

/** Told of every error of the work itself, with the record it befell (`payments.mails/7f…`) or the queue. */
export type Report = (error: unknown, at: string) => void

/** One kind of work: the records of a collection that are due, whoever owns them. */
export interface QueueRow<R extends Due> {
  readonly collection: Collection<R>
  /** What it is called where a collection has several; the collection's name without it. */
  readonly name?: string
  /** Longer than the longest call that `handle` makes: a record whose lease ran out is done again. */
  readonly leaseSeconds: number
  /** The field that names the outside machine that is called, or whose it is: at most `MAX_PER_HOST` at once. */
  readonly host?: Field<R>
  /** Which records this process has a handler for; all of them without it. */
  readonly only?: Where<Field<R>>
  /** Records in hand at once, in this process. */
  readonly atOnce: number
  /**
   * Does what is due and commits the outcome, `dueAt` included, while the lease is its own (`applyOutcome`). Where it rejects without
   * an outcome, the record is done again when its lease has run out. What fails of a part of it alone is reported.
   */
  handle(record: R, report: Report): Promise<void>
}

/** A queue as the worker sees it, whatever its records are. */
export interface Queue {
  readonly name: string
  /** The name of the collection that its records are of. */
  readonly collection: string
  readonly atOnce: number
  readonly leaseSeconds: number
  /** What is due now, longest due first, but for the hosts that are busy and the records that were put aside. */
  due(store: Store, now: string, busy: readonly Id[], limit: number, aside?: readonly Id[]): Promise<readonly Waiting[]>
  /** How much is due and nobody's yet. */
  backlog(store: Store, now: string): Promise<Backlog>
}

/** What waits in a queue: records that are due, and since when the first of them is. */
export interface Backlog {
  readonly due: number
  readonly oldestDueAt: string | null
}

/** A record that is due and nobody's yet. */
export interface Waiting {
  readonly id: Id
  readonly host: Id | null
  /** Makes it ours for the length of a lease; null where somebody else was first. What it gives does the work. */
  claim(store: Store, now: string): Promise<((report: Report) => Promise<void>) | null>
  /** Makes it nobody's again, as if it had not been begun, unless its outcome is there: what was claimed at `now`. */
  unclaim(store: Store, now: string): Promise<void>
}

export const queueOf = <R extends Due>(row: QueueRow<R>): Queue => ({
  name: row.name ?? row.collection.name,
  collection: row.collection.name,
  atOnce: row.atOnce,
  leaseSeconds: row.leaseSeconds,
  async due(store, now, busy, limit, aside = []) {
    const { records } = await store.list(
      listOf(row.collection, {
        where: dueBy(row, now, busy, aside),
        when: WAITING,
        sort: { by: 'dueAt', dir: 'asc' },
        limit,
      }),
    )
    return records.map((record) => waiting(row, record))
  },
  async backlog(store, now) {
    const { records, total } = await store.list(
      listOf(row.collection, {
        where: dueBy(row, now, [], []),
        when: WAITING,
        sort: { by: 'dueAt', dir: 'asc' },
        limit: 1,
        total: true,
      }),
    )
    return { due: total ?? 0, oldestDueAt: records[0]?.dueAt ?? null }
  },
})

const dueBy = <R extends Due>(
  { host, only }: QueueRow<R>,
  now: string,
  busy: readonly Id[],
  aside: readonly Id[],
): Where<Field<R>> =>
  all(
    lte<Field<R>>('dueAt', now),
    ...(only ? [only] : []),
    ...(aside.length === 0 ? [] : [not(isIn<Field<R>>('id', aside))]),
    ...(host === undefined || busy.length === 0 ? [] : [not(isIn(host, busy))]),
  )

const waiting = <R extends Due>(row: QueueRow<R>, record: R): Waiting => ({
  id: record.id,
  host: row.host === undefined ? null : (record[row.host] as Id | null),
  async claim(store, now) {
    const dueAt = plusSeconds(now, row.leaseSeconds)
    const lease: Change = {
      kind: 'patch',
      at: at(row.collection, record.id),
      set: { dueAt },
      add: { attempts: 1 },
      when: heldBy(record),
    }
    const outcome = await store.commit([lease])
    const claimed = { ...record, dueAt, attempts: record.attempts + 1 }
    return outcome.ok ? (report) => row.handle(claimed, report) : null
  },
  async unclaim(store, now) {
    const dueAt = plusSeconds(now, row.leaseSeconds)
    const release: Change = {
      kind: 'patch',
      at: at(row.collection, record.id),
      set: { dueAt: record.dueAt },
      add: { attempts: -1 },
      when: heldBy({ dueAt }),
    }
    await store.commit([release])
  },
})

/**
 * Commits the outcome of what was claimed, `dueAt` included. False where the lease had run out and somebody else has
 * claimed it since: then theirs counts. A lease names itself by its end, which no later one shares.
 */
export const applyOutcome = async <R extends Due>(
  store: Store,
  of: Collection<R>,
  claimed: R,
  set: Partial<R> & Pick<R, 'dueAt'>,
): Promise<boolean> => (await store.commit([patch(of, claimed.id, { set, when: heldBy(claimed) })])).ok

/** The guard of an outcome: nobody else has claimed the record since. */
export const heldBy = ({ dueAt }: Pick<Due, 'dueAt'>): Where<'dueAt'> => eq('dueAt', dueAt)
