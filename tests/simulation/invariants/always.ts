import type { Cast } from '../actors/cast.ts'
import type { Environment } from '../environment/environment.ts'
import { openedOnce, registeredOnce } from './accounts.ts'
import { cardsAnswered, linksKept, postedAsTaken, salesWithdrawn } from './cards.ts'
import { askedUntilAnswered, chargedOnce, paidAsPosted, toldOnce } from './charges.ts'
import { deliveredAsAnswered, fannedOutOnce, mailedOrTried } from './deliveries.ts'
import type { Invariant, Judged } from './judged.ts'
import { booksFold, journalsBalance, postedAsPaid } from './ledger.ts'
import { givenBackOnce } from './refunds.ts'
import { inTime } from './times.ts'
import { movedOnce } from './transfers.ts'
import { paidOutOnce, waitingCounted } from './withdrawals.ts'

const ALWAYS: readonly Invariant[] = [
  journalsBalance,
  booksFold,
  postedAsPaid,
  postedAsTaken,
  salesWithdrawn,
  paidOutOnce,
  waitingCounted,
  movedOnce,
  givenBackOnce,
  paidAsPosted,
  askedUntilAnswered,
  cardsAnswered,
  linksKept,
  toldOnce,
  chargedOnce,
  openedOnce,
  registeredOnce,
  fannedOutOnce,
  deliveredAsAnswered,
  mailedOrTried,
  inTime,
]

export const judgedNow = async (environment: Environment, cast: Cast): Promise<Judged> => ({
  held: await environment.snapshot(),
  bank: await environment.bank.books(),
  acquirer: environment.acquirer.books(),
  environment,
  cast,
})

/** All that is wrong now, or was seen to be wrong since it was last asked. */
export const brokenNow = async (
  environment: Environment,
  cast: Cast,
  more: readonly Invariant[] = [],
): Promise<readonly string[]> => {
  const judged = await judgedNow(environment, cast)
  return [...environment.broken.splice(0), ...[...ALWAYS, ...more].flatMap((invariant) => invariant(judged))]
}
