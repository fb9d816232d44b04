import type { Clock } from '../../ports/clock.ts'
import { type Store, StoreUnavailable } from '../../ports/store.ts'
import type { Change } from '../records/change.ts'
import type { Id } from '../records/collection.ts'
import { type Instant, secondsBetween } from '../values/day.ts'
import type { Presence } from './presence.ts'
import type { Queue, Report } from './queue.ts'
import { type Ending, type QueueConsumer, queueConsumer } from './queue-consumer.ts'
import type { Runtime } from './use-case.ts'

const LOOK_EVERY_MS = 1_000

/** Told what came of every record, by its queue. */
export type Ended = (queue: string, id: Id, ending: Ending) => void

/** Carries on, in the background, what commits left to be done. Any number of processes may run one on one store. */
export interface Worker {
  /** Looks at once: at one queue, by the name of its collection, or at all. */
  nudge(queue?: string): void
  /** Works until it is stopped, looking every second and whenever it is nudged. Never rejects. */
  run(): Promise<void>
  /** Begins nothing more; resolves when what is in hand has ended, or was given back. */
  stop(): Promise<void>
  /**
   * After `stop`: makes what is still in hand nobody's again, so that another process takes it at once. What comes of it
   * here counts no more.
   */
  unclaim(): Promise<void>
  /** Does all that is due now, until nothing is; how many records that were. Rejects when the store is unavailable. */
  drain(): Promise<number>
  /** What is due and nobody's yet, in each queue. Rejects when the store is unavailable. */
  backlogs(): Promise<readonly QueueBacklog[]>
}

export interface QueueBacklog {
  /** Its name. */
  readonly queue: string
  readonly due: number
  /** How long the first of them has been due; 0 where there is none. */
  readonly oldestSeconds: number
}

export interface WorkerParts {
  readonly runtime: Pick<Runtime, 'store' | 'clock' | 'tracer'>
  readonly queues: readonly Queue[]
  readonly report: Report
  readonly ended?: Ended
  /** Tells other processes that this one lives, and ends the leases of those that died; without it they run out. */
  readonly presence?: Presence
}

const ignored: Ended = () => {}

export const worker = ({ runtime: plain, queues, report, ended = ignored, presence }: WorkerParts): Worker => {
  const runtime = presence ? { ...plain, presence } : plain
  const bell = doorbell()
  const unlooked = new Set<QueueConsumer>()
  let isTicking = false
  let isStopping = false
  let running: Promise<void> | null = null

  const look = (at: QueueConsumer): void => {
    unlooked.add(at)
    bell.ring()
  }
  const consumers = queues.map((queue): QueueConsumer => {
    const own: QueueConsumer = queueConsumer(queue, runtime, {
      report,
      ended: (id, ending) => ended(queue.name, id, ending),
      freed: () => look(own),
      isClosed: () => isStopping,
    })
    return own
  })
  const nudge = (name?: string): void => {
    for (const each of consumers) {
      if (name !== undefined && each.collection !== name) continue
      each.nudge()
      look(each)
    }
  }
  // One wait at a time, however often it is nudged.
  const tick = async (): Promise<void> => {
    if (isTicking) return
    isTicking = true
    await runtime.clock.wait(LOOK_EVERY_MS)
    isTicking = false
    nudge()
  }
  const fill = async (each: QueueConsumer): Promise<void> => {
    unlooked.delete(each)
    const isMore = await each.look().catch((error: unknown) => {
      // The next second looks again.
      if (!(error instanceof StoreUnavailable)) report(error, each.name)
      return false
    })
    // The others come first: a queue that is never empty keeps the worker from none of them.
    if (isMore) look(each)
  }
  const loop = async (): Promise<void> => {
    await presence?.begin()
    nudge()
    while (!isStopping) {
      void tick()
      for (const each of [...unlooked]) await fill(each)
      if (unlooked.size === 0 && !isStopping) await bell.rung()
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
    unclaim: async () => {
      await Promise.all(consumers.map((each) => each.unclaim()))
    },
    drain: () => drained(consumers),
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

/** Wakes whoever waits for it. */
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

const drained = async (consumers: readonly QueueConsumer[]): Promise<number> => {
  let done = 0
  for (;;) {
    let begun = 0
    for (const each of consumers) begun += await each.fill()
    if (begun === 0 && consumers.every((each) => each.isIdle())) return done
    done += begun
    await Promise.all(consumers.map((each) => each.idle()))
  }
}

/** The store, nudging the worker after every commit that gives one of its queues something to do now. */
export const nudging = (store: Store, clock: Pick<Clock, 'steady'>, { nudge }: Pick<Worker, 'nudge'>): Store => ({
  ...store,
  commit: async (changes, hook) => {
    const outcome = await store.commit(changes, hook)
    const steady = clock.steady()
    const leaves = (change: Change): boolean => isDue(change, steady)
    if (outcome.ok) for (const name of new Set(changes.filter(leaves).map(({ at }) => at[0]))) nudge(name)
    return outcome
  },
})

// What is due later (a lease, another try) is found by the look of its second.
const isDue = (change: Change, steady: Instant): boolean => {
  if (change.kind === 'check' || change.kind === 'remove') return false
  const dueAt = change.kind === 'patch' ? change.set?.dueAt : change.record.dueAt
  return typeof dueAt === 'string' && dueAt <= steady
}
