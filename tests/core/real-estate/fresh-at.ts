import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { type Fresh, freshOf } from '../../../core/kernel/running/use-case.ts'

/** The draws of a decision at an instant: seeded chance, and GUIDs from it. */
export const freshAt = (instant: string): Fresh => {
  const ids = { draw: () => null, refill: async () => {}, returnIds: async () => {} }
  return freshOf({ clock: setClock(instant), random: seededRandom(7), ids }).fresh
}
