import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import scryptJs from 'scrypt-js'
import { networkOf } from '../../core/kernel/values/network.ts'
import { MAX_WAITING_HASHES } from '../../core/limits.ts'
import { type Hasher, HasherBusy, type Requester } from '../../core/ports/identity.ts'
import type { Random } from '../../core/ports/runtime.ts'
import { slots } from '../concurrency/slots.ts'
import { systemRandom } from './random.ts'

/** N rounds (a power of two) over blocks of r, p times: 128 * N * r bytes of memory. */
interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** scrypt (RFC 7914) to a key of 32 bytes, without blocking the event loop. */
export type Derive = (secret: Uint8Array, salt: Uint8Array, cost: Cost) => Promise<Uint8Array>

export interface ScryptOptions {
  /** Base-2 logarithm of N for new hashes, 15 by default; less is for tests only. */
  readonly logN?: number
  /** Where salts come from, the runtime's CSPRNG by default. */
  readonly random?: Random
}

export const KEY_BYTES = 32
const SALT_BYTES = 16
const DEFAULT_LOG_N = 15
/** Four times the default cost, 128 MiB: what a stored text may ask of the process. */
const MAX_WORK = 2 ** 20
const FORM = /^scrypt\$([1-9]\d{0,6})\$([1-9]\d?)\$([1-9])\$([A-Za-z\d+/]{22}==)\$([A-Za-z\d+/]{43}=)$/

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

/** Looks at every byte wherever the first difference is. */
const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.reduce((difference, byte, at) => difference | (byte ^ (b[at] ?? 0)), 0) === 0

/** Where those who have something derived take turns, `count` of them at once. */
export const hashSlots = (count: number): HashSlots =>
  slots(count, {
    max: MAX_WAITING_HASHES,
    rejection: () => new HasherBusy('too much waits to be hashed, or nobody for it'),
  })

type HashSlots = ReturnType<typeof slots>

const networkOfRequester = (requester: Requester | null): string => (requester ? networkOf(requester.address) : '')

/**
 * The hasher port over any scrypt: its stored form, its bounds, and whose turn it is.
 * Source: decisions.md §1, Sessions and codes; §12, Fair shares.
 */
export const hasherOf = (derive: Derive, nativeSlots: HashSlots, options: ScryptOptions = {}): Hasher => {
  const { logN = DEFAULT_LOG_N, random = systemRandom } = options
  const cost: Cost = { N: 2 ** logN, r: 8, p: 1 }
  if (!isAllowed(cost)) throw new RangeError(`logN ${logN} is out of bounds`)
  const derived = (secret: string, salt: Uint8Array, by: Cost, requester: Requester | null = null) =>
    nativeSlots(
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

/** Of the four threads that files and name look-ups wait for too. */
const AT_ONCE = 2
const inTurn = hashSlots(AT_ONCE)
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

/** One at a time: a second one on the same thread would only hold its memory for longer. */
const jsSlots = hashSlots(1)

/** The library gives way to the event loop after every 125 blocks, about a millisecond. */
const jsDerive: Derive = (secret, salt, { N, r, p }) => scryptJs.scrypt(secret, salt, N, r, p, KEY_BYTES)

/** scrypt in plain JavaScript, for a runtime that has none of its own: three times slower, in slices. */
export const jsHasher = (options?: ScryptOptions): Hasher => hasherOf(jsDerive, jsSlots, options)
