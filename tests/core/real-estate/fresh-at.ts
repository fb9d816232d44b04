import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/seeded-random.ts'
import { type Fresh, freshOf } from '../../../core/kernel/running/fresh.ts'

/** What a decision of an agency draws at an instant: chance from a seed; its ids are GUIDs, and drawn from chance. */
export const freshAt = (instant: string): Fresh => {
  const ids = { draw: () => null, refill: async () => {}, returnIds: async () => {} }
  return freshOf({ clock: setClock(instant), random: seededRandom(7), ids }).fresh
}
