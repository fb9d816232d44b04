import { begin, type Cast, noCast, over } from './actors/cast.ts'
import { keepUp } from './actors/operators.ts'
import { openAccount, register } from './actors/people.ts'
import { brokenNow } from './invariants/always.ts'
import { QUIET } from './invariants/quiet.ts'
import { heal, settleDown } from './quiet.ts'
import { STEPS } from './steps.ts'
import { type World, worldOf } from './world/world.ts'

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
  readonly world: World
}

/** Something that nobody in the world does: to see that it is noticed. */
export type Meddle = (world: World, step: number) => Promise<void>

/** Runs a seed until its end, or until something is wrong. */
export const simulate = async (seed: number, meddle: Meddle = async () => {}): Promise<Run> => {
  const world = worldOf(seed)
  const cast = noCast()
  await setOut(world, cast)
  const last = world.dice.between(LEAST_STEPS, MOST_STEPS)
  let steps = 0
  let broken: readonly string[] = []
  while (broken.length === 0 && steps < last) {
    steps += 1
    const commits = world.watch.commits()
    await step(world, cast, steps)
    await meddle(world, steps)
    // Where nothing was written nothing can have become wrong but what somebody saw.
    const isTouched = world.watch.commits() > commits || world.broken.length > 0
    broken = isTouched ? await brokenNow(world, cast) : []
  }
  if (broken.length === 0) broken = await ending(world, cast)
  return { seed, hash: world.trace.hash(), steps, broken, tail: world.trace.tail(), count: world.trace.count, world }
}

/** Somebody has a shop before anything goes wrong. */
const setOut = async (world: World, cast: Cast): Promise<void> => {
  keepUp(world)
  for (const act of [register, openAccount]) {
    await world.agenda.run(100)
    await Promise.all([over(world, cast, act), world.agenda.run(3_000)])
  }
}

const step = async (world: World, cast: Cast, number: number): Promise<void> => {
  const { dice, agenda, trace } = world
  if (dice.chance(0.7)) keepUp(world)
  const { name, act } = dice.weighed(STEPS)
  trace.note(`step ${number}: ${name}`)
  // Not awaited: what one begins others come between.
  begin(world, cast, act)
  await agenda.run(dice.pick([0, 5, 20, 100, 100, 500, 2_000]))
}

const ending = async (world: World, cast: Cast): Promise<readonly string[]> => {
  await heal(world, cast)
  const isQuiet = await settleDown(world)
  const broken = await brokenNow(world, cast, QUIET)
  return isQuiet ? broken : ['it never came to rest', ...broken]
}
