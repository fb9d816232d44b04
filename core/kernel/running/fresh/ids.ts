import { MAX_FRESH_IDS } from '../../../limits.ts'
import type { Store } from '../../../ports/store.ts'

interface Block {
  next: number
  end: number
  drawn: number
}

/**
 * The integer ids of this process, drawn at once and without asking the store: it reserves them in blocks.
 * A block is as large as what was drawn before it, so that a crash leaves no gap larger than what was used,
 * and a busy collection soon asks only once in 256 ids.
 */
export interface IdPool {
  /** The next id, or null when a block must be reserved first. */
  draw(collection: string): number | null
  refill(collection: string): Promise<void>
  /** Returns what was reserved and not used, on a clean stop. */
  returnIds(): Promise<void>
}

export const idPool = (store: Pick<Store, 'reserve' | 'returnIds'>): IdPool => {
  const blocks = new Map<string, Block>()
  const refilling = new Map<string, Promise<void>>()

  const refill = async (collection: string) => {
    const drawn = blocks.get(collection)?.drawn ?? 0
    const count = Math.min(MAX_FRESH_IDS, Math.max(1, drawn))
    const next = await store.reserve(collection, count)
    blocks.set(collection, { next, end: next + count, drawn })
    refilling.delete(collection)
  }

  return {
    draw(collection) {
      const block = blocks.get(collection)
      if (!block || block.next >= block.end) return null
      block.drawn += 1
      block.next += 1
      return block.next - 1
    },
    refill(collection) {
      const block = blocks.get(collection)
      if (block && block.next < block.end) return Promise.resolve()
      // Those who wait for the same collection share one reservation.
      const running = refilling.get(collection) ?? refill(collection)
      refilling.set(collection, running)
      return running.catch((error: unknown) => {
        refilling.delete(collection)
        throw error
      })
    },
    async returnIds() {
      for (const [collection, { next, end }] of blocks) {
        if (next < end) await store.returnIds(collection, next, end)
      }
      blocks.clear()
    },
  }
}
