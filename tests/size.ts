import type { ExecutionContext } from 'ava'
import fc from 'fast-check'

/** Whether the tests run in full: `npm run test:long` says so. */
export const FULL = process.env.PORTICO_FULL === '1'

/** What chance is drawn from: `PORTICO_SEED` draws the same again. */
export const SEED = Number(process.env.PORTICO_SEED ?? Date.now() % 2 ** 31)

/** Says what the chance of a test was. */
export const printSeed = (t: ExecutionContext): void => t.log(`PORTICO_SEED=${SEED}`)

/** So many of the items, by chance and in their order; all of them in full. */
export const some = <A>(items: readonly A[], count: number, salt = 0): readonly A[] => {
  if (FULL || items.length <= count) return items
  const [drawn = []] = fc.sample(fc.shuffledSubarray([...items.keys()], { minLength: count, maxLength: count }), {
    seed: SEED + salt,
    numRuns: 1,
  })
  return drawn.sort((a, b) => a - b).flatMap((index) => items[index] ?? [])
}

/** How many of so many in all each of them gets. */
export const shareOf = (total: number, among: number): number => Math.max(10, Math.floor(total / among))
