import { MAX_FRESH_IDS } from '../../limits.ts'
import type { Store } from '../../ports/store.ts'

/** Thrown by `fresh.id` if the process holds no reserved id: the runner reserves ids and decides again. */
export class OutOfIds extends Error {
  readonly collection: string
  constructor(collection: string) {
    super(`no reserved id left of ${collection}`)
    this.collection = collection
  }
}

/** Draws the next id of a collection. */
export const idOf = (ids: IdPool, name: string): number => {
  const id = ids.draw(name)
  if (id === null) throw new OutOfIds(name)
  return id
}

interface Block {
  next: number
  end: number
  drawn: number
}

/**
 * The reserved integer ids of this process, drawn without a call to the store. Each block is as large as the number of
 * ids drawn before it, at most `MAX_FRESH_IDS`, so that a crash leaves no gap larger than the number used.
 */
export interface IdPool {
  /** Returns the next id, or null if a block must be reserved first. */
  draw(collection: string): number | null
  refill(collection: string): Promise<void>
  /** Returns unused reserved ids to the store, on a clean stop. */
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
      // Concurrent callers share one reservation.
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

/**
 * Returns a UUID of version 8 (RFC 9562, 5.8: custom content) from a SHA-256 in hex, so that the same content has the
 * same UUID. The variant digit must stay the one of the stored records: another one would not find them.
 */
export const uuidFromHash = (hex: string, variant: '8' | 'a'): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Returns a UUID (version 4) of 16 random bytes. */
export const uuidOf = (bytes: Uint8Array): string => {
  let text = ''
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-'
    if (index === 6) text += HEX[(byte & 0x0f) | 0x40]
    else text += HEX[index === 8 ? (byte & 0x3f) | 0x80 : byte]
  }
  return text
}
