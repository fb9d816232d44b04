/** The ratio of the sizes of the whole and the part. */
export const GROWTH = 10
/** Ten times as much may take twenty times as long, a hundred times where the work is quadratic. */
export const MAX_GROWTH = 20
/**
 * Durations below this pass: memory access dominates them, and quadratic work takes a hundred times as long or more.
 */
const NOISE_MS = 100
const RUNS = 8

/** Of the processor, so that a busy machine makes no difference. */
const msOf = async (work: () => unknown): Promise<number> => {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** Returns the ratio of the durations of the whole and the part, measured again while it may be noise. */
export const growthOf = async (part: () => unknown, whole: () => unknown): Promise<number> => {
  let [partMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < RUNS; run += 1) {
    wholeMs = Math.min(wholeMs, await msOf(whole))
    if (wholeMs < NOISE_MS) return 0
    partMs = Math.min(partMs, await msOf(part))
    if (run > 0 && wholeMs / partMs < MAX_GROWTH) break
  }
  return wholeMs / partMs
}
