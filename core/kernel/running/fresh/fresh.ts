import { MAX_FRESH_IDS } from '../../../limits.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import { type Day, dayOf, type Instant } from '../../values/day.ts'
import type { IdPool } from './ids.ts'

/**
 * What a decision may not make up itself: the time, ids and random codes. Drawn once per request and given again, in
 * the same order, to every attempt at it.
 */
export interface Fresh {
  readonly now: Instant
  readonly today: Day
  /** The next integer id of a collection. */
  id(collection: { readonly name: string }): number
  /** A random UUID (version 4). */
  uuid(): string
  /** A random text of `length` characters of the alphabet, each equally likely. */
  text(alphabet: string, length: number): string
  bytes(count: number): Uint8Array
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
  const now = sources.clock.now()
  const drawnIds = new Map<string, number[]>()
  const idsRead = new Map<string, number>()
  const drawn: unknown[] = []
  let read = 0

  const again = <A>(draw: () => A): A => {
    if (read === drawn.length) drawn.push(draw())
    read += 1
    return drawn[read - 1] as A
  }

  const fresh: Fresh = {
    now,
    today: dayOf(now),
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
    uuid: () => again(() => uuidOf(sources.random.bytes(16))),
    text: (alphabet, length) => again(() => textOf(sources.random, alphabet, length)),
    bytes: (count) => again(() => sources.random.bytes(count)),
  }
  return {
    fresh,
    rewind() {
      read = 0
      idsRead.clear()
    },
  }
}
