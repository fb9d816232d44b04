/** Does a part of the work and answers how many times it did it. */
export type Round = () => Promise<number>

const ROUNDS = 11

const perSecond = async (round: Round): Promise<number> => {
  const start = performance.now()
  const times = await round()
  return (times / (performance.now() - start)) * 1_000
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** The median rates of two things, taken in turns (A B B A …), so that what else the machine does falls on both. */
export const rates = async (ours: Round, floor: Round): Promise<{ oursPerSecond: number; floorPerSecond: number }> => {
  await ours()
  await floor()
  const [a, b]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 2 === 0) a.push(await perSecond(ours))
    b.push(await perSecond(floor))
    if (round % 2 === 1) a.push(await perSecond(ours))
  }
  return { oursPerSecond: median(a), floorPerSecond: median(b) }
}

/** Runs a task `times` times, as many at once as there are lanes. */
export const inFlight = async (
  lanes: number,
  times: number,
  task: (number: number) => Promise<unknown>,
): Promise<number> => {
  let started = 0
  const lane = async (): Promise<void> => {
    while (started < times) {
      started += 1
      await task(started)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return times
}
