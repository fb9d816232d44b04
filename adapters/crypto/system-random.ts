import type { Random } from '../../core/ports/random.ts'

/** What one call of `getRandomValues` gives at most, by the Web Cryptography specification. */
const QUOTA_BYTES = 65_536

/** The runtime's CSPRNG. */
export const systemRandom: Random = {
  bytes: (count) => {
    const bytes = new Uint8Array(count)
    for (let at = 0; at < count; at += QUOTA_BYTES) {
      globalThis.crypto.getRandomValues(bytes.subarray(at, at + QUOTA_BYTES))
    }
    return bytes
  },
}
