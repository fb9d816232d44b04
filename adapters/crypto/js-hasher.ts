import scryptJs from 'scrypt-js'
import type { Hasher } from '../../core/ports/identity.ts'
import { type Derive, hasherOf, hashTurns, KEY_BYTES, type ScryptOptions } from './scrypt-hash.ts'

/** One at a time: a second one on the same thread would only hold its memory for longer. */
const inTurn = hashTurns(1)

/** The library gives way to the event loop after every 125 blocks, about a millisecond. */
const derive: Derive = (secret, salt, { N, r, p }) => scryptJs.scrypt(secret, salt, N, r, p, KEY_BYTES)

/** scrypt in plain JavaScript, for a runtime that has none of its own: three times slower, in slices. */
export const jsHasher = (options?: ScryptOptions): Hasher => hasherOf(derive, inTurn, options)
