import type { Fault } from '../../../adapters/memory/memory-store.ts'
import type { Dice } from './dice.ts'

/** How likely each thing goes wrong, each time it could. */
export interface Weather {
  /** A call to the store takes some time, so that others come between. */
  readonly slowStore: number
  /** What a process was about to do after a commit waits for long: it was swapped out, or its machine slept. */
  readonly sleep: number
  readonly stale: number
  readonly conflict: number
  /** The store is lost before a commit, or after it, and the process lives on. */
  readonly lostBefore: number
  readonly lostAfter: number
  readonly lostRead: number
  /** The process dies before or after something that it does. */
  readonly death: number
  readonly bank: number
  readonly acquirer: number
  readonly mail: number
  readonly receiver: number
}

export const CALM: Weather = {
  slowStore: 0.2,
  sleep: 0,
  stale: 0,
  conflict: 0,
  lostBefore: 0,
  lostAfter: 0,
  lostRead: 0,
  death: 0,
  bank: 0,
  acquirer: 0,
  mail: 0,
  receiver: 0,
}

/** Some of it rough, some calm: what never comes together is never tried together. */
export const someWeather = (dice: Dice): Weather => ({
  slowStore: dice.pick([0, 0.3, 0.6]),
  sleep: dice.pick([0, 0, 0.003]),
  stale: dice.pick([0, 0.02, 0.2]),
  conflict: dice.pick([0, 0.02, 0.2]),
  lostBefore: dice.pick([0, 0, 0.02, 0.1]),
  lostAfter: dice.pick([0, 0, 0.02, 0.1]),
  lostRead: dice.pick([0, 0, 0.01, 0.05]),
  death: dice.pick([0, 0, 0.003, 0.02]),
  bank: dice.pick([0, 0.2, 0.7]),
  acquirer: dice.pick([0, 0.2, 0.7]),
  mail: dice.pick([0, 0.3, 0.9]),
  receiver: dice.pick([0, 0.3, 0.9]),
})

/** What befalls a commit in this weather. */
export const commitFault = (dice: Dice, { stale, conflict, lostBefore, lostAfter }: Weather): Fault | null => {
  if (dice.chance(stale)) return 'stale'
  if (dice.chance(conflict)) return 'conflict'
  if (dice.chance(lostBefore)) return 'crash-before'
  return dice.chance(lostAfter) ? 'crash-after' : null
}
