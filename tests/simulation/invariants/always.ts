import type { Cast } from '../actors/cast.ts'
import type { World } from '../world/world.ts'
import { openedOnce, registeredOnce } from './accounts.ts'
import { askedUntilAnswered, chargesClaimed, paidAsPosted, toldOnce } from './charges.ts'
import { deliveredAsAnswered, fannedOutOnce, mailedOrTried } from './deliveries.ts'
import type { Invariant, Judged } from './judged.ts'
import { booksFold, journalsBalance, postedAsPaid } from './ledger.ts'

const ALWAYS: readonly Invariant[] = [
  journalsBalance,
  booksFold,
  postedAsPaid,
  paidAsPosted,
  askedUntilAnswered,
  toldOnce,
  chargesClaimed,
  openedOnce,
  registeredOnce,
  fannedOutOnce,
  deliveredAsAnswered,
  mailedOrTried,
]

export const judgedNow = async (world: World, cast: Cast): Promise<Judged> => ({
  held: await world.snapshot(),
  bank: await world.bank.books(),
  world,
  cast,
})

/** All that is wrong now, or was seen to be wrong since it was last asked. */
export const brokenNow = async (
  world: World,
  cast: Cast,
  more: readonly Invariant[] = [],
): Promise<readonly string[]> => {
  const judged = await judgedNow(world, cast)
  return [...world.broken.splice(0), ...[...ALWAYS, ...more].flatMap((invariant) => invariant(judged))]
}
