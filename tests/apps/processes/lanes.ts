/** Processes items in a number of parallel lanes. */
export const inLanes = async <A, B>(
  lanes: number,
  items: readonly A[],
  act: (item: A, index: number) => Promise<B>,
): Promise<readonly B[]> => {
  const made: B[] = []
  const left = [...items.entries()]
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, item] = next
      made[index] = await act(item, index)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return made
}

/** Returns an item by its index, cyclically. */
export const inTurn = <A>(all: readonly [A, ...A[]], index: number): A => all[index % all.length] ?? all[0]

/** 0, 1, 2 … */
export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

const LOOK_EVERY_MS = 50
/** Longer than any operation that ends. */
export const PATIENCE_MS = 90_000

/** Waits until a condition holds. Rejects after a time-out. */
export const until = async (
  holds: () => Promise<boolean>,
  what = 'the condition',
  patienceMs = PATIENCE_MS,
): Promise<void> => {
  const end = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what} did not hold in time`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
