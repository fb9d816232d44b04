import { waitQueue } from '../../adapters/concurrency/wait-queue.ts'

/** The result for a request that was evicted while it waited. */
export const EVICTED = Symbol('evicted')

/** The slot of a request in flight. */
export interface Slot {
  /** Waits for the rest of the request; the request may be evicted meanwhile. */
  whileReading<A>(read: () => Promise<A>): Promise<A | typeof EVICTED>
  /** Waits in a queue; the request may be evicted meanwhile. */
  whileQueued<A>(wait: () => Promise<A>): Promise<A | typeof EVICTED>
  /** The client reads its answer slowly: from now on the request may be evicted, which calls `cutOff`. */
  whileSending(cutOff: () => void): void
  leave(): void
}

interface Holder {
  evict(): void
}

const nothing = (): void => {}

/** While others wait, one caller has at most this part of all slots for requests that are still being read. */
const SHARE = 4

/**
 * Creates the slots that callers share, by network. A request that waits for its client may be evicted, a request in
 * progress never. While others wait too, one caller has at most a quarter of all slots for requests that are still being read.
 * When all slots are taken, a new request evicts the longest waiting request of the caller with the most waiting ones.
 */
export const createSlots = (count: number) => {
  const share = Math.max(1, Math.floor(count / SHARE))
  const [evictable, reading] = [waitQueue<Holder>(), waitQueue<Holder>()]
  let taken = 0

  /** Returns a slot, or null if all are taken by requests in progress. */
  return (network: string): Slot | null => {
    if (taken >= count) evictable.evictFor(network)?.evict()
    if (taken >= count) return null
    taken += 1
    let isHeld = true
    let onEvicted = nothing
    const keep = (): void => {
      evictable.remove(network, holder)
      reading.remove(network, holder)
    }
    const leave = (): void => {
      if (!isHeld) return
      isHeld = false
      taken -= 1
      keep()
    }
    const holder: Holder = {
      evict() {
        leave()
        onEvicted()
      },
    }
    const orEvicted = async <A>(wait: () => Promise<A>): Promise<A | typeof EVICTED> => {
      const evicted = new Promise<typeof EVICTED>((resolve) => {
        onEvicted = () => resolve(EVICTED)
      })
      evictable.add(network, holder)
      try {
        return await Promise.race([wait(), evicted])
      } finally {
        keep()
      }
    }
    return {
      leave,
      whileReading(read) {
        const result = orEvicted(read)
        reading.add(network, holder)
        for (const { evict } of reading.takeExcess(share)) evict()
        return result
      },
      whileQueued: orEvicted,
      whileSending(cutOff) {
        if (!isHeld) return
        onEvicted = cutOff
        evictable.add(network, holder)
      },
    }
  }
}
