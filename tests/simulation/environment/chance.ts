import type { Fault } from '../../../adapters/memory/memory-store.ts'
import type { Random } from '../../../core/ports/runtime.ts'

/** Random choices from one seed. */
export interface Dice {
  /** 0 to n - 1. */
  below(n: number): number
  /** Both ends included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<A>(list: readonly A[]): A
  /** Picks a row by weight. */
  weighed<A extends { readonly weight: number }>(rows: readonly A[]): A
}

const WORD = 2 ** 32
const WORDS_AT_ONCE = 256

export const diceOf = ({ bytes }: Random): Dice => {
  let words = new Uint32Array()
  let read = 0
  const part = (): number => {
    if (read === words.length) {
      words = new Uint32Array(bytes(4 * WORDS_AT_ONCE).slice().buffer)
      read = 0
    }
    read += 1
    return (words[read - 1] ?? 0) / WORD
  }
  const below = (n: number): number => Math.floor(part() * n)
  const pick = <A>(list: readonly A[]): A => {
    if (list.length === 0) throw new RangeError('nothing to pick')
    return list[below(list.length)] as A
  }
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => part() < probability,
    pick,
    weighed: (rows) => {
      let left = part() * rows.reduce((sum, { weight }) => sum + weight, 0)
      for (const row of rows) {
        left -= row.weight
        if (left < 0) return row
      }
      return pick(rows)
    },
  }
}

/** The probability of each fault at each opportunity. */
export interface Weather {
  /** A call to the store takes time, so that other calls interleave. */
  readonly slowStore: number
  /** The process pauses for minutes after a commit. */
  readonly sleep: number
  readonly stale: number
  readonly conflict: number
  /** The connection to the store is lost before or after a commit, and the process continues. */
  readonly lostBefore: number
  readonly lostAfter: number
  readonly lostRead: number
  /** The process dies before or after an effect. */
  readonly death: number
  readonly bank: number
  readonly acquirer: number
  readonly mail: number
  readonly receiver: number
}

export const CALM: Weather = {
  slowStore: 0.2,
  sleep: 0,
  stale: 0,
  conflict: 0,
  lostBefore: 0,
  lostAfter: 0,
  lostRead: 0,
  death: 0,
  bank: 0,
  acquirer: 0,
  mail: 0,
  receiver: 0,
}

/** Draws a weather in which each fault is absent, rare or frequent, so that faults are combined. */
export const someWeather = (dice: Dice): Weather => ({
  slowStore: dice.pick([0, 0.3, 0.6]),
  sleep: dice.pick([0, 0, 0.003]),
  stale: dice.pick([0, 0.02, 0.2]),
  conflict: dice.pick([0, 0.02, 0.2]),
  lostBefore: dice.pick([0, 0, 0.02, 0.1]),
  lostAfter: dice.pick([0, 0, 0.02, 0.1]),
  lostRead: dice.pick([0, 0, 0.01, 0.05]),
  death: dice.pick([0, 0, 0.003, 0.02]),
  bank: dice.pick([0, 0.2, 0.7]),
  acquirer: dice.pick([0, 0.2, 0.7]),
  mail: dice.pick([0, 0.3, 0.9]),
  receiver: dice.pick([0, 0.3, 0.9]),
})

/** Draws the fault of a commit, if any. */
export const commitFault = (dice: Dice, { stale, conflict, lostBefore, lostAfter }: Weather): Fault | null => {
  if (dice.chance(stale)) return 'stale'
  if (dice.chance(conflict)) return 'conflict'
  if (dice.chance(lostBefore)) return 'crash-before'
  return dice.chance(lostAfter) ? 'crash-after' : null
}
