import type { Store } from '../../core/ports/store.ts'
import { begin, type Cast, noCast, over } from './actors/cast.ts'
import { keepUp } from './actors/operators.ts'
import { openAccount, register } from './actors/people.ts'
import { type Environment, environmentOf } from './environment/environment.ts'
import { brokenNow } from './invariants/always.ts'
import { writtenCards } from './invariants/cards.ts'
import { QUIET } from './invariants/quiet.ts'
import { comeToRest, heal } from './quiet.ts'
import { STEPS } from './steps.ts'

const LEAST_STEPS = 60
const MOST_STEPS = 90

/** One simulation, from its seed to its end. */
export interface Run {
  readonly seed: number
  /** Of everything that happened. */
  readonly hash: string
  readonly steps: number
  /** What was wrong after the last step; nothing where all went well. */
  readonly broken: readonly string[]
  readonly tail: readonly string[]
  /** How often each kind of thing happened. */
  readonly count: (kind: string) => number
  readonly environment: Environment
}

/** Something that nobody in the environment does: to see that it is noticed. */
export type Meddle = (environment: Environment, step: number) => Promise<void>

const nobody: Meddle = async () => {}

/** Runs a seed until its end, or until something is wrong; on a store in memory, or on an empty one that is given. */
export const simulate = async (seed: number, meddle = nobody, outside: Store | null = null): Promise<Run> => {
  const environment = environmentOf(seed, outside)
  const cast = noCast()
  await setOut(environment, cast)
  const last = environment.dice.between(LEAST_STEPS, MOST_STEPS)
  let steps = 0
  let broken: readonly string[] = []
  while (broken.length === 0 && steps < last) {
    steps += 1
    const commits = environment.watch.commits()
    await step(environment, cast, steps)
    await meddle(environment, steps)
    // Where nothing was written nothing can have become wrong but what somebody saw.
    const isTouched = environment.watch.commits() > commits || environment.broken.length > 0
    broken = isTouched ? await brokenNow(environment, cast) : []
  }
  if (broken.length === 0) broken = await ending(environment, cast)
  return {
    seed,
    hash: environment.trace.hash(),
    steps,
    broken,
    tail: environment.trace.tail(),
    count: environment.trace.count,
    environment,
  }
}

/** Somebody has a merchant before anything goes wrong. */
const setOut = async (environment: Environment, cast: Cast): Promise<void> => {
  keepUp(environment)
  for (const act of [register, openAccount]) {
    await environment.agenda.run(100)
    await Promise.all([over(environment, cast, act), environment.agenda.run(3_000)])
  }
}

const step = async (environment: Environment, cast: Cast, number: number): Promise<void> => {
  const { dice, agenda, trace } = environment
  if (dice.chance(0.7)) keepUp(environment)
  const { name, act } = dice.weighed(STEPS)
  trace.note(`step ${number}: ${name}`)
  // Not awaited: what one begins others come between.
  begin(environment, cast, act)
  await agenda.run(dice.pick([0, 5, 20, 100, 100, 500, 2_000]))
}

const ending = async (environment: Environment, cast: Cast): Promise<readonly string[]> => {
  const written = await writtenCards(environment)
  await heal(environment, cast)
  const isQuiet = await comeToRest(environment)
  const broken = [...written, ...(await brokenNow(environment, cast, QUIET)), ...(await writtenCards(environment))]
  return isQuiet ? broken : ['it never came to rest', ...broken]
}
