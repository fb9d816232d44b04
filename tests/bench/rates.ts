/** Repeats a task until a moment of `performance.now()`; returns the number of repetitions. */
export type Work = (endMs: number) => Promise<number>

export interface Turns {
  readonly rounds: number
  readonly roundMs: number
}

const USUAL: Turns = { rounds: 7, roundMs: 400 }

const perSecond = async (work: Work, roundMs: number): Promise<number> => {
  const start = performance.now()
  const times = await work(start + roundMs)
  return (times / (performance.now() - start)) * 1_000
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Takes turns (A B B A …), so that other load of the machine falls on both. */
export const inTurns = async <A, B>(
  rounds: number,
  ours: () => Promise<A>,
  floor: () => Promise<B>,
): Promise<{ readonly ours: readonly A[]; readonly floor: readonly B[] }> => {
  const [a, b]: [A[], B[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) a.push(await ours())
    b.push(await floor())
    if (round % 2 === 1) a.push(await ours())
  }
  return { ours: a, floor: b }
}

/** Returns the median rates of two tasks per second, after one uncounted turn of each. */
export const rates = async (
  ours: Work,
  floor: Work,
  { rounds, roundMs }: Turns = USUAL,
): Promise<{ readonly ours: number; readonly floor: number }> => {
  const [a, b] = [() => perSecond(ours, roundMs), () => perSecond(floor, roundMs)]
  await a()
  await b()
  const taken = await inTurns(rounds, a, b)
  return { ours: median(taken.ours), floor: median(taken.floor) }
}

/** Runs a task in parallel lanes. Each run gets a number of its own, over all turns. */
export const inFlight = (lanes: number, task: (number: number) => unknown): Work => {
  let begun = 0
  return async (endMs) => {
    let done = 0
    const lane = async (): Promise<void> => {
      while (performance.now() < endMs) {
        begun += 1
        await task(begun)
        done += 1
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return done
  }
}

export const straight = (task: (number: number) => unknown): Work => {
  let begun = 0
  return async (endMs) => {
    const before = begun
    while (performance.now() < endMs) {
      begun += 1
      task(begun)
    }
    return begun - before
  }
}

const TIMES = 15
/** Slow requests are measured fewer times. */
const LONGEST_MS = 3_000

const nothing = async (): Promise<void> => {}

/** Returns the median duration in milliseconds after three uncounted runs; `before` runs before each counted one. */
export const tookMs = async (ask: () => Promise<void>, before = nothing): Promise<number> => {
  for (let time = 0; time < 3; time += 1) await ask()
  const taken: number[] = []
  const begun = performance.now()
  while (taken.length < TIMES && performance.now() - begun < LONGEST_MS) {
    await before()
    const start = performance.now()
    await ask()
    taken.push(performance.now() - start)
  }
  return median(taken)
}
