import { counts } from '../../core/kernel/running/concurrency.ts'
import { waitQueue } from './wait-queue.ts'

/** How many may wait, and what those are told who do not: one who gives way, and one whom nobody waits for any more. */
export interface QueueBound {
  readonly max: number
  rejection(): Error
}

interface Waiter {
  readonly of: string
  start(): void
  refuse(): void
  isGone(): boolean
}

const UNBOUND: QueueBound = { max: Number.POSITIVE_INFINITY, rejection: () => new Error('nobody waits for it') }

const isStill = (): boolean => false

/**
 * Runs tasks, at most `count` at once. The others wait: of one caller in the order they came, and of several each caller in
 * turn, those first who have fewest running, so that nobody waits behind all that somebody else has asked for. Where too many
 * wait, the longest waiter of the caller who holds most gives way to the next one. What nobody waits for any more (`isGone`) is
 * not begun.
 */
export const slots = (count: number, { max: most, rejection: refused }: QueueBound = UNBOUND) => {
  let free = count
  const waiting = waitQueue<Waiter>()
  const running = counts()

  const next = (): void => {
    let waiter = waiting.next(running.of)
    while (waiter?.isGone()) {
      waiter.refuse()
      waiter = waiting.next(running.of)
    }
    if (!waiter) {
      free += 1
      return
    }
    running.add(waiter.of, 1)
    waiter.start()
  }

  const turnOf = (of: string, isGone: () => boolean): Promise<void> =>
    new Promise((start, reject) => {
      if (waiting.size >= most) for (const gone of waiting.takeWhere((waiter) => waiter.isGone())) gone.refuse()
      if (waiting.size >= most) waiting.evictFor(of)?.refuse()
      waiting.add(of, { of, start, refuse: () => reject(refused()), isGone })
    })

  return async <A>(task: () => Promise<A>, of = '', isGone = isStill): Promise<A> => {
    if (isGone()) throw refused()
    if (free > 0) {
      free -= 1
      running.add(of, 1)
    } else await turnOf(of, isGone)
    try {
      return await task()
    } finally {
      running.add(of, -1)
      next()
    }
  }
}
