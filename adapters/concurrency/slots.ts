import { counts } from '../../core/kernel/running/concurrency.ts'
import { waitQueue } from './wait-queue.ts'

/** The limit of waiting tasks, and the error for a task that is evicted or abandoned. */
interface QueueBound {
  readonly max: number
  rejection(): Error
}

interface Waiter {
  readonly of: string
  start(): void
  reject(): void
  isGone(): boolean
}

const UNBOUNDED: QueueBound = { max: Number.POSITIVE_INFINITY, rejection: () => new Error('the task was abandoned') }

const never = (): boolean => false

/**
 * Runs tasks, at most `count` at once. The others wait: those of one caller in order, and callers in turn, those with
 * the fewest running tasks first. When `max` tasks wait, a new one evicts the oldest task of the caller with the most
 * waiting tasks. An abandoned task (`isGone`) is not started.
 */
export const slots = (count: number, { max, rejection }: QueueBound = UNBOUNDED) => {
  let free = count
  const waiting = waitQueue<Waiter>()
  const running = counts()

  const next = (): void => {
    let waiter = waiting.next(running.of)
    while (waiter?.isGone()) {
      waiter.reject()
      waiter = waiting.next(running.of)
    }
    if (!waiter) {
      free += 1
      return
    }
    running.add(waiter.of, 1)
    waiter.start()
  }

  const waitForTurn = (of: string, isGone: () => boolean): Promise<void> =>
    new Promise((start, reject) => {
      if (waiting.size >= max) for (const gone of waiting.takeWhere((waiter) => waiter.isGone())) gone.reject()
      if (waiting.size >= max) waiting.evictFor(of)?.reject()
      waiting.add(of, { of, start, reject: () => reject(rejection()), isGone })
    })

  return async <A>(task: () => Promise<A>, of = '', isGone = never): Promise<A> => {
    if (isGone()) throw rejection()
    if (free > 0) {
      free -= 1
      running.add(of, 1)
    } else await waitForTurn(of, isGone)
    try {
      return await task()
    } finally {
      running.add(of, -1)
      next()
    }
  }
}
