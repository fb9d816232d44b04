/** The fixed seed of `npm test`. */
const USUAL_SEED = 20_261_127

const drawn = (): number => (process.env.PORTICO_FULL === '1' ? Date.now() % 2 ** 31 : USUAL_SEED)

/** The seed of random tests: `PORTICO_SEED` repeats a run. The long run draws a new one. */
export const SEED = Number(process.env.PORTICO_SEED ?? drawn())

let given = 0

/** Returns a seed that was not returned before in this process: two servers on one store must draw different ids. */
export const nextSeed = (): number => {
  given += 1
  return SEED + given
}

/** More seeds than a process draws while it makes the store of a release. */
const SEEDS_OF_A_STORE = 10_000

/**
 * Skips the seeds from which the kept store of a release may have been made. A server with one of them would draw ids
 * that are in the store.
 */
export const skipSeedsOfStores = (): void => {
  given += SEEDS_OF_A_STORE
}
