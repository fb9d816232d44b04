import type { Store } from '../../core/ports/store.ts'
import { type Act, begin, type Cast, noCast, over } from './actors/cast.ts'
import { askFor, askForOpening, openByKey, orderByKey, repeatOpening, repeatOrder } from './actors/keyed.ts'
import {
  changeCharge,
  deleteCharge,
  issueCard,
  issueCharge,
  listCharges,
  readStatement,
  transfer,
  withdraw,
  withdrawSales,
} from './actors/merchants.ts'
import {
  acceptParts,
  changeWeather,
  jump,
  jumpInRequest,
  keepUp,
  kill,
  setAhead,
  setTerms,
  stop,
} from './actors/operators.ts'
import { cancel, pay, payByLink, payPart, payTwice, tellNonsense } from './actors/payers.ts'
import { findMerchants, logIn, logOut, openAccount, register } from './actors/people.ts'
import { refund, refundOverpaid, refundShared } from './actors/refunds.ts'
import { consent, restore, revokeWhilePaid, suspend } from './actors/sharers.ts'
import { CALM } from './environment/chance.ts'
import { type Environment, environmentOf } from './environment/environment.ts'
import { writtenCards } from './invariants/cards.ts'
import { brokenNow, QUIET } from './invariants/invariants.ts'

const LEAST_STEPS = 60
const MOST_STEPS = 90

/** A change made from outside of the simulation, to show that the invariants detect it. */
export type Interference = (environment: Environment, step: number) => Promise<void>

const noInterference: Interference = async () => {}

/** Runs a seed until its end or the first violated invariant, in memory or on the given empty store. */
export const simulate = async (seed: number, interfere = noInterference, outside: Store | null = null) => {
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
    await interfere(environment, steps)
    // Without a commit only answers can have violated an invariant.
    const isTouched = environment.watch.commits() > commits || environment.broken.length > 0
    broken = isTouched ? await brokenNow(environment, cast) : []
  }
  if (broken.length === 0) broken = await ending(environment, cast)
  const { trace } = environment
  return { seed, hash: trace.hash(), steps, broken, tail: trace.tail(), count: trace.count, environment }
}

/** One simulation, from its seed to its end: the hash and the last of its trace lines, and the violated invariants. */
export type Run = Awaited<ReturnType<typeof simulate>>

/** Creates the first merchants, who consent to receive shares, before any fault happens. */
const setOut = async (environment: Environment, cast: Cast): Promise<void> => {
  keepUp(environment)
  for (const act of [register, openAccount, openAccount, logIn, findMerchants, consent, consent]) {
    await environment.agenda.run(100)
    await Promise.all([over(environment, cast, act), environment.agenda.run(3_000)])
  }
}

const step = async (environment: Environment, cast: Cast, number: number): Promise<void> => {
  const { dice, agenda, trace } = environment
  if (dice.chance(0.7)) keepUp(environment)
  const { name, act } = dice.weighed(STEPS)
  trace.note(`step ${number}: ${name}`)
  // Not awaited, so that acts interleave.
  begin(environment, cast, act)
  await agenda.run(dice.pick([0, 5, 20, 100, 100, 500, 2_000]))
}

const ending = async (environment: Environment, cast: Cast): Promise<readonly string[]> => {
  const written = await writtenCards(environment)
  await heal(environment, cast)
  const isQuiet = await comeToRest(environment)
  const broken = [...written, ...(await brokenNow(environment, cast, QUIET)), ...(await writtenCards(environment))]
  return isQuiet ? broken : ['work was still due after the last round', ...broken]
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Longer than the lease of an idempotency key. */
const KEY_LEASE_MS = 130 * SECOND_MS
const ROUND_MS = 500
const BATCH_MS = 90 * MINUTE_MS
const MOST_ROUNDS = 600
/** Longer than any call to the bank or the acquirer is under way. */
const LATEST_ANSWER_MS = 4 * 3_600 * SECOND_MS

/** Ends all faults and repeats every keyed request until its leases have expired. */
export const heal = async (environment: Environment, cast: Cast): Promise<void> => {
  const { agenda, weather, trace, asked } = environment
  trace.note('heal')
  weather.now = CALM
  keepUp(environment)
  agenda.jump(LATEST_ANSWER_MS)
  begin(environment, cast, restore)
  await agenda.run(2 * SECOND_MS)
  asked.polls.clear()
  for (const each of [...cast.orders, ...cast.openings]) each.last = null
  for (let round = 1; round <= 3; round += 1) {
    // A process that was stopping may have ended.
    keepUp(environment)
    for (const order of cast.orders) begin(environment, cast, askFor(order))
    for (const opening of cast.openings) begin(environment, cast, askForOpening(opening))
    await agenda.run(SECOND_MS)
    agenda.jump(KEY_LEASE_MS)
    await agenda.run(ROUND_MS)
  }
}

/** Runs one remaining process until no work is due; returns false if that never happens. */
export const comeToRest = async (environment: Environment): Promise<boolean> => {
  const { agenda, processes } = environment
  const [last] = processes.filter(({ life }) => !life.isOver())
  for (const { life } of processes) if (life !== last?.life) life.end()
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    await agenda.run(ROUND_MS)
    const next = await nextDue(environment)
    if (next === null) return true
    agenda.jump(Math.max(0, next - agenda.nowMs()) + BATCH_MS)
  }
  return false
}

const nextDue = async ({ snapshot, acquirer, bank, agenda }: Environment): Promise<number | null> => {
  const { deliveries, events, mails, messages, operations, restTitles } = await snapshot()
  const waiting = [...deliveries, ...events, ...mails, ...messages, ...operations, ...restTitles].flatMap(
    ({ dueAt }) => dueAt ?? [],
  )
  const untold = (await bank.books()).untold + acquirer.books().untold
  const times = [...waiting.map((at) => Date.parse(at)), ...(untold > 0 ? [agenda.nowMs()] : [])]
  return times.length === 0 ? null : Math.min(...times)
}

interface Step {
  readonly weight: number
  readonly name: string
  readonly act: Act
}

export const STEPS: readonly Step[] = [
  { weight: 4, name: 'register', act: register },
  { weight: 4, name: 'log in', act: logIn },
  { weight: 1, name: 'log out', act: logOut },
  { weight: 5, name: 'open an account', act: openAccount },
  { weight: 3, name: 'find merchants', act: findMerchants },
  { weight: 20, name: 'issue', act: issueCharge },
  { weight: 6, name: 'issue by card', act: issueCard },
  { weight: 4, name: 'pay by link', act: payByLink },
  { weight: 10, name: 'order by key', act: orderByKey },
  { weight: 12, name: 'repeat an order', act: repeatOrder },
  { weight: 3, name: 'open by key', act: openByKey },
  { weight: 4, name: 'repeat an opening', act: repeatOpening },
  { weight: 5, name: 'delete a charge', act: deleteCharge },
  { weight: 8, name: 'change a charge', act: changeCharge },
  { weight: 28, name: 'pay', act: pay },
  { weight: 5, name: 'pay twice', act: payTwice },
  { weight: 4, name: 'cancel', act: cancel },
  { weight: 4, name: 'tell nonsense', act: tellNonsense },
  { weight: 12, name: 'withdraw', act: withdraw },
  { weight: 12, name: 'transfer', act: transfer },
  { weight: 6, name: 'refund', act: refund },
  { weight: 24, name: 'refund shares', act: refundShared },
  { weight: 6, name: 'refund an over-payment', act: refundOverpaid },
  { weight: 6, name: 'withdraw sales', act: withdrawSales },
  { weight: 8, name: 'consent', act: consent },
  { weight: 8, name: 'restore', act: restore },
  { weight: 8, name: 'revoke while paid', act: revokeWhilePaid },
  { weight: 5, name: 'suspend', act: suspend },
  { weight: 3, name: 'list charges', act: listCharges },
  { weight: 2, name: 'read a statement', act: readStatement },
  { weight: 2, name: 'set terms', act: setTerms },
  { weight: 4, name: 'accept parts', act: acceptParts },
  { weight: 8, name: 'pay a part', act: payPart },
  { weight: 4, name: 'weather', act: changeWeather },
  { weight: 2, name: 'kill', act: kill },
  { weight: 2, name: 'stop', act: stop },
  { weight: 4, name: 'jump', act: jump },
  { weight: 3, name: 'jump in a request', act: jumpInRequest },
  { weight: 5, name: 'set a clock ahead', act: setAhead },
]
