/** Processes items, at most `width` of them at once. */
export const inLanes = async <A, B>(
  width: number,
  items: readonly A[],
  act: (item: A, index: number) => Promise<B>,
): Promise<readonly B[]> => {
  const made: B[] = []
  const waiting = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next
      made[index] = await act(item, index)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return made
}

/** Returns an item by its index, cyclically. */
export const inTurn = <A>(all: readonly [A, ...A[]], index: number): A => all[index % all.length] ?? all[0]

/** 0, 1, 2 … */
export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

const POLL_MS = 50
/** Longer than any operation that succeeds. */
export const WAIT_MS = 90_000

/** Waits until a condition holds. Rejects after a time-out. */
export const until = async (holds: () => Promise<boolean>, what = 'the condition', waitMs = WAIT_MS): Promise<void> => {
  const end = performance.now() + waitMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what} did not hold in time`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
