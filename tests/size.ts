import type { ExecutionContext, TestFn } from 'ava'
import fc from 'fast-check'
import { SEED } from './seed.ts'

export { SEED }

/** Set by `npm run test:long`: the tests run in full. */
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

/** Logs the seed of a test. */
export const printSeed = (t: ExecutionContext): void => t.log(`PORTICO_SEED=${SEED}`)

/** Draws `count` items in their order; all of them in full. */
export const some = <A>(items: readonly A[], count: number, salt = 0): readonly A[] => {
  if (FULL || items.length <= count) return items
  const [drawn = []] = fc.sample(fc.shuffledSubarray([...items.keys()], { minLength: count, maxLength: count }), {
    seed: SEED + salt,
    numRuns: 1,
  })
  const chosen = new Set(drawn)
  return items.filter((_, index) => chosen.has(index))
}

/** The least share. */
const LEAST_SHARE = 4

/** Returns the share of each of `among` tests of a total. */
export const shareOf = (total: number, among: number): number => Math.max(LEAST_SHARE, Math.floor(total / among))
