/** Runs tasks in the order they came, at most `count` at once; the others wait. */
export const slots = (count: number) => {
  let free = count
  const waiting: (() => void)[] = []
  return async <A>(task: () => Promise<A>): Promise<A> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
