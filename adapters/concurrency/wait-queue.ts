/**
 * Those who wait, by whose they are, and those of one key in the order they came. Whoever is taken out is started, refused or
 * cut off by whoever keeps them. Source: decisions.md §12, Fair shares.
 */
export interface WaitQueue<T> {
  readonly size: number
  add(key: string, waiter: T): void
  remove(key: string, waiter: T): void
  /**
   * Takes out whose turn it is: of the keys that have least under way, each has one after the other, however many wait there;
   * nobody of a key that may have no more (infinity).
   */
  next(underWay?: (key: string) => number): T | undefined
  /** Takes out who makes room for one more of `newcomer`: the longest waiter of the key that holds most, that one included. */
  evictFor(newcomer: string): T | undefined
  /** Takes out what keys hold beyond `most` while others wait too, the longest waiters first. */
  takeExcess(most: number): readonly T[]
  /** Takes out all of whom it is true. */
  takeWhere(isOut: (waiter: T) => boolean): readonly T[]
}

const none = (): number => 0

export const waitQueue = <T extends object>(): WaitQueue<T> => {
  const lines = new Map<string, Set<T>>()
  let size = 0

  const remove = (key: string, waiter: T): void => {
    const line = lines.get(key)
    if (!line?.delete(waiter)) return
    size -= 1
    if (line.size === 0) lines.delete(key)
  }
  const takeOut = (key: string, waiting: readonly T[]): readonly T[] => {
    for (const waiter of waiting) remove(key, waiter)
    return waiting
  }
  const takeLongest = (key: string): T | undefined => {
    const [longest] = lines.get(key) ?? []
    if (longest) remove(key, longest)
    return longest
  }

  return {
    get size() {
      return size
    },
    add(key, waiter) {
      const line = lines.get(key) ?? new Set()
      if (line.has(waiter)) return
      lines.set(key, line.add(waiter))
      size += 1
    },
    remove,
    next(underWay = none) {
      let turn: string | null = null
      let least = Number.POSITIVE_INFINITY
      for (const key of lines.keys()) {
        const count = underWay(key)
        if (count < least) [turn, least] = [key, count]
        if (least === 0) break
      }
      if (turn === null) return undefined
      const line = lines.get(turn)
      const waiter = takeLongest(turn)
      // It has had its turn: all others come before its next one.
      if (line && lines.delete(turn)) lines.set(turn, line)
      return waiter
    },
    evictFor(newcomer) {
      let [holder, most] = ['', 0]
      for (const [key, line] of lines) {
        const held = line.size + (key === newcomer ? 1 : 0)
        if (held > most) [holder, most] = [key, held]
      }
      return takeLongest(holder)
    },
    takeExcess(most) {
      if (lines.size < 2 || size <= most) return []
      return [...lines].flatMap(([key, line]) => takeOut(key, [...line].slice(0, Math.max(0, line.size - most))))
    },
    takeWhere: (isOut) => [...lines].flatMap(([key, line]) => takeOut(key, [...line].filter(isOut))),
  }
}
