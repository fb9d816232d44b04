import { StoreUnavailable } from '../../ports/store.ts'
import type { Id } from '../records/collection.ts'
import { plusSeconds } from '../values/day.ts'
import type { Queue, Report, Waiting } from './queue.ts'
import type { Runtime } from './use-case.ts'

/** Calls that one outside machine gets at once from one queue of a process. */
export const MAX_PER_HOST = 4
/** Records looked at together: few, since most of a page may be one busy host's. */
const MAX_LOOK = 16

/** What one process has in hand of one queue. */
export interface QueueConsumer {
  readonly name: string
  /** The name of the collection that its records are of. */
  readonly collection: string
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
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  around: Around,
): QueueConsumer => {
  /** With the instant at which each was claimed. */
  const inHand = new Map<Waiting, string>()
  const held = places(queue.atOnce)
  const aside = asideOf(queue.leaseSeconds)
  let isLeaving = false
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
      leave(waiting, 'failed')
    }
  }
  const release = async (waiting: Waiting, claimedAt: string): Promise<void> => {
    await waiting.unclaim(store, claimedAt).catch(() => {})
    leave(waiting, 'given-back')
  }
  const claimed = async (waiting: Waiting, now: string) => {
    try {
      return await waiting.claim(store, now)
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        held.leave(waiting)
        throw error
      }
      // A page of records that nobody can claim would hide all that are due after them.
      aside.put(waiting.id, now)
      around.report(error, `${queue.name}/${waiting.id}`)
      return null
    }
  }
  const claim = async (waiting: Waiting, now: string): Promise<boolean> => {
    const work = await claimed(waiting, now)
    if (!work) {
      held.leave(waiting)
      return false
    }
    inHand.set(waiting, now)
    if (isLeaving) await release(waiting, now)
    else void begin(waiting, work)
    return true
  }

  const page = async (): Promise<{ readonly begun: number; readonly isMore: boolean }> => {
    const limit = Math.min(MAX_LOOK, held.free())
    if (limit <= 0 || around.isClosed()) return { begun: 0, isMore: false }
    const now = clock.now()
    const found = await queue.due(store, now, held.busyHosts(), limit, aside.at(now))
    const chosen = around.isClosed() ? [] : found.filter(held.take)
    const claims = await Promise.allSettled(chosen.map((waiting) => claim(waiting, now)))
    const begun = claims.filter((result) => result.status === 'fulfilled' && result.value).length
    const failed = claims.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    // A page of one host's records hides those of the others: they are looked for until none is left out.
    return { begun, isMore: found.length === limit && chosen.length > 0 }
  }
  const fill = async (): Promise<number> => {
    for (let begun = 0; ; ) {
      const looked = await page()
      begun += looked.begun
      if (!looked.isMore) return begun
    }
  }

  return {
    name: queue.name,
    collection: queue.collection,
    look: async () => (await page()).isMore,
    fill,
    isIdle: () => held.free() === queue.atOnce,
    idle: () => (inHand.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    unclaim: async () => {
      isLeaving = true
      await Promise.all([...inHand].map(([waiting, claimedAt]) => release(waiting, claimedAt)))
    },
  }
}

/** Records that are left alone for as long as a lease, as if somebody had claimed them. */
const asideOf = (leaseSeconds: number) => {
  const until = new Map<Id, string>()
  return {
    put: (id: Id, now: string): void => {
      until.set(id, plusSeconds(now, leaseSeconds))
    },
    at: (now: string): readonly Id[] => {
      for (const [id, end] of until) if (end <= now) until.delete(id)
      return [...until.keys()]
    },
  }
}

/** The places of a queue, and of each host in them. */
const places = (atOnce: number) => {
  const hosts = new Map<Id, number>()
  let taken = 0
  const callsOf = (host: Id | null): number => (host === null ? 0 : (hosts.get(host) ?? 0))
  const count = ({ host }: Waiting, change: 1 | -1): void => {
    taken += change
    const calls = callsOf(host) + change
    if (host !== null && calls > 0) hosts.set(host, calls)
    else if (host !== null) hosts.delete(host)
  }
  return {
    free: () => atOnce - taken,
    busyHosts: () => [...hosts].filter(([, calls]) => calls >= MAX_PER_HOST).map(([host]) => host),
    /** Takes a place, before anything is awaited, so that nobody else does meanwhile; false where there is none. */
    take: (waiting: Waiting): boolean => {
      const fits = taken < atOnce && callsOf(waiting.host) < MAX_PER_HOST
      if (fits) count(waiting, 1)
      return fits
    },
    leave: (waiting: Waiting): void => count(waiting, -1),
  }
}
