import test from 'ava'
import { FULL } from '../size.ts'
import { noCast } from './actors/cast.ts'
import { environmentOf, type Fate } from './environment/environment.ts'
import { brokenNow, QUIET } from './invariants/invariants.ts'
import { comeToRest, heal } from './run.ts'
import { sharing } from './sharing-story.ts'
import { charging, moneyOut, parts, type Story, setOut } from './stories.ts'

const TIMEOUT_MS = 600_000

/** Crashes at every 29th effect; in full at each. */
const STRIDE = FULL ? 1 : 29

/** Runs a story in which a process dies before or after its effect number `at`. */
const runStory = async (story: Story, seed: number, at: number, fate: Fate) => {
  const environment = environmentOf(seed)
  const cast = noCast()
  await setOut(environment, cast)
  let points = 0
  environment.fates.of = () => {
    points += 1
    return points === at ? fate : null
  }
  await story.tell(environment, cast)
  const reached = points
  // The stride may exceed the story: no process dies after its end.
  environment.fates.of = () => null
  await heal(environment, cast)
  const isQuiet = await comeToRest(environment)
  return {
    points: reached,
    broken: [
      ...(isQuiet ? [] : ['work was still due after the last round']),
      ...(await brokenNow(environment, cast, QUIET)),
    ],
    end: story.endOf(await environment.snapshot()),
    tail: environment.trace.tail(),
  }
}

const seedOf = (bank: string): number => {
  for (let seed = 1; ; seed += 1) if (environmentOf(seed).bank.name === bank) return seed
}

for (const story of [charging, moneyOut, parts, sharing]) {
  for (const bank of story.banks) {
    for (const fate of ['before', 'after'] as const) {
      test(`${story.name}: another process finishes after a death ${fate} any effect: ${bank} bank`, async (t) => {
        t.timeout(TIMEOUT_MS)
        const seed = seedOf(bank)
        for (let at = fate === 'before' ? 1 : 2; ; at += STRIDE) {
          const { points, broken, end, tail } = await runStory(story, seed, at, fate)
          const where = `seed ${seed}, death ${fate} effect ${at}\n${tail.join('\n')}`
          t.deepEqual(broken, [], where)
          t.deepEqual(end, story.end, where)
          if (at > points) {
            t.true(at > 50, 'the story has effects')
            t.log(`${Math.floor(points / STRIDE)} deaths`)
            return
          }
        }
      })
    }
  }
}
