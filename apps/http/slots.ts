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

const nothing = (): void => {}

/** While others wait, one caller has at most this part of all slots for requests that are still being read. */
const SHARE = 4

/** The slots of an app, and the requests that wait for their client. */
class Room {
  readonly evictable = waitQueue<Place>()
  readonly reading = waitQueue<Place>()
  readonly share: number
  readonly #count: number
  taken = 0

  constructor(count: number) {
    this.#count = count
    this.share = Math.max(1, Math.floor(count / SHARE))
  }

  /** Returns a slot, or null if all are taken by requests in progress. */
  enter(network: string): Slot | null {
    if (this.taken >= this.#count) this.evictable.evictFor(network)?.evict()
    if (this.taken >= this.#count) return null
    this.taken += 1
    return new Place(this, network)
  }
}

class Place implements Slot {
  readonly #room: Room
  readonly #network: string
  #isHeld = true
  #onEvicted = nothing

  constructor(room: Room, network: string) {
    this.#room = room
    this.#network = network
  }

  leave(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#room.taken -= 1
    this.#keep()
  }

  evict(): void {
    this.leave()
    this.#onEvicted()
  }

  whileReading<A>(read: () => Promise<A>): Promise<A | typeof EVICTED> {
    const { reading, share } = this.#room
    const result = this.whileQueued(read)
    reading.add(this.#network, this)
    for (const place of reading.takeExcess(share)) place.evict()
    return result
  }

  async whileQueued<A>(wait: () => Promise<A>): Promise<A | typeof EVICTED> {
    const evicted = new Promise<typeof EVICTED>((resolve) => {
      this.#onEvicted = () => resolve(EVICTED)
    })
    this.#room.evictable.add(this.#network, this)
    try {
      return await Promise.race([wait(), evicted])
    } finally {
      this.#keep()
    }
  }

  whileSending(cutOff: () => void): void {
    if (!this.#isHeld) return
    this.#onEvicted = cutOff
    this.#room.evictable.add(this.#network, this)
  }

  /** From now on the request cannot be evicted. */
  #keep(): void {
    this.#room.evictable.remove(this.#network, this)
    this.#room.reading.remove(this.#network, this)
  }
}

/**
 * Creates the slots that callers share, by network. A request that waits for its client may be evicted, a request in
 * progress never. While others wait too, one caller has at most a quarter of all slots for requests that are still being read.
 * When all slots are taken, a new request evicts the longest waiting request of the caller with the most waiting ones.
 */
export const createSlots = (count: number): ((network: string) => Slot | null) => {
  const room = new Room(count)
  return (network) => room.enter(network)
}
