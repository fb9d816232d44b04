/** How many times as much the whole is as the part. */
export const GROWTH = 10
/** Ten times as much may take twenty times as long, a hundred times where the work is quadratic. */
export const MAX_GROWTH = 20
/**
 * What is done in this many ms is short enough, whatever memory costs on the machine: what is quadratic takes a hundred times as
 * long and more.
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

/** How many times as long the whole takes as the part, measured again while chance may have had its hand in it. */
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
