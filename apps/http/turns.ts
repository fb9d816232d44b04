import { waitQueue } from '../../adapters/concurrency/wait-queue.ts'
import { counts, fairShare } from '../../core/kernel/running/concurrency.ts'

/** The number of pieces of long answers that are made at once. */
const SLOTS = 8

/** A turn to make one piece of a long answer. */
export interface Turn {
  /** Resolves to true when the turn begins, to false if it was cancelled before. */
  readonly granted: Promise<boolean>
  /** Stops waiting. A turn that has begun lasts until `end`. */
  cancel(): void
  end(): void
}

/** Requests a turn for a tenant. */
export type RequestTurn = (tenant: string) => Turn

interface Waiter {
  readonly tenant: string
  begin(): void
}

/**
 * Creates the turns of a process, granted tenant by tenant. A tenant above its fair share gets a turn only while more
 * than half of the slots are free. At most one turn begins in each turn of the event loop, so that short requests run
 * in between.
 */
export const createTurns = (slots = SLOTS): RequestTurn => {
  const share = fairShare(slots)
  const waiting = waitQueue<Waiter>()
  const running = counts()
  let free = slots
  let isScheduled = false

  /** Infinity if the tenant may begin no further turn. */
  const runningOf = (tenant: string): number => {
    const mayBegin = running.of(tenant) < share || free > slots / 2
    return mayBegin ? running.of(tenant) : Number.POSITIVE_INFINITY
  }
  const beginNext = (): void => {
    isScheduled = false
    const next = free > 0 ? waiting.next(runningOf) : undefined
    if (!next) return
    free -= 1
    running.add(next.tenant, 1)
    next.begin()
    schedule()
  }
  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    setImmediate(beginNext)
  }
  const leave = (tenant: string): void => {
    free += 1
    running.add(tenant, -1)
    schedule()
  }

  return (tenant) => {
    let settle = (_granted: boolean): void => {}
    const granted = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    const waiter: Waiter = { tenant, begin: () => settle(true) }
    waiting.add(tenant, waiter)
    schedule()
    return {
      granted,
      cancel: () => {
        waiting.remove(tenant, waiter)
        settle(false)
      },
      end: () => leave(tenant),
    }
  }
}

const identity = (granted: Promise<boolean>): Promise<boolean> => granted

/**
 * Makes each piece of a long answer in its own turn; a client that reads no piece occupies no turn. `onceClosed` calls
 * its argument when the client has disconnected. `waitForFirst` waits for the turn of the first piece, and may reject
 * instead.
 */
export const inTurns = <A>(
  pieces: AsyncIterable<A>,
  requestTurn: () => Turn,
  onceClosed: (cancel: () => void) => void,
  waitForFirst: (granted: Promise<boolean>) => Promise<boolean> = identity,
): AsyncIterable<A> => ({
  [Symbol.asyncIterator]() {
    const iterator = pieces[Symbol.asyncIterator]()
    const end: IteratorResult<A> = { done: true, value: undefined }
    let current: Turn | null = null
    let wait = waitForFirst
    const cancel = (): void => current?.cancel()
    onceClosed(cancel)
    const isGranted = async (turn: Turn): Promise<boolean> => {
      try {
        return await wait(turn.granted)
      } catch (error) {
        turn.cancel()
        if (await turn.granted) turn.end()
        throw error
      } finally {
        wait = identity
      }
    }
    return {
      next: async () => {
        const turn = requestTurn()
        current = turn
        if (!(await isGranted(turn))) return end
        try {
          return await iterator.next()
        } finally {
          turn.end()
        }
      },
      return: async () => {
        cancel()
        await iterator.return?.()
        return end
      },
    }
  },
})
