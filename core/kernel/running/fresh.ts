import { MAX_FRESH_IDS } from '../../limits.ts'
import type { Clock, Random } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { TraceContext, Tracer } from '../../ports/tracer.ts'
import { addSeconds, type Day, dayOf, type Instant } from '../values/day.ts'

/**
 * The inputs that keep a decision pure: time, ids and random values. They are drawn once per request; each retry gets the same
 * values of a kind in the same order.
 */
export interface Fresh {
  /** The machine's time: for displayed timestamps, signatures and leases. */
  readonly now: Instant
  /** The time that decides what is due or has expired. See `Clock.steady`. */
  readonly steady: Instant
  /** The business day: the day of `steady` in São Paulo. */
  readonly today: Day
  /** The next integer id of a collection. */
  id(collection: { readonly name: string }): number
  /** A random UUID (version 4). */
  uuid(): string
  /** A random text of `length` characters, uniform over the alphabet. */
  text(alphabet: string, length: number): string
  bytes(count: number): Uint8Array
  /** The span that queued work continues, stored with the work; null without a tracer. */
  readonly trace?: TraceContext | null
  /** Marks the end of a lease with this process, so that other processes can end the lease if this one dies. */
  readonly mark?: LeaseMark['mark'] | undefined
}

/** Marks ends of leases with the process that holds them. */
export interface LeaseMark {
  /** Returns the instant with this process in the digits below a millisecond; unchanged while no worker runs. */
  mark(end: Instant): Instant
}

/** Matches the end of a lease that names its process. */
const MARKED = /\.\d{3}(\d{6})Z$/

/** Returns the process that the end of a lease names; null for any other instant. */
export const processOf = (end: Instant): string | null => MARKED.exec(end)?.[1] ?? null

/** Returns the end of a lease of `seconds` from now. */
export const leaseEnd = ({ now, mark }: Pick<Fresh, 'now' | 'mark'>, seconds: number): Instant => {
  const end = addSeconds(now, seconds)
  return mark?.(end) ?? end
}

/** Thrown by `fresh.id` if the process holds no reserved id: the runner reserves ids and decides again. */
export class OutOfIds extends Error {
  readonly collection: string
  constructor(collection: string) {
    super(`no reserved id left of ${collection}`)
    this.collection = collection
  }
}

interface Sources {
  readonly clock: Clock
  readonly random: Random
  readonly ids: IdPool
  readonly presence?: LeaseMark
  readonly tracer?: Pick<Tracer, 'current'>
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const uuidOf = (bytes: Uint8Array): string => {
  const hex = Array.from(bytes, (byte, index) => {
    if (index === 6) return HEX[(byte & 0x0f) | 0x40]
    if (index === 8) return HEX[(byte & 0x3f) | 0x80]
    return HEX[byte]
  }).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const textOf = (random: Random, alphabet: string, length: number): string => {
  // Rejection sampling: a byte above the last whole multiple of the alphabet's length would favour its first characters.
  const ceiling = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < ceiling && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** Creates the `Fresh` of one request. Call `rewind` before each attempt: equal calls then return equal values. */
export const freshOf = (sources: Sources): { readonly fresh: Fresh; rewind(): void } => {
  const { clock, presence, tracer } = sources
  // Read on first use: most decisions read at most one of them.
  let now: Instant | null = null
  let steady: Instant | null = null
  let today: Day | null = null
  const drawnIds = new Map<string, number[]>()
  const idsRead = new Map<string, number>()
  const drawn = new Map<string, { readonly values: unknown[]; read: number }>()

  // Kept by kind: an attempt on another path must not receive values that were drawn for another purpose.
  const replay = <A>(kind: string, draw: () => A): A => {
    const of = drawn.get(kind) ?? { values: [], read: 0 }
    drawn.set(kind, of)
    if (of.read === of.values.length) of.values.push(draw())
    of.read += 1
    return of.values[of.read - 1] as A
  }

  const fresh: Fresh = {
    get now() {
      now ??= clock.now()
      return now
    },
    get steady() {
      steady ??= clock.steady()
      return steady
    },
    get today() {
      today ??= dayOf(fresh.steady)
      return today
    },
    get trace() {
      return tracer ? tracer.current() : null
    },
    id({ name }) {
      const mine = drawnIds.get(name) ?? []
      drawnIds.set(name, mine)
      const index = idsRead.get(name) ?? 0
      if (index >= MAX_FRESH_IDS) throw new RangeError(`a decision may draw at most ${MAX_FRESH_IDS} ids of ${name}`)
      if (index === mine.length) {
        const id = sources.ids.draw(name)
        if (id === null) throw new OutOfIds(name)
        mine.push(id)
      }
      idsRead.set(name, index + 1)
      return mine[index] as number
    },
    uuid: () => replay('uuid', () => uuidOf(sources.random.bytes(16))),
    text: (alphabet, length) => replay(`${length} of ${alphabet}`, () => textOf(sources.random, alphabet, length)),
    ...(presence && { mark: presence.mark }),
    bytes: (count) => replay(`${count} bytes`, () => sources.random.bytes(count)),
  }
  return {
    fresh,
    rewind() {
      for (const of of drawn.values()) of.read = 0
      idsRead.clear()
    },
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`

/** Returns random letters and digits, unguessable from 22 on. The first is a letter, so that a code is never taken for an id. */
export const randomCode = (fresh: Fresh, length: number): string =>
  fresh.text(LETTERS, 1) + fresh.text(LETTERS_AND_DIGITS, length - 1)

interface Block {
  next: number
  end: number
  drawn: number
}

/**
 * The reserved integer ids of this process, drawn without a call to the store. Each block is as large as the number of ids
 * drawn before it, at most `MAX_FRESH_IDS`, so that a crash leaves no gap larger than the number used.
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
