import type { Clock } from '../../ports/runtime.ts'
import { type Store, StoreUnavailable } from '../../ports/store.ts'
import type { Change, Id } from '../records/record.ts'
import { addSeconds, type Instant, secondsBetween } from '../values/day.ts'
import { fairPlaces } from './concurrency.ts'
import type { Presence } from './presence.ts'
import type { Queue, QueuedRecord, Report } from './queue.ts'
import { inSpan, typeOf } from './tracing.ts'
import type { Runtime } from './use-case.ts'

const POLL_EVERY_MS = 1_000

/** Called when the work of a claimed record ends. */
export type OnEnd = (queue: string, id: Id, ending: Ending) => void

/** Runs background work from queues. Any number of processes may run a worker on one store. */
export interface Worker {
  /** Polls at once: one queue, by the name of its collection, or all. */
  nudge(queue?: string): void
  /** Runs until `stop`, polling every second and after each nudge. Never rejects. */
  run(): Promise<void>
  /** Starts no more records; resolves when the claimed ones are finished or released. */
  stop(): Promise<void>
  /**
   * Releases the records that are still claimed after `stop`, so that another process takes them at once. Their outcome
   * here no longer counts.
   */
  release(): Promise<void>
  /** Processes records until none is due; returns their number. Rejects if the store is unavailable. */
  drain(): Promise<number>
  /** Returns the due, unclaimed records of each queue. Rejects if the store is unavailable. */
  backlogs(): Promise<readonly QueueBacklog[]>
}

/** The backlog of a queue. */
export interface QueueBacklog {
  /** The name of the queue. */
  readonly queue: string
  readonly due: number
  /** Seconds since the oldest record became due; 0 without records. */
  readonly oldestSeconds: number
}

export interface WorkerParts {
  readonly runtime: Pick<Runtime, 'store' | 'clock' | 'tracer'>
  readonly queues: readonly Queue[]
  readonly report: Report
  readonly ended?: OnEnd
  /** Ends the leases of dead processes early; without it they expire. */
  readonly presence?: Presence
}

const noop: OnEnd = () => {}

export const worker = ({ runtime: base, queues, report, ended = noop, presence }: WorkerParts): Worker => {
  const runtime = presence ? { ...base, presence } : base
  const bell = doorbell()
  const unpolled = new Set<QueueConsumer>()
  let isTicking = false
  let isStopping = false
  let running: Promise<void> | null = null

  const enqueue = (consumer: QueueConsumer): void => {
    unpolled.add(consumer)
    bell.ring()
  }
  const consumers = queues.map((queue): QueueConsumer => {
    const own: QueueConsumer = queueConsumer(queue, runtime, {
      report,
      ended: (id, ending) => ended(queue.name, id, ending),
      freed: () => enqueue(own),
      isClosed: () => isStopping,
    })
    return own
  })
  const nudge = (name?: string): void => {
    for (const each of consumers) {
      if (name !== undefined && each.collection !== name) continue
      each.nudge()
      enqueue(each)
    }
  }
  // At most one pending wait.
  const tick = async (): Promise<void> => {
    if (isTicking) return
    isTicking = true
    await runtime.clock.wait(POLL_EVERY_MS)
    isTicking = false
    nudge()
  }
  const poll = async (each: QueueConsumer): Promise<void> => {
    unpolled.delete(each)
    const isMore = await each.poll().catch((error: unknown) => {
      // The next second polls again.
      if (!(error instanceof StoreUnavailable)) report(error, each.name)
      return false
    })
    // Appended behind the other queues, so that a queue that is never empty does not starve them.
    if (isMore) enqueue(each)
  }
  const loop = async (): Promise<void> => {
    await presence?.begin()
    nudge()
    while (!isStopping) {
      void tick()
      for (const each of [...unpolled]) await poll(each)
      if (unpolled.size === 0 && !isStopping) await bell.rung()
    }
  }
  const stop = async (): Promise<void> => {
    isStopping = true
    bell.ring()
    await running
    await Promise.all(consumers.map((each) => each.idle()))
    await presence?.end()
  }
  const run = (): Promise<void> => {
    running ??= loop()
    return running
  }
  return {
    nudge,
    run,
    stop,
    release: async () => {
      await Promise.all(consumers.map((each) => each.release()))
    },
    drain: () => drainAll(consumers),
    backlogs: () => backlogsOf(queues, runtime),
  }
}

const backlogsOf = (
  queues: readonly Queue[],
  { store, clock }: WorkerParts['runtime'],
): Promise<readonly QueueBacklog[]> => {
  const steady = clock.steady()
  return Promise.all(
    queues.map(async (queue) => {
      const { due, oldestDueAt } = await queue.backlog(store, steady)
      const oldestSeconds = oldestDueAt === null ? 0 : secondsBetween(oldestDueAt, steady)
      return { queue: queue.name, due, oldestSeconds }
    }),
  )
}

const doorbell = () => {
  let ring = (): void => {}
  return {
    ring: () => ring(),
    rung: () =>
      new Promise<void>((resolve) => {
        ring = resolve
      }),
  }
}

const drainAll = async (consumers: readonly QueueConsumer[]): Promise<number> => {
  let done = 0
  for (;;) {
    let started = 0
    for (const each of consumers) started += await each.pollAll()
    if (started === 0 && consumers.every((each) => each.isIdle())) return done
    done += started
    await Promise.all(consumers.map((each) => each.idle()))
  }
}

/** Wraps a store so that a commit with due records nudges the worker. */
export const withNudges = (store: Store, clock: Pick<Clock, 'steady'>, { nudge }: Pick<Worker, 'nudge'>): Store => ({
  ...store,
  commit: async (changes, hook) => {
    const outcome = await store.commit(changes, hook)
    const steady = clock.steady()
    const leaves = (change: Change): boolean => isDue(change, steady)
    if (outcome.ok) for (const name of new Set(changes.filter(leaves).map(({ at }) => at[0]))) nudge(name)
    return outcome
  },
})

// Records due later (leases, retries) are found by the poll of that second.
const isDue = (change: Change, steady: Instant): boolean => {
  if (change.kind === 'check' || change.kind === 'remove') return false
  const dueAt = change.kind === 'patch' ? change.set?.dueAt : change.record.dueAt
  return typeof dueAt === 'string' && dueAt <= steady
}

/** Records read per poll: few, since most of a page may belong to one host or owner. */
const PAGE_SIZE = 16
/**
 * The least page size. After a full page of which few records were chosen, pages are smaller: each free place rereads
 * the rest.
 */
const MIN_PAGE_SIZE = 4

/** Claims and processes the due records of one queue in one process. */
export interface QueueConsumer {
  readonly name: string
  /** The name of its collection. */
  readonly collection: string
  /** Signals that records of other owners may be due. Resets the share of each owner, so that these come first. */
  nudge(): void
  /** Claims and starts due records while there are free places. Returns true if more may be due. */
  poll(): Promise<boolean>
  /** Polls until no record is due or no place is free. Returns the number of started records. */
  pollAll(): Promise<number>
  isIdle(): boolean
  /** Resolves when all claimed records are finished or released. */
  idle(): Promise<void>
  /**
   * Releases all claimed records, also those of claims in progress. A release that fails leaves the record to its
   * lease.
   */
  release(): Promise<void>
}

/** The end of a claimed record. */
export type Ending = 'done' | 'failed' | 'released'

interface ConsumerOptions {
  /** Called with the error of a failed claim or of failed work. */
  readonly report: Report
  /** Called with the end of each record. */
  readonly ended: (id: Id, ending: Ending) => void
  /** Called when a place becomes free while due records may wait for one. */
  readonly freed: () => void
  /** Returns true once no more records may be started. */
  readonly isClosed: () => boolean
}

const queueConsumer = (
  queue: Queue,
  { store, clock, presence, tracer }: Pick<Runtime, 'store' | 'clock' | 'presence' | 'tracer'>,
  options: ConsumerOptions,
): QueueConsumer => {
  const claimed = new Set<QueuedRecord>()
  const places = fairPlaces(queue.atOnce)
  const postponed = postponedRecords(queue.leaseSeconds)
  let isLeaving = false
  /**
   * True after a full page of which no record was chosen: the next page skips busy owners, whose records may hide
   * others.
   */
  let isCrowded = false
  /** True if the last poll may have left due records for lack of places. */
  let hasLeft = true
  let pageSize = PAGE_SIZE
  const whenIdle: (() => void)[] = []

  const leave = (record: QueuedRecord, ending: Ending): void => {
    if (!claimed.delete(record)) return
    places.leave(record)
    options.ended(record.id, ending)
    if (hasLeft) options.freed()
    if (claimed.size === 0) for (const resolve of whenIdle.splice(0)) resolve()
  }
  const start = async (record: QueuedRecord, work: (report: Report) => Promise<void>): Promise<void> => {
    // A released record is another process's: its errors are not reported here.
    const report: Report = (error, at) => (claimed.has(record) ? options.report(error, at) : undefined)
    try {
      await work(report)
      leave(record, 'done')
    } catch (error) {
      report(error, `${queue.name}/${record.id}`)
      // A claim made while the clock was ahead would otherwise last until the time of that clock.
      await record.shortenLease(store, addSeconds(clock.steady(), queue.leaseSeconds)).catch(() => {})
      leave(record, 'failed')
    }
  }
  const startTraced = (record: QueuedRecord, work: (report: Report) => Promise<void>): Promise<void> => {
    if (!tracer) return start(record, work)
    // A failure is reported within the span, so that its log line names the trace.
    return inSpan(tracer, { name: record.span, kind: 'consumer', parent: record.trace }, (span) =>
      start(record, (report) =>
        work(report).catch((error: unknown) => {
          span.fail(typeOf(error))
          throw error
        }),
      ),
    )
  }
  const release = async (record: QueuedRecord): Promise<void> => {
    await record.release(store).catch(() => {})
    leave(record, 'released')
  }
  const tryClaim = async (record: QueuedRecord) => {
    try {
      // Leases use `now`: if the clock is ahead, the lease ends late, never early.
      return await record.claim(store, clock.now(), presence?.mark)
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        places.leave(record)
        throw error
      }
      // Postponed, since a page of records that cannot be claimed would hide all later ones.
      postponed.put(record.id, clock.steady())
      options.report(error, `${queue.name}/${record.id}`)
      return null
    }
  }
  const claim = async (record: QueuedRecord): Promise<boolean> => {
    const work = await tryClaim(record)
    if (!work) {
      places.leave(record)
      return false
    }
    claimed.add(record)
    if (isLeaving) await release(record)
    else void startTraced(record, work)
    return true
  }

  /** Chooses the records to start. If no others are due, the shares grow while there is room. */
  const choose = (found: readonly QueuedRecord[], isAll: boolean): readonly QueuedRecord[] => {
    const chosen = new Set(found.filter(places.take))
    const left = () => found.filter((record) => !chosen.has(record))
    while (isAll && chosen.size < found.length && places.widen())
      for (const each of left().filter(places.take)) chosen.add(each)
    return [...chosen]
  }
  /** Reports whether more records may be due after a page. */
  const isMoreAfter = (isFull: boolean, found: number, chosen: number, started: number): boolean => {
    if (places.isSpent()) return false
    if (isFull && chosen > 0) return true
    if (isFull && !isCrowded && !places.isWide()) {
      isCrowded = true
      return true
    }
    // No record of another owner waits.
    if (isFull || isCrowded) {
      isCrowded = false
      return places.widen()
    }
    // Failed claims have freed places for records that were not chosen.
    return started < chosen && chosen < found
  }
  const pollPage = async (): Promise<{ readonly started: number; readonly isMore: boolean }> => {
    const limit = Math.min(pageSize, places.free())
    hasLeft = true
    if (limit <= 0 || options.isClosed()) return { started: 0, isMore: false }
    const steady = clock.steady()
    const { hosts, owners } = places.busy()
    const skipped = { hosts, owners: isCrowded ? owners : [], postponed: postponed.at(steady) }
    const found = await queue.due(store, steady, limit, skipped)
    const isFull = found.length === limit
    const chosen = options.isClosed() ? [] : choose(found, !isFull && !isCrowded)
    if (isFull) pageSize = Math.min(PAGE_SIZE, Math.max(MIN_PAGE_SIZE, 2 * chosen.length))
    hasLeft = isFull || chosen.length < found.length || skipped.hosts.length + skipped.owners.length > 0
    const claims = await Promise.allSettled(chosen.map(claim))
    const started = claims.filter((result) => result.status === 'fulfilled' && result.value).length
    const failed = claims.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    return { started, isMore: isMoreAfter(isFull, found.length, chosen.length, started) }
  }
  const pollAll = async (): Promise<number> => {
    places.narrow()
    for (let started = 0; ; ) {
      const polled = await pollPage()
      started += polled.started
      if (!polled.isMore) return started
    }
  }

  return {
    name: queue.name,
    collection: queue.collection,
    nudge: places.narrow,
    poll: async () => (await pollPage()).isMore,
    pollAll,
    isIdle: () => places.free() === queue.atOnce,
    idle: () => (claimed.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    release: async () => {
      isLeaving = true
      await Promise.all([...claimed].map(release))
    },
  }
}

/** Records that are postponed for one lease after a failed claim. */
const postponedRecords = (leaseSeconds: number) => {
  const until = new Map<Id, string>()
  return {
    put: (id: Id, steady: string): void => {
      until.set(id, addSeconds(steady, leaseSeconds))
    },
    at: (steady: string): readonly Id[] => {
      for (const [id, end] of until) if (end <= steady) until.delete(id)
      return [...until.keys()]
    },
  }
}
