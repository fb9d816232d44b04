import type { Random } from '../../core/ports/runtime.ts'

/** The limit of one call of `getRandomValues` (Web Cryptography API). */
const QUOTA_BYTES = 65_536
/** A call costs as much as some hundred bytes, so a block is drawn at once. */
const BLOCK_BYTES = 4_096
/** Longer requests do not use the block. */
const MAX_FROM_BLOCK = 256

let block = new Uint8Array(0)
let used = 0

/** The runtime's CSPRNG. Returned bytes are erased from the block. */
export const systemRandom: Random = {
  bytes: (count) => {
    if (count > MAX_FROM_BLOCK) return drawBytes(count)
    if (used + count > block.length) {
      block = drawBytes(BLOCK_BYTES)
      used = 0
    }
    const bytes = block.slice(used, used + count)
    block.fill(0, used, used + count)
    used += count
    return bytes
  },
}

const drawBytes = (count: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(count)
  for (let at = 0; at < count; at += QUOTA_BYTES) {
    globalThis.crypto.getRandomValues(bytes.subarray(at, at + QUOTA_BYTES))
  }
  return bytes
}

/** One step of splitmix32, which spreads a seed over the state, so that near seeds give unrelated sequences. */
const splitmix32 = (seed: number): number => {
  const a = Math.imul(seed ^ (seed >>> 16), 0x21f0aaad)
  const b = Math.imul(a ^ (a >>> 15), 0x735a2d97)
  return (b ^ (b >>> 15)) >>> 0
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

/**
 * Generates the same bytes for the same seed (an integer), for tests and simulations: guessable, never for secrets. The
 * generator is xoshiro128** by Blackman and Vigna; each call draws whole words, low byte first.
 */
export const seededRandom = (seed: number): Random => {
  const golden = 0x9e3779b9
  const low = seed >>> 0
  const high = Math.floor(seed / 2 ** 32) >>> 0
  const start = splitmix32(high) ^ low
  let [a, b, c, d] = [1, 2, 3, 4].map((step) => splitmix32(start + Math.imul(step, golden))) as [
    number,
    number,
    number,
    number,
  ]
  const word = (): number => {
    const drawn = Math.imul(rotate(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return drawn
  }
  return {
    bytes: (count) => {
      const words = new DataView(new ArrayBuffer(Math.ceil(count / 4) * 4))
      for (let at = 0; at < words.byteLength; at += 4) words.setUint32(at, word() >>> 0, true)
      return new Uint8Array(words.buffer, 0, count)
    },
  }
}
