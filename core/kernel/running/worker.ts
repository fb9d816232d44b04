import type { Clock } from '../../ports/runtime.ts'
import { type Store, StoreUnavailable } from '../../ports/store.ts'
import type { Change, Id } from '../records/record.ts'
import { type Instant, secondsBetween } from '../values/day.ts'
import type { Presence } from './presence.ts'
import type { Queue, Report } from './queue.ts'
import { type Ending, type QueueConsumer, queueConsumer } from './queue-consumer.ts'
import type { Runtime } from './use-case.ts'

const POLL_EVERY_MS = 1_000

/** Called with the end of every record, by its queue. */
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
   * Releases the records that are still claimed after `stop`, so that another process takes them at once. Their outcome here no
   * longer counts.
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

/** A signal that one waiter waits for. */
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
