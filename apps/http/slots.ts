import { waitQueue } from '../../adapters/concurrency/wait-queue.ts'

/** The result for a request that was evicted while it waited. */
export const EVICTED = Symbol('evicted')

/** The slot of a request in flight. */
export interface Slot {
  /** Waits for the rest of the request. It may be evicted while it waits. */
  whileReading<A>(read: () => Promise<A>): Promise<A | typeof EVICTED>
  /** Waits in a queue. The request may be evicted while it waits. */
  whileQueued<A>(wait: () => Promise<A>): Promise<A | typeof EVICTED>
  /**
   * Allows the eviction of the request from now on, because its client reads the answer slowly. An eviction calls
   * `cutOff`.
   */
  whileSending(cutOff: () => void): void
  /** Frees the slot. */
  leave(): void
}

const nothing = (): void => {}

/** While others wait, one caller has at most this part of all slots for requests that are still being read. */
const SHARE = 4

/** The slots of an app, and the requests that wait for their client. */
class SlotPool {
  readonly evictable = waitQueue<PooledSlot>()
  readonly reading = waitQueue<PooledSlot>()
  readonly share: number
  readonly #count: number
  taken = 0

  constructor(count: number) {
    this.#count = count
    this.share = Math.max(1, Math.floor(count / SHARE))
  }

  /** Returns a slot, or null if all are taken by requests in progress. */
  take(network: string): Slot | null {
    if (this.taken >= this.#count) this.evictable.evictFor(network)?.evict()
    if (this.taken >= this.#count) return null
    this.taken += 1
    return new PooledSlot(this, network)
  }
}

class PooledSlot implements Slot {
  readonly #pool: SlotPool
  readonly #network: string
  #isTaken = true
  #onEvicted = nothing

  constructor(pool: SlotPool, network: string) {
    this.#pool = pool
    this.#network = network
  }

  leave(): void {
    if (!this.#isTaken) return
    this.#isTaken = false
    this.#pool.taken -= 1
    this.#endWait()
  }

  evict(): void {
    this.leave()
    this.#onEvicted()
  }

  whileReading<A>(read: () => Promise<A>): Promise<A | typeof EVICTED> {
    const { reading, share } = this.#pool
    const result = this.whileQueued(read)
    reading.add(this.#network, this)
    for (const slot of reading.takeExcess(share)) slot.evict()
    return result
  }

  async whileQueued<A>(wait: () => Promise<A>): Promise<A | typeof EVICTED> {
    const evicted = new Promise<typeof EVICTED>((resolve) => {
      this.#onEvicted = () => resolve(EVICTED)
    })
    this.#pool.evictable.add(this.#network, this)
    try {
      return await Promise.race([wait(), evicted])
    } finally {
      this.#endWait()
    }
  }

  whileSending(cutOff: () => void): void {
    if (!this.#isTaken) return
    this.#onEvicted = cutOff
    this.#pool.evictable.add(this.#network, this)
  }

  /** Ends a wait: from now on the request cannot be evicted. */
  #endWait(): void {
    this.#pool.evictable.remove(this.#network, this)
    this.#pool.reading.remove(this.#network, this)
  }
}

/**
 * Creates the slots that callers share, by network. A request that waits for its client may be evicted, a request in
 * progress never. While others wait too, one caller has at most a quarter of all slots for requests that are still
 * being read. When all slots are taken, a new request evicts the longest waiting request of the caller with the most
 * waiting ones.
 */
export const createSlots = (count: number): ((network: string) => Slot | null) => {
  const pool = new SlotPool(count)
  return (network) => pool.take(network)
}
