import { MAX_FRESH_IDS } from '../../../limits.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { TraceContext, Tracer } from '../../../ports/tracer.ts'
import { type Day, dayOf, type Instant, plusSeconds } from '../../values/day.ts'
import type { IdPool } from './ids.ts'

/**
 * What a decision may not make up itself: the time, ids and random codes. Drawn once per request and given again, those of
 * one kind in the same order, to every attempt at it.
 */
export interface Fresh {
  /** What the clock shows: for what people see, what is signed and how long a lease lasts. */
  readonly now: Instant
  /** By which the passing of time is judged: what is due or has run out, and when it is to be. */
  readonly steady: Instant
  /** The day of the steady time, by which business goes. */
  readonly today: Day
  /** The next integer id of a collection. */
  id(collection: { readonly name: string }): number
  /** A random UUID (version 4). */
  uuid(): string
  /** A random text of `length` characters of the alphabet, each equally likely. */
  text(alphabet: string, length: number): string
  bytes(count: number): Uint8Array
  /** Marks the end of a lease with this process, which others may then end if it dies. */
  readonly mark?: LeaseMark['mark'] | undefined
  /** The span that queued work continues, stored with it; null without a tracer. */
  readonly trace?: TraceContext | null
}

/** Marks the ends of leases with the process that holds them. */
export interface LeaseMark {
  /** Returns the same instant, to the millisecond, that names this process; unmarked while it runs no worker. */
  mark(end: Instant): Instant
}

/** The end of a lease, with its process in the digits below a millisecond. */
const MARKED = /\.\d{3}(\d{6})Z$/

/** The process that the end of a lease names; null for any other instant. */
export const processOf = (end: Instant): string | null => MARKED.exec(end)?.[1] ?? null

/** The end of a lease of so many seconds that begins now. */
export const leaseEnd = ({ now, mark }: Pick<Fresh, 'now' | 'mark'>, seconds: number): Instant => {
  const end = plusSeconds(now, seconds)
  return mark?.(end) ?? end
}

/** Thrown by `fresh.id` when the process holds no reserved id: the runner reserves and decides again. */
export class OutOfIds extends Error {
  readonly collection: string
  constructor(collection: string) {
    super(`no reserved id of ${collection}`)
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
  // A byte above the last whole multiple of the alphabet would favour its first characters: it is drawn again.
  const ceiling = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < ceiling && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** One request's draws. `rewind` before each attempt: the same calls then get the same answers. */
export const freshOf = (sources: Sources): { readonly fresh: Fresh; rewind(): void } => {
  const { clock, presence, tracer } = sources
  // Most of what is decided asks for no time, or for one of them.
  let now: Instant | null = null
  let steady: Instant | null = null
  let today: Day | null = null
  const drawnIds = new Map<string, number[]>()
  const idsRead = new Map<string, number>()
  const drawn = new Map<string, { readonly values: unknown[]; read: number }>()

  // Kind by kind: an attempt that goes another way gets nothing that was drawn for something else.
  const again = <A>(kind: string, draw: () => A): A => {
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
    id({ name }) {
      const mine = drawnIds.get(name) ?? []
      drawnIds.set(name, mine)
      const index = idsRead.get(name) ?? 0
      if (index >= MAX_FRESH_IDS) throw new RangeError(`a decision draws at most ${MAX_FRESH_IDS} ids of ${name}`)
      if (index === mine.length) {
        const id = sources.ids.draw(name)
        if (id === null) throw new OutOfIds(name)
        mine.push(id)
      }
      idsRead.set(name, index + 1)
      return mine[index] as number
    },
    uuid: () => again('uuid', () => uuidOf(sources.random.bytes(16))),
    text: (alphabet, length) => again(`${length} of ${alphabet}`, () => textOf(sources.random, alphabet, length)),
    ...(presence && { mark: presence.mark }),
    get trace() {
      return tracer ? tracer.current() : null
    },
    bytes: (count) => again(`${count} bytes`, () => sources.random.bytes(count)),
  }
  return {
    fresh,
    rewind() {
      for (const of of drawn.values()) of.read = 0
      idsRead.clear()
    },
  }
}
