import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import scryptJs from 'scrypt-js'
import { networkOf } from '../../core/kernel/values/network.ts'
import { MAX_WAITING_HASHES } from '../../core/limits.ts'
import { type Hasher, HasherBusy, type Requester } from '../../core/ports/identity.ts'
import type { Random } from '../../core/ports/runtime.ts'
import { slots } from '../concurrency/slots.ts'
import { systemRandom } from './random.ts'

export interface ScryptOptions {
  /** The base-2 logarithm of N for new hashes, 15 by default; less is for tests only. */
  readonly logN?: number
  /** The source of salts; the runtime's CSPRNG by default. */
  readonly random?: Random
}

/** Hashes by scrypt off the event loop; in JavaScript if the runtime has no scrypt. */
export const scryptHasher = (options?: ScryptOptions): Hasher =>
  typeof crypto.scrypt === 'function' ? hasherOf(nativeDerive(), nativeSlots, options) : jsHasher(options)

/** Hashes by scrypt in plain JavaScript, three times slower, in slices of about a millisecond. */
export const jsHasher = (options?: ScryptOptions): Hasher => hasherOf(jsDerive, jsSlots, options)

/** Limits concurrent derivations to `count`, in fair order by network. */
export const hashSlots = (count: number): HashSlots =>
  slots(count, {
    max: MAX_WAITING_HASHES,
    rejection: () => new HasherBusy('the queue of hashes is full, or the requester is gone'),
  })

type HashSlots = ReturnType<typeof slots>

/** Two of the four threads that files and DNS lookups need too. */
const nativeSlots = hashSlots(2)
/** On one thread, concurrent derivations would only hold their memory longer. */
const jsSlots = hashSlots(1)

/** N rounds (a power of two) over blocks of r, p times: 128 * N * r bytes of memory. */
interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** scrypt (RFC 7914) to a key of 32 bytes, without blocking the event loop. */
export type Derive = (secret: Uint8Array, salt: Uint8Array, cost: Cost) => Promise<Uint8Array>

const KEY_BYTES = 32
const SALT_BYTES = 16
const DEFAULT_LOG_N = 15
/** Four times the default cost, 128 MiB: the limit for a stored hash. */
const MAX_WORK = 2 ** 20
/** More than OpenSSL needs beside the 128 * N * r bytes of scrypt. */
const MARGIN_BYTES = 2 ** 20
const FORM = /^scrypt\$([1-9]\d{0,6})\$([1-9]\d?)\$([1-9])\$([A-Za-z\d+/]{22}==)\$([A-Za-z\d+/]{43}=)$/

const nativeDerive = (): Derive => {
  const scrypt = promisify<crypto.BinaryLike, crypto.BinaryLike, number, crypto.ScryptOptions, Buffer>(crypto.scrypt)
  return (secret, salt, { N, r, p }) =>
    scrypt(secret, salt, KEY_BYTES, { N, r, p, maxmem: 128 * r * (N + p) + MARGIN_BYTES })
}

const jsDerive: Derive = (secret, salt, { N, r, p }) => scryptJs.scrypt(secret, salt, N, r, p, KEY_BYTES)

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

const isAllowed = ({ N, r, p }: Cost): boolean =>
  N > 1 && Number.isInteger(Math.log2(N)) && N < 2 ** (16 * r) && N * r * p <= MAX_WORK

const parse = (stored: string) => {
  const [, N, r, p, salt, key] = FORM.exec(stored) ?? []
  if (salt === undefined || key === undefined) return null
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  return isAllowed(cost) ? { cost, salt: fromBase64(salt), key: fromBase64(key) } : null
}

/** Compares in constant time. */
const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.reduce((difference, byte, at) => difference | (byte ^ (b[at] ?? 0)), 0) === 0

const networkOfRequester = (requester: Requester | null): string => (requester ? networkOf(requester.address) : '')

/** Implements the hasher port by a scrypt: the stored form, the limits of the cost, and the queue. */
export const hasherOf = (derive: Derive, inSlot: HashSlots, options: ScryptOptions = {}): Hasher => {
  const { logN = DEFAULT_LOG_N, random = systemRandom } = options
  const cost: Cost = { N: 2 ** logN, r: 8, p: 1 }
  if (!isAllowed(cost)) throw new RangeError(`logN ${logN} is out of bounds`)
  const derived = (secret: string, salt: Uint8Array, by: Cost, requester: Requester | null = null) =>
    inSlot(
      () => derive(new TextEncoder().encode(secret), salt, by),
      networkOfRequester(requester),
      () => requester?.signal?.aborted === true,
    )
  return {
    hash: async (secret, requester) => {
      const salt = random.bytes(SALT_BYTES)
      const key = await derived(secret, salt, cost, requester)
      return ['scrypt', cost.N, cost.r, cost.p, toBase64(salt), toBase64(key)].join('$')
    },
    verify: async (secret, stored, requester) => {
      const parsed = parse(stored)
      return parsed !== null && equalBytes(await derived(secret, parsed.salt, parsed.cost, requester), parsed.key)
    },
    verifyDummy: async (secret, requester) => {
      await derived(secret, random.bytes(SALT_BYTES), cost, requester)
    },
  }
}
