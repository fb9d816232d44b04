import { waitQueue } from '../../adapters/concurrency/wait-queue.ts'
import { counts, fairShare } from '../../core/kernel/running/concurrency.ts'

/** Pieces of long answers that are made at once. */
const PLACES = 8

/** A place for a piece of something long, or the wait for it. */
export interface Turn {
  /** True once it is there; false where it was given up before. */
  readonly granted: Promise<boolean>
  /** Nobody waits for it any more. One that is there lasts until it ends all the same: what was begun is not undone. */
  cancel(): void
  end(): void
}

/** Asks for a turn in the line of a tenant. */
export type RequestTurn = (tenant: string) => Turn

interface Waiter {
  readonly tenant: string
  begin(): void
}

/**
 * What is long goes tenant by tenant in turn. None of them has more than a share of the places but of one half of them: the other
 * is there for whoever comes next. One at most begins in a turn of the event loop: whatever is short goes between two of
 * them. Source: decisions.md §12, Fair shares.
 */
export const createTurns = (places = PLACES): RequestTurn => {
  const share = fairShare(places)
  const waiting = waitQueue<Waiter>()
  const held = counts()
  let free = places
  let isLooking = false

  const underWay = (tenant: string): number => {
    const mayBegin = held.of(tenant) < share || free > places / 2
    return mayBegin ? held.of(tenant) : Number.POSITIVE_INFINITY
  }
  const beginNext = (): void => {
    isLooking = false
    const next = free > 0 ? waiting.next(underWay) : undefined
    if (!next) return
    free -= 1
    held.add(next.tenant, 1)
    next.begin()
    look()
  }
  const look = (): void => {
    if (isLooking || waiting.size === 0) return
    isLooking = true
    setImmediate(beginNext)
  }
  const leave = (tenant: string): void => {
    free += 1
    held.add(tenant, -1)
    look()
  }

  return (tenant) => {
    let settle = (_isThere: boolean): void => {}
    const isThere = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    const waiter: Waiter = { tenant, begin: () => settle(true) }
    waiting.add(tenant, waiter)
    look()
    return {
      granted: isThere,
      cancel: () => {
        waiting.remove(tenant, waiter)
        settle(false)
      },
      end: () => leave(tenant),
    }
  }
}

const itself = (isThere: Promise<boolean>): Promise<boolean> => isThere

/**
 * The pieces of something long, each in a turn of its own: what a reader does not take holds no place. `onceGone` tells when there
 * is no reader any more; `firstOf` waits for the turn of the first piece, and may reject instead.
 */
export const inTurns = <A>(
  pieces: AsyncIterable<A>,
  takeTurn: () => Turn,
  onceGone: (giveUp: () => void) => void,
  firstOf: (isThere: Promise<boolean>) => Promise<boolean> = itself,
): AsyncIterable<A> => ({
  [Symbol.asyncIterator]() {
    const each = pieces[Symbol.asyncIterator]()
    const end: IteratorResult<A> = { done: true, value: undefined }
    let turn: Turn | null = null
    let once = firstOf
    const giveUp = (): void => turn?.cancel()
    onceGone(giveUp)
    const comes = async (mine: Turn): Promise<boolean> => {
      try {
        return await once(mine.granted)
      } catch (error) {
        mine.cancel()
        if (await mine.granted) mine.end()
        throw error
      } finally {
        once = itself
      }
    }
    return {
      next: async () => {
        const mine = takeTurn()
        turn = mine
        if (!(await comes(mine))) return end
        try {
          return await each.next()
        } finally {
          mine.end()
        }
      },
      return: async () => {
        giveUp()
        await each.return?.()
        return end
      },
    }
  },
})
