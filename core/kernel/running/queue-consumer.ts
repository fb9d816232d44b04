import { StoreUnavailable } from '../../ports/store.ts'
import { fairPlaces } from '../fair-places.ts'
import type { Id } from '../records/collection.ts'
import { plusSeconds } from '../values/day.ts'
import type { Queue, Report, Waiting } from './queue.ts'
import { inSpan } from './tracing.ts'
import type { Runtime } from './use-case.ts'

/** Records looked at together: few, since most of a page may be one host's or owner's. */
const MAX_LOOK = 16

/** What one process has in hand of one queue. */
export interface QueueConsumer {
  readonly name: string
  /** The name of the collection that its records are of. */
  readonly collection: string
  /** There may be something new, of whomever: they come before those who have a share in hand. */
  nudge(): void
  /** Claims and begins some of what is due, as far as there is room; whether there may be more to begin at once. */
  look(): Promise<boolean>
  /** The same until there is no more, or no room; how many records that were. */
  fill(): Promise<number>
  isIdle(): boolean
  /** Resolves when all that was begun has ended or was given back. */
  idle(): Promise<void>
  /** Makes what is in hand nobody's again, and what is still to be claimed too. What cannot be given back waits for its lease. */
  unclaim(): Promise<void>
}

/** What came of a record that was claimed. */
export type Ending = 'done' | 'failed' | 'given-back'

interface Around {
  /** Called with whatever a record's claim or work rejects with. */
  readonly report: Report
  /** Called with what came of each record. */
  readonly ended: (id: Id, ending: Ending) => void
  /** Called whenever there is room again. */
  readonly freed: () => void
  /** Whether nothing more is to be begun. */
  readonly isClosed: () => boolean
}

export const queueConsumer = (
  queue: Queue,
  { store, clock, presence, tracer }: Pick<Runtime, 'store' | 'clock' | 'presence' | 'tracer'>,
  around: Around,
): QueueConsumer => {
  const inHand = new Set<Waiting>()
  const held = fairPlaces(queue.atOnce)
  const aside = asideOf(queue.leaseSeconds)
  let isLeaving = false
  /** Whether a page of records of those who have their share hides what others have: then they are passed over. */
  let isCrowded = false
  const whenIdle: (() => void)[] = []

  const leave = (waiting: Waiting, ending: Ending): void => {
    if (!inHand.delete(waiting)) return
    held.leave(waiting)
    around.ended(waiting.id, ending)
    around.freed()
    if (inHand.size === 0) for (const tell of whenIdle.splice(0)) tell()
  }
  const begin = async (waiting: Waiting, work: (report: Report) => Promise<void>): Promise<void> => {
    // What was given back is no longer ours to speak of.
    const report: Report = (error, at) => (inHand.has(waiting) ? around.report(error, at) : undefined)
    try {
      await work(report)
      leave(waiting, 'done')
    } catch (error) {
      report(error, `${queue.name}/${waiting.id}`)
      // Claimed by a clock that had jumped, it would be left alone for as long as that was ahead.
      await waiting.endLeaseBy(store, plusSeconds(clock.steady(), queue.leaseSeconds)).catch(() => {})
      leave(waiting, 'failed')
    }
  }
  const beginTraced = (waiting: Waiting, work: (report: Report) => Promise<void>): Promise<void> => {
    if (!tracer) return begin(waiting, work)
    const start = { name: waiting.span, kind: 'consumer', parent: waiting.trace } as const
    // A failure is reported within the span, so that its line in the log names the trace.
    return inSpan(tracer, start, (span) =>
      begin(waiting, (report) =>
        work(report).catch((error: unknown) => {
          span.fail(error instanceof Error ? error.name : typeof error)
          throw error
        }),
      ),
    )
  }
  const release = async (waiting: Waiting): Promise<void> => {
    await waiting.unclaim(store).catch(() => {})
    leave(waiting, 'given-back')
  }
  const claimed = async (waiting: Waiting) => {
    try {
      // A lease goes by what the clock shows: where that is wrong it ends late, and never early.
      return await waiting.claim(store, clock.now(), presence?.mark)
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        held.leave(waiting)
        throw error
      }
      // A page of records that nobody can claim would hide all that are due after them.
      aside.put(waiting.id, clock.steady())
      around.report(error, `${queue.name}/${waiting.id}`)
      return null
    }
  }
  const claim = async (waiting: Waiting): Promise<boolean> => {
    const work = await claimed(waiting)
    if (!work) {
      held.leave(waiting)
      return false
    }
    inHand.add(waiting)
    if (isLeaving) await release(waiting)
    else void beginTraced(waiting, work)
    return true
  }

  /** What is begun of what is due; where that is all there is, the shares of those who are left grow as far as there is room. */
  const choose = (found: readonly Waiting[], isAll: boolean): readonly Waiting[] => {
    const chosen = new Set(found.filter(held.take))
    const left = () => found.filter((waiting) => !chosen.has(waiting))
    while (isAll && chosen.size < found.length && held.widen())
      for (const each of left().filter(held.take)) chosen.add(each)
    return [...chosen]
  }
  /** Whether there may be more to begin, after a page that was full, or one that was not. */
  const isMoreAfter = (isFull: boolean, found: number, chosen: number, begun: number): boolean => {
    if (held.isSpent()) return false
    if (isFull && chosen > 0) return true
    if (isFull && !isCrowded && !held.isWide()) {
      isCrowded = true
      return true
    }
    // Nobody else waits.
    if (isFull || isCrowded) {
      isCrowded = false
      return held.widen()
    }
    // What could not be claimed has made room for what was left behind.
    return begun < chosen && chosen < found
  }
  const page = async (): Promise<{ readonly begun: number; readonly isMore: boolean }> => {
    const limit = Math.min(MAX_LOOK, held.free())
    if (limit <= 0 || around.isClosed()) return { begun: 0, isMore: false }
    const steady = clock.steady()
    const { hosts, owners } = held.busy()
    const passed = { hosts, owners: isCrowded ? owners : [], aside: aside.at(steady) }
    const found = await queue.due(store, steady, limit, passed)
    const isFull = found.length === limit
    const chosen = around.isClosed() ? [] : choose(found, !isFull && !isCrowded)
    const claims = await Promise.allSettled(chosen.map(claim))
    const begun = claims.filter((result) => result.status === 'fulfilled' && result.value).length
    const failed = claims.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    return { begun, isMore: isMoreAfter(isFull, found.length, chosen.length, begun) }
  }
  const fill = async (): Promise<number> => {
    held.narrow()
    for (let begun = 0; ; ) {
      const looked = await page()
      begun += looked.begun
      if (!looked.isMore) return begun
    }
  }

  return {
    name: queue.name,
    collection: queue.collection,
    nudge: held.narrow,
    look: async () => (await page()).isMore,
    fill,
    isIdle: () => held.free() === queue.atOnce,
    idle: () => (inHand.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    unclaim: async () => {
      isLeaving = true
      await Promise.all([...inHand].map(release))
    },
  }
}

/** Records that are left alone for as long as a lease, as if somebody had claimed them. */
const asideOf = (leaseSeconds: number) => {
  const until = new Map<Id, string>()
  return {
    put: (id: Id, steady: string): void => {
      until.set(id, plusSeconds(steady, leaseSeconds))
    },
    at: (steady: string): readonly Id[] => {
      for (const [id, end] of until) if (end <= steady) until.delete(id)
      return [...until.keys()]
    },
  }
}
