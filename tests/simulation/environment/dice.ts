import type { Random } from '../../../core/ports/runtime.ts'

/** Chance, all of it from one seed. */
export interface Dice {
  /** 0 to n - 1. */
  below(n: number): number
  /** Both ends included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<A>(list: readonly A[]): A
  /** One of the rows, as likely as its weight. */
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
