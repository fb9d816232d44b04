import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import type { Hasher } from '../../core/ports/identity.ts'
import { jsHasher } from './js-hasher.ts'
import { type Derive, hasherOf, hashTurns, KEY_BYTES, type ScryptOptions } from './scrypt-hash.ts'

/** Of the four threads that files and name look-ups wait for too. */
const AT_ONCE = 2
const inTurn = hashTurns(AT_ONCE)
/** What OpenSSL needs beside the 128 * N * r bytes of scrypt itself, generously. */
const MARGIN_BYTES = 2 ** 20

const nativeDerive = (): Derive => {
  const scrypt = promisify<crypto.BinaryLike, crypto.BinaryLike, number, crypto.ScryptOptions, Buffer>(crypto.scrypt)
  return (secret, salt, { N, r, p }) =>
    scrypt(secret, salt, KEY_BYTES, { N, r, p, maxmem: 128 * r * (N + p) + MARGIN_BYTES })
}

/** scrypt off the event loop by the runtime's own crypto, in JavaScript where the runtime has none. */
export const scryptHasher = (options?: ScryptOptions): Hasher =>
  typeof crypto.scrypt === 'function' ? hasherOf(nativeDerive(), inTurn, options) : jsHasher(options)
