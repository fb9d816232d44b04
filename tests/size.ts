import type { ExecutionContext, TestFn } from 'ava'
import fc from 'fast-check'
import { SEED } from './seed.ts'

export { SEED }

/** Whether the tests run in full: `npm run test:long` says so. */
export const FULL = process.env.PORTICO_FULL === '1'

const skipped = (t: ExecutionContext): void => {
  t.log('SKIPPED: it takes too long beside all others: `npm run test:long` runs it')
  t.pass()
}

/** Registers what only the long run has time for: the usual one has a test in its place that says so. */
export const inFull = (test: TestFn, what: string, register: () => void): void => {
  if (FULL) register()
  else test(what, skipped)
}

type Declares = (what: string, body: (t: ExecutionContext) => Promise<void>) => void

/** A test that only the long run has time for. */
export const testInFull = (test: Declares, what: string, body: (t: ExecutionContext) => Promise<void>): void => {
  if (FULL) test(what, body)
  else test(what, async (t) => skipped(t))
}

/** Says what the chance of a test was. */
export const printSeed = (t: ExecutionContext): void => t.log(`PORTICO_SEED=${SEED}`)

/** So many of the items, by chance and in their order; all of them in full. */
export const some = <A>(items: readonly A[], count: number, salt = 0): readonly A[] => {
  if (FULL || items.length <= count) return items
  const [drawn = []] = fc.sample(fc.shuffledSubarray([...items.keys()], { minLength: count, maxLength: count }), {
    seed: SEED + salt,
    numRuns: 1,
  })
  const chosen = new Set(drawn)
  return items.filter((_, index) => chosen.has(index))
}

/** However many share, each is tried with so many. */
const LEAST_SHARE = 4

/** How many of so many in all each of them gets. */
export const shareOf = (total: number, among: number): number => Math.max(LEAST_SHARE, Math.floor(total / among))
