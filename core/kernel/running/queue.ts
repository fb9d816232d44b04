import { listOf, type Store } from '../../ports/store.ts'
import type { TraceContext } from '../../ports/tracer.ts'
import type { OwnHost } from '../fair-places.ts'
import { type Change, patch } from '../records/change.ts'
import { at, type Collection, type Field, type Id, type Rec } from '../records/collection.ts'
import { all, eq, gt, isIn, lte, not, type Where } from '../records/where.ts'
import { plusSeconds } from '../values/day.ts'
import { type LeaseMark, processOf } from './fresh/fresh.ts'

/**
 * A record with something to be done: when (null for nothing any more), and how often it was begun. `trace` is the span of
 * the request that caused it, which the work continues; work without one begins a trace of its own.
 */
export type Due = Rec & {
  readonly dueAt: string | null
  readonly attempts: number
  readonly trace?: TraceContext | null
}

/**
 * The condition that a queue's collection names, with an index row `{ sort: 'dueAt', when: 'waiting', across: true }`, which
 * carries the host and owner of its queue: those who are busy are passed over in the index.
 */
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
  /** The field that names the outside machine that is called: at most `MAX_PER_HOST` at once, for each owner. */
  readonly host?: Field<R>
  /**
   * The field that says whose it is, where one owner's records are not to hold up another's: an eighth of the places each, and
   * more of one half of them where nobody else waits.
   */
  readonly owner?: Field<R>
  /** Which records this process has a handler for; all of them without it. */
  readonly only?: Where<Field<R>>
  /** The name of the span in which a record is handled; the queue's name without it. */
  readonly span?: (record: R) => string
  /** Records in hand at once, in this process. */
  readonly atOnce: number
  /**
   * What ends a record at once, where there is nothing to do for it: it is not claimed then. Null for one that is to be
   * handled.
   */
  endsAtOnce?(store: Store, record: R): Promise<(Partial<R> & Pick<R, 'dueAt'>) | null>
  /**
   * Does what is due and commits the outcome, `dueAt` included, while the lease is its own (`applyOutcome`). Where it rejects without
   * an outcome, the record is done again when its lease has run out. What fails of a part of it alone is reported; what takes
   * longer than a lease renews it on its way.
   */
  handle(record: R, report: Report, lease: Lease<R>): Promise<void>
}

/** A record in hand, for as long as nobody else has it. */
export interface Lease<R extends Due> {
  /**
   * Begins the lease anew at `now`, as the clock shows it, and sets what else is known by then; the record as it then is.
   * Null where the lease had run out and somebody else has claimed it, or where it was given back: then theirs counts.
   */
  renew(now: string, set?: Partial<Omit<R, keyof Due>>): Promise<R | null>
}

/** A queue as the worker sees it, whatever its records are. */
export interface Queue {
  readonly name: string
  /** The name of the collection that its records are of. */
  readonly collection: string
  readonly atOnce: number
  readonly leaseSeconds: number
  /** What is due, longest due first, but for what is passed over. */
  due(store: Store, steady: string, limit: number, passed?: Passed): Promise<readonly Waiting[]>
  /** How much is due and in no process's hands. */
  backlog(store: Store, steady: string): Promise<Backlog>
  /** Makes due what the leases of these processes hold; the number of records. */
  endLeases(store: Store, steady: string, processes: readonly string[]): Promise<number>
}

/** What is not looked for: the records of hosts and owners that are busy, and those that were put aside. */
export interface Passed {
  readonly hosts: readonly OwnHost[]
  readonly owners: readonly Id[]
  readonly aside: readonly Id[]
}

const NOBODY: Passed = { hosts: [], owners: [], aside: [] }

/** What waits in a queue: records that are due, and since when the first of them is. */
export interface Backlog {
  readonly due: number
  readonly oldestDueAt: string | null
}

/** A record that is due and nobody's yet. */
export interface Waiting {
  readonly id: Id
  readonly host: Id | null
  readonly owner: Id | null
  /** The name of its span, and the span that it continues. */
  readonly span: string
  readonly trace: TraceContext | null
  /** Claims it for the length of a lease, marked with this process; null if another claim was first. The result does the work. */
  claim(store: Store, now: string, mark?: LeaseMark['mark']): Promise<((report: Report) => Promise<void>) | null>
  /** Makes it nobody's again, as if it had not been begun, unless its outcome is there. */
  unclaim(store: Store): Promise<void>
  /** Of work that failed: the lease ends then, where it would end later. */
  endLeaseBy(store: Store, dueAt: string): Promise<void>
}

export const queueOf = <R extends Due>(row: QueueRow<R>): Queue => ({
  name: row.name ?? row.collection.name,
  collection: row.collection.name,
  atOnce: row.atOnce,
  leaseSeconds: row.leaseSeconds,
  async due(store, steady, limit, passed = NOBODY) {
    const { records } = await store.list(
      listOf(row.collection, {
        where: dueBy(row, steady, passed),
        when: WAITING,
        sort: { by: 'dueAt', dir: 'asc' },
        limit,
      }),
    )
    return records.map((record) => waiting(row, record))
  },
  async backlog(store, steady) {
    const { records, total } = await store.list(
      listOf(row.collection, {
        where: dueBy(row, steady, NOBODY),
        when: WAITING,
        sort: { by: 'dueAt', dir: 'asc' },
        limit: 1,
        total: true,
      }),
    )
    return { due: total ?? 0, oldestDueAt: records[0]?.dueAt ?? null }
  },
  endLeases: (store, steady, processes) => endLeases(row, store, steady, processes),
})

/** The clocks of machines that share a store differ by less. */
const MOST_AHEAD_SECONDS = 60
const LEASES_A_SLICE = 100

const endLeases = async <R extends Due>(
  { collection, only, leaseSeconds }: QueueRow<R>,
  store: Store,
  steady: string,
  processes: readonly string[],
): Promise<number> => {
  const until = plusSeconds(steady, leaseSeconds + MOST_AHEAD_SECONDS)
  const where = all(gt<Field<R>>('dueAt', steady), lte<Field<R>>('dueAt', until), ...(only ? [only] : []))
  const sort = { by: 'dueAt', dir: 'asc' } as const
  let ended = 0
  let isMore = true
  // What is made due leaves the range: the offset is what others hold.
  for (let offset = 0; isMore; ) {
    const limit = LEASES_A_SLICE
    const { records } = await store.list(listOf(collection, { where, when: WAITING, sort, limit, offset }))
    for (const { id, dueAt } of records) {
      const isDead = processes.includes(processOf(dueAt ?? '') ?? '')
      const change: Change = { kind: 'patch', at: at(collection, id), set: { dueAt: steady }, when: heldBy({ dueAt }) }
      if (isDead && (await store.commit([change])).ok) ended += 1
      else offset += 1
    }
    isMore = records.length === limit
  }
  return ended
}

const dueBy = <R extends Due>(
  { host, owner, only }: QueueRow<R>,
  steady: string,
  { hosts, owners, aside }: Passed,
): Where<Field<R>> =>
  all(
    lte<Field<R>>('dueAt', steady),
    ...(only ? [only] : []),
    ...noneOf<Field<R>>('id', aside),
    ...(host === undefined ? [] : hosts.map((each) => not(isOf(host, owner, each)))),
    ...noneOf(owner, owners),
  )

/** Records for a host, and of its owner where there is one. */
const isOf = <F extends string>(host: F, owner: F | undefined, [at, whose]: OwnHost): Where<F> =>
  owner === undefined || whose === null ? eq(host, at) : all(eq(host, at), eq(owner, whose))

const noneOf = <F extends string>(field: F | undefined, values: readonly Id[]): readonly Where<F>[] =>
  field === undefined || values.length === 0 ? [] : [not(isIn(field, values))]

const waiting = <R extends Due>(row: QueueRow<R>, record: R): Waiting => {
  const place = at(row.collection, record.id)
  /** As it is in hand; null before it is, and from the moment it is given back. */
  let held: R | null = null

  const leaseEnd = (now: string, mark: LeaseMark['mark']): string => mark(plusSeconds(now, row.leaseSeconds))
  const lease = (store: Store, mark: LeaseMark['mark']): Lease<R> => ({
    async renew(now, set) {
      if (!held) return null
      const renewed: R = { ...held, ...set, dueAt: leaseEnd(now, mark) }
      const change: Change = { kind: 'patch', at: place, set: { ...set, dueAt: renewed.dueAt }, when: heldBy(held) }
      const outcome = await store.commit([change])
      if (outcome.ok && held) held = renewed
      return outcome.ok ? held : null
    },
  })
  return {
    id: record.id,
    host: idIn(record, row.host),
    owner: idIn(record, row.owner),
    span: row.span?.(record) ?? row.name ?? row.collection.name,
    trace: record.trace ?? null,
    async claim(store, now, mark = unmarked) {
      const end = await row.endsAtOnce?.(store, record)
      if (end) return (await applyOutcome(store, row.collection, record, end)) ? DONE : null
      const dueAt = leaseEnd(now, mark)
      const change: Change = { kind: 'patch', at: place, set: { dueAt }, add: { attempts: 1 }, when: heldBy(record) }
      const outcome = await store.commit([change])
      if (!outcome.ok) return null
      const claimed = { ...record, dueAt, attempts: record.attempts + 1 }
      held = claimed
      return (report) => row.handle(claimed, report, lease(store, mark))
    },
    async unclaim(store) {
      // Once only: a second time would take a try back that nobody counted.
      if (!held) return
      const { dueAt } = held
      held = null
      const change: Change = {
        kind: 'patch',
        at: place,
        set: { dueAt: record.dueAt },
        add: { attempts: -1 },
        when: heldBy({ dueAt }),
      }
      await store.commit([change])
    },
    async endLeaseBy(store, dueAt) {
      if (held?.dueAt && held.dueAt > dueAt)
        await store.commit([{ kind: 'patch', at: place, set: { dueAt }, when: heldBy(held) }])
    },
  }
}

const unmarked = (end: string): string => end

const DONE = async (): Promise<void> => {}

const idIn = <R extends Due>(record: R, field: Field<R> | undefined): Id | null =>
  field === undefined ? null : (record[field] as Id | null)

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
