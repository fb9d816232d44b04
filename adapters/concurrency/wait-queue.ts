/** A fair queue: waiters by key, in order of arrival. The caller starts or rejects the waiters that it takes out. */
interface WaitQueue<T> {
  readonly size: number
  add(key: string, waiter: T): void
  remove(key: string, waiter: T): void
  /**
   * Takes out the next waiter: of the keys with the least load, each in turn. A key whose load is infinite gets no
   * turn.
   */
  next(load?: (key: string) => number): T | undefined
  /** Takes out the oldest waiter of the key with the most waiters, with the newcomer counted for its key. */
  evictFor(newcomer: string): T | undefined
  /** Takes out the waiters of each key beyond `max`, the oldest first, if several keys wait. */
  takeExcess(max: number): readonly T[]
  /** Takes out all waiters that match. */
  takeWhere(isOut: (waiter: T) => boolean): readonly T[]
}

const none = (): number => 0

export const waitQueue = <T extends object>(): WaitQueue<T> => {
  const queues = new Map<string, Set<T>>()
  let size = 0

  const remove = (key: string, waiter: T): void => {
    const queue = queues.get(key)
    if (!queue?.delete(waiter)) return
    size -= 1
    if (queue.size === 0) queues.delete(key)
  }
  const takeOut = (key: string, waiting: readonly T[]): readonly T[] => {
    for (const waiter of waiting) remove(key, waiter)
    return waiting
  }
  const takeOldest = (key: string): T | undefined => {
    const [oldest] = queues.get(key) ?? []
    if (oldest) remove(key, oldest)
    return oldest
  }

  return {
    get size() {
      return size
    },
    add(key, waiter) {
      const queue = queues.get(key) ?? new Set()
      if (queue.has(waiter)) return
      queues.set(key, queue.add(waiter))
      size += 1
    },
    remove,
    next(load = none) {
      let turn: string | null = null
      let least = Number.POSITIVE_INFINITY
      for (const key of queues.keys()) {
        const count = load(key)
        if (count < least) [turn, least] = [key, count]
        if (least === 0) break
      }
      if (turn === null) return undefined
      const queue = queues.get(turn)
      const waiter = takeOldest(turn)
      // All other keys come before its next turn.
      if (queue && queues.delete(turn)) queues.set(turn, queue)
      return waiter
    },
    evictFor(newcomer) {
      let [holder, most] = ['', 0]
      for (const [key, queue] of queues) {
        const waiting = queue.size + (key === newcomer ? 1 : 0)
        if (waiting > most) [holder, most] = [key, waiting]
      }
      return takeOldest(holder)
    },
    takeExcess(max) {
      if (queues.size < 2 || size <= max) return []
      return [...queues].flatMap(([key, queue]) => takeOut(key, [...queue].slice(0, Math.max(0, queue.size - max))))
    },
    takeWhere: (isOut) => [...queues].flatMap(([key, queue]) => takeOut(key, [...queue].filter(isOut))),
  }
}
