import { waitQueue } from '../../adapters/concurrency/wait-queue.ts'

/** What whoever had to give way has instead of what they waited for. */
export const EVICTED = Symbol('gave way')

/** The place of a request that is in hand. */
export interface Place {
  /** Waits for what the caller still sends, or gives way meanwhile. */
  whileReading<A>(read: () => Promise<A>): Promise<A | typeof EVICTED>
  /** Stands in a line before more is done, or gives way meanwhile. */
  whileQueued<A>(wait: () => Promise<A>): Promise<A | typeof EVICTED>
  /** All is done but that the caller takes the answer, and is slow at it; who gives way meanwhile is cut off. */
  whileSending(cutOff: () => void): void
  leave(): void
}

interface Holder {
  giveWay(): void
}

const nothing = (): void => {}

/** The part of all places that one caller may have while others wait. */
const SHARE = 4

/**
 * Places that callers share, by where they call from. Whoever is waited for gives way to others, and never what is being worked
 * on: while others are waited for too, one caller has at most a quarter of all places for requests that are still being read,
 * and where all are taken, the longest of whoever is waited for most gives way to the next one.
 * Source: decisions.md §12, Fair shares.
 */
export const createPlaces = (count: number) => {
  const share = Math.max(1, Math.floor(count / SHARE))
  const [waitedFor, beingRead] = [waitQueue<Holder>(), waitQueue<Holder>()]
  let taken = 0

  /** A place, or null where all are taken by what is being worked on. */
  return (whose: string): Place | null => {
    if (taken >= count) waitedFor.evictFor(whose)?.giveWay()
    if (taken >= count) return null
    taken += 1
    let isHeld = true
    let give = nothing
    const isWaitedForNoMore = (): void => {
      waitedFor.remove(whose, holder)
      beingRead.remove(whose, holder)
    }
    const leave = (): void => {
      if (!isHeld) return
      isHeld = false
      taken -= 1
      isWaitedForNoMore()
    }
    const holder: Holder = {
      giveWay() {
        leave()
        give()
      },
    }
    const orGiveWay = async <A>(wait: () => Promise<A>): Promise<A | typeof EVICTED> => {
      const gaveWay = new Promise<typeof EVICTED>((resolve) => {
        give = () => resolve(EVICTED)
      })
      waitedFor.add(whose, holder)
      try {
        return await Promise.race([wait(), gaveWay])
      } finally {
        isWaitedForNoMore()
      }
    }
    return {
      leave,
      whileReading(read) {
        const reading = orGiveWay(read)
        beingRead.add(whose, holder)
        for (const { giveWay } of beingRead.takeExcess(share)) giveWay()
        return reading
      },
      whileQueued: orGiveWay,
      whileSending(cutOff) {
        if (!isHeld) return
        give = cutOff
        waitedFor.add(whose, holder)
      },
    }
  }
}
