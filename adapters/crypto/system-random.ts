import type { Random } from '../../core/ports/runtime.ts'

/** What one call of `getRandomValues` gives at most, by the Web Cryptography specification. */
const QUOTA_BYTES = 65_536
/** Drawn at once: a call costs as much as some hundred bytes. */
const BLOCK_BYTES = 4_096
/** What is longer is drawn by itself. */
const MOST_OF_BLOCK = 256

let block = new Uint8Array(0)
let used = 0

/** The runtime's CSPRNG. No byte is given twice, and none is kept once it was given. */
export const systemRandom: Random = {
  bytes: (count) => {
    if (count > MOST_OF_BLOCK) return drawn(count)
    if (used + count > block.length) {
      block = drawn(BLOCK_BYTES)
      used = 0
    }
    const bytes = block.slice(used, used + count)
    block.fill(0, used, used + count)
    used += count
    return bytes
  },
}

const drawn = (count: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(count)
  for (let at = 0; at < count; at += QUOTA_BYTES) {
    globalThis.crypto.getRandomValues(bytes.subarray(at, at + QUOTA_BYTES))
  }
  return bytes
}
