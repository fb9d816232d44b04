import { type List, listOf, type Store } from '../../ports/store.ts'
import type { TraceContext } from '../../ports/tracer.ts'
import {
  all,
  at,
  type Change,
  type Collection,
  eq,
  type Field,
  gt,
  type Id,
  isIn,
  lte,
  not,
  patch,
  type Rec,
  type Where,
} from '../records/record.ts'
import { addSeconds } from '../values/day.ts'
import type { HostOfOwner } from './concurrency.ts'
import { type LeaseMark, processOf } from './use-case.ts'

/**
 * A record with pending work: the due time (null when done) and the number of attempts. The work continues the span
 * `trace` of the request that caused it; without one it begins a trace of its own.
 */
export type Due = Rec & {
  readonly dueAt: string | null
  readonly attempts: number
  readonly trace?: TraceContext | null
}

/** The name of the condition that a record is due, now or later. */
export const WAITING = 'waiting'

/** The condition that a queue's collection must declare. */
export const queueConditions = { [WAITING]: not(eq('dueAt', null)) } as const

/**
 * Returns the index that a queue's collection must declare. It carries the queue's host and owner fields, so that
 * records of busy hosts and owners are skipped in the index.
 */
export const queueIndex = <F extends string = never>(...include: readonly F[]) =>
  ({ sort: 'dueAt', when: WAITING, acrossOwners: true, ...(include.length > 0 && { include }) }) as const

/** Returns the condition and the index of a collection that has no others. */
export const queueParts = <F extends string = never>(...include: readonly F[]) => ({
  conditions: queueConditions,
  indexes: [queueIndex(...include)],
})

/** Receives every error of background work, with its record (`payments.mails/7f…`) or queue. */
export type Report = (error: unknown, at: string) => void

/** A queue as a table row: the due records of a collection, across all owners. */
export interface QueueRow<R extends Due> {
  readonly collection: Collection<R>
  /** The name of the queue, if its collection has several; by default the collection's name. */
  readonly name?: string
  /** Must exceed the longest call of `handle`: a record whose lease has expired is processed again. */
  readonly leaseSeconds: number
  /** The field with the called host: at most `MAX_PER_HOST` calls at once for each owner. */
  readonly host?: Field<R>
  /**
   * The field with the owner, for fair shares: an eighth of the places each, and up to half of them while no record of
   * another owner waits.
   */
  readonly owner?: Field<R>
  /** The records that this process can handle; by default all. */
  readonly only?: Where<Field<R>>
  /** The name of the span in which a record is handled; by default the queue's name. */
  readonly span?: (record: R) => string
  /** The limit of records processed at once in this process. */
  readonly atOnce: number
  /** Returns the final patch of a record that needs no work, which is then not claimed; null if it must be handled. */
  withoutWork?(store: Store, record: R): Promise<(Partial<R> & Pick<R, 'dueAt'>) | null>
  /**
   * Does the work and commits the outcome, `dueAt` included, guarded by the lease (`applyOutcome`). If it rejects
   * without an outcome, the record is processed again after its lease. A failure of one part goes to `report`. Work
   * that takes longer than the lease renews it.
   */
  handle(record: R, report: Report, lease: Lease<R>): Promise<void>
}

/** The lease of a claimed record. */
export interface Lease<R extends Due> {
  /**
   * Renews the lease from `now` (`Clock.now`), stores further fields and returns the record. Returns null if the lease
   * is lost: it expired and another process claimed the record, or it was released.
   */
  renew(now: string, set?: Partial<Omit<R, keyof Due>>): Promise<R | null>
}

/** A queue without its record type, for the worker. */
export interface Queue {
  readonly name: string
  /** The name of its collection. */
  readonly collection: string
  readonly atOnce: number
  readonly leaseSeconds: number
  /** Returns due records, longest due first, without the skipped ones. */
  due(store: Store, steady: string, limit: number, skipped?: Skipped): Promise<readonly QueuedRecord[]>
  /** Counts due records that no process has claimed. */
  backlog(store: Store, steady: string): Promise<Backlog>
  /** Ends the leases of these processes and returns the number of records, which are due at once. */
  endLeases(store: Store, steady: string, processes: readonly string[]): Promise<number>
}

/** Records to skip: those of busy hosts and owners, and those that were postponed. */
export interface Skipped {
  readonly hosts: readonly HostOfOwner[]
  readonly owners: readonly Id[]
  readonly postponed: readonly Id[]
}

const NOTHING_SKIPPED: Skipped = { hosts: [], owners: [], postponed: [] }

/** The due records of a queue: their number, and the earliest due time. */
export interface Backlog {
  readonly due: number
  readonly oldestDueAt: string | null
}

/** A due record that is not claimed yet. */
export interface QueuedRecord {
  readonly id: Id
  readonly host: Id | null
  readonly owner: Id | null
  /** The name of its span, and the span that it continues. */
  readonly span: string
  readonly trace: TraceContext | null
  /**
   * Claims the record for one lease, marked with this process, and returns the work; null if another claim was first.
   */
  claim(store: Store, now: string, mark?: LeaseMark['mark']): Promise<((report: Report) => Promise<void>) | null>
  /** Releases the claim, as if the record had not been claimed, unless its outcome is stored. */
  release(store: Store): Promise<void>
  /** Moves the end of the lease forward to `dueAt`, after work that failed. */
  shortenLease(store: Store, dueAt: string): Promise<void>
}

export const queueOf = <R extends Due>(row: QueueRow<R>): Queue => ({
  name: row.name ?? row.collection.name,
  collection: row.collection.name,
  atOnce: row.atOnce,
  leaseSeconds: row.leaseSeconds,
  async due(store, steady, limit, skipped = NOTHING_SKIPPED) {
    const { records } = await store.list(earliest(row, dueBy(row, steady, skipped), limit))
    return records.map((record) => queuedRecord(row, record))
  },
  async backlog(store, steady) {
    const { records, total } = await store.list({
      ...earliest(row, dueBy(row, steady, NOTHING_SKIPPED), 1),
      total: true,
    })
    return { due: total ?? 0, oldestDueAt: records[0]?.dueAt ?? null }
  },
  endLeases: (store, steady, processes) => endLeases(row, store, steady, processes),
})

const earliest = <R extends Due>({ collection }: QueueRow<R>, where: Where<Field<R>>, limit: number): List<R> =>
  listOf(collection, { where, when: WAITING, sort: { by: 'dueAt', dir: 'asc' }, limit })

/** The largest expected difference between clocks of processes on one store. */
const MAX_CLOCK_SKEW_SECONDS = 60
const LEASES_PER_SLICE = 100

const endLeases = async <R extends Due>(
  row: QueueRow<R>,
  store: Store,
  steady: string,
  processes: readonly string[],
): Promise<number> => {
  const { collection, only, leaseSeconds } = row
  const until = addSeconds(steady, leaseSeconds + MAX_CLOCK_SKEW_SECONDS)
  const where = all(gt('dueAt', steady), lte('dueAt', until), ...(only ? [only] : []))
  let ended = 0
  let isMore = true
  // Ended leases leave the range, so the offset counts only the leases of other processes.
  for (let offset = 0; isMore; ) {
    const { records } = await store.list({ ...earliest(row, where, LEASES_PER_SLICE), offset })
    for (const record of records) {
      const isDead = processes.includes(processOf(record.dueAt ?? '') ?? '')
      if (isDead && (await commitUnder(store, collection, record, { set: { dueAt: steady } }))) ended += 1
      else offset += 1
    }
    isMore = records.length === LEASES_PER_SLICE
  }
  return ended
}

/** Commits a change of a record. Returns false if its lease was lost. */
const commitUnder = async <R extends Due>(
  store: Store,
  collection: Collection<R>,
  leased: Pick<Due, 'id' | 'dueAt'>,
  change: Pick<Extract<Change, { kind: 'patch' }>, 'set' | 'add'>,
): Promise<boolean> => {
  const patched: Change = { kind: 'patch', at: at(collection, leased.id), ...change, when: leaseGuard(leased) }
  return (await store.commit([patched])).ok
}

const dueBy = <R extends Due>(
  { host, owner, only }: QueueRow<R>,
  steady: string,
  { hosts, owners, postponed }: Skipped,
): Where<Field<R>> =>
  all(
    lte('dueAt', steady),
    ...(only ? [only] : []),
    ...notIn<Field<R>>('id', postponed),
    ...(host === undefined ? [] : hosts.map((each) => not(isForHost(host, owner, each)))),
    ...notIn(owner, owners),
  )

/** Matches the records of a host and, if given, of an owner. */
const isForHost = <F extends string>(host: F, owner: F | undefined, [hostId, ownerId]: HostOfOwner): Where<F> =>
  owner === undefined || ownerId === null ? eq(host, hostId) : all(eq(host, hostId), eq(owner, ownerId))

const notIn = <F extends string>(field: F | undefined, values: readonly Id[]): readonly Where<F>[] =>
  field === undefined || values.length === 0 ? [] : [not(isIn(field, values))]

const queuedRecord = <R extends Due>(row: QueueRow<R>, record: R): QueuedRecord => {
  const { collection } = row
  /** The record with its current lease; null before the claim and after its release. */
  let leased: R | null = null

  const leaseEnd = (now: string, mark: LeaseMark['mark']): string => mark(addSeconds(now, row.leaseSeconds))
  const lease = (store: Store, mark: LeaseMark['mark']): Lease<R> => ({
    async renew(now, set) {
      if (!leased) return null
      const renewed: R = { ...leased, ...set, dueAt: leaseEnd(now, mark) }
      if (!(await commitUnder(store, collection, leased, { set: { ...set, dueAt: renewed.dueAt } }))) return null
      if (leased) leased = renewed
      return leased
    },
  })
  return {
    id: record.id,
    host: idIn(record, row.host),
    owner: idIn(record, row.owner),
    span: row.span?.(record) ?? row.name ?? collection.name,
    trace: record.trace ?? null,
    async claim(store, now, mark = unmarked) {
      const end = await row.withoutWork?.(store, record)
      if (end) return (await applyOutcome(store, collection, record, end)) ? NO_WORK : null
      const dueAt = leaseEnd(now, mark)
      if (!(await commitUnder(store, collection, record, { set: { dueAt }, add: { attempts: 1 } }))) return null
      const claimed = { ...record, dueAt, attempts: record.attempts + 1 }
      leased = claimed
      return (report) => row.handle(claimed, report, lease(store, mark))
    },
    async release(store) {
      // Only once: a second release would subtract an attempt that was not counted.
      if (!leased) return
      const released = leased
      leased = null
      await commitUnder(store, collection, released, { set: { dueAt: record.dueAt }, add: { attempts: -1 } })
    },
    async shortenLease(store, dueAt) {
      if (leased?.dueAt && leased.dueAt > dueAt) await commitUnder(store, collection, leased, { set: { dueAt } })
    },
  }
}

const unmarked = (end: string): string => end

const NO_WORK = async (): Promise<void> => {}

const idIn = <R extends Due>(record: R, field: Field<R> | undefined): Id | null =>
  field === undefined ? null : (record[field] as Id | null)

/**
 * Commits the outcome of a claimed record, `dueAt` included. Returns false if the lease was lost to another process,
 * whose outcome counts. A lease is identified by its end, which is unique.
 */
export const applyOutcome = async <R extends Due>(
  store: Store,
  of: Collection<R>,
  claimed: R,
  set: Partial<R> & Pick<R, 'dueAt'>,
): Promise<boolean> => (await store.commit([patch(of, claimed.id, { set, when: leaseGuard(claimed) })])).ok

/** Guards a change by the lease: it fails if another process has claimed the record since. */
export const leaseGuard = ({ dueAt }: Pick<Due, 'dueAt'>): Where<'dueAt'> => eq('dueAt', dueAt)
