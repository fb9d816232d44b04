import { StoreUnavailable } from '../../ports/store.ts'
import type { Id } from '../records/record.ts'
import { addSeconds } from '../values/day.ts'
import { fairPlaces } from './concurrency.ts'
import type { Queue, QueuedRecord, Report } from './queue.ts'
import { inSpan } from './tracing.ts'
import type { Runtime } from './use-case.ts'

/** Records read per poll: few, since most of a page may belong to one host or owner. */
const PAGE_SIZE = 16

/** Claims and processes the due records of one queue in one process. */
export interface QueueConsumer {
  readonly name: string
  /** The name of its collection. */
  readonly collection: string
  /** Signals that records of other owners may be due: they precede owners that have used their share. */
  nudge(): void
  /** Claims and starts due records while there are free places. Returns true if more may be due. */
  poll(): Promise<boolean>
  /** Polls until no record is due or no place is free. Returns the number of started records. */
  pollAll(): Promise<number>
  isIdle(): boolean
  /** Resolves when all claimed records are finished or released. */
  idle(): Promise<void>
  /** Releases all claimed records, also those of claims in progress. A release that fails leaves the record to its lease. */
  release(): Promise<void>
}

/** The end of a claimed record. */
export type Ending = 'done' | 'failed' | 'released'

interface ConsumerOptions {
  /** Called with the error of a failed claim or of failed work. */
  readonly report: Report
  /** Called with the end of each record. */
  readonly ended: (id: Id, ending: Ending) => void
  /** Called when a place becomes free. */
  readonly freed: () => void
  /** Returns true once no more records may be started. */
  readonly isClosed: () => boolean
}

export const queueConsumer = (
  queue: Queue,
  { store, clock, presence, tracer }: Pick<Runtime, 'store' | 'clock' | 'presence' | 'tracer'>,
  options: ConsumerOptions,
): QueueConsumer => {
  const claimed = new Set<QueuedRecord>()
  const places = fairPlaces(queue.atOnce)
  const postponed = postponedRecords(queue.leaseSeconds)
  let isLeaving = false
  /** True while full pages of busy owners hide the records of others: then busy owners are skipped. */
  let isCrowded = false
  const whenIdle: (() => void)[] = []

  const leave = (record: QueuedRecord, ending: Ending): void => {
    if (!claimed.delete(record)) return
    places.leave(record)
    options.ended(record.id, ending)
    options.freed()
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
      // A claim made while the clock was ahead would otherwise last until the time it showed.
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
          span.fail(error instanceof Error ? error.name : typeof error)
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
    const limit = Math.min(PAGE_SIZE, places.free())
    if (limit <= 0 || options.isClosed()) return { started: 0, isMore: false }
    const steady = clock.steady()
    const { hosts, owners } = places.busy()
    const skipped = { hosts, owners: isCrowded ? owners : [], postponed: postponed.at(steady) }
    const found = await queue.due(store, steady, limit, skipped)
    const isFull = found.length === limit
    const chosen = options.isClosed() ? [] : choose(found, !isFull && !isCrowded)
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
