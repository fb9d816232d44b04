import { isLeft } from '../../../core/failure.ts'
import { someWeather } from '../environment/chance.ts'
import type { Environment } from '../environment/environment.ts'
import { ask, startProcess } from '../environment/process.ts'
import { type Act, begin, ofMerchant } from './cast.ts'
import { orderByKey } from './keyed.ts'
import { issueCard, issueCharge } from './merchants.ts'

const PROCESSES = 2
const KEY = '123e4567-e89b-42d3-a456-426614174000'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const LAST_CALLS_MS = 2_000
/** So short that two jumps in a row are not accepted as the time either. */
const MOST_AHEAD_MS = 4 * MINUTE_MS

export const keepUp = (environment: Environment): void => {
  for (let alive = environment.processes.filter(({ life }) => !life.isOver()).length; alive < PROCESSES; alive += 1) {
    startProcess(environment)
  }
}

export const changeWeather: Act = async (environment) => {
  environment.weather.now = someWeather(environment.dice)
}

export const kill: Act = async (_world, _cast, { life }) => life.end()

/** Stops a process: it finishes its work within two seconds, releases the rest and returns its ids. */
export const stop: Act = async ({ agenda, trace }, _, { life, worker, ports }) => {
  trace.note(`stop ${life.name}`)
  await Promise.race([worker.stop(), agenda.wait(LAST_CALLS_MS)])
  if (life.isOver()) return
  await worker.release()
  await ports.ids.returnIds().catch(() => {})
  life.end()
}

/** Moves all clocks forward: events of the skipped time happen late. */
export const jump: Act = async ({ agenda, dice, trace }) => {
  const minutes = dice.pick([1, 1, 3, 10, 60, 60, 300])
  const milliseconds = dice.chance(0.1) ? dice.between(1, 2) * DAY_MS : minutes * MINUTE_MS
  trace.note(`jump ${milliseconds}`)
  agenda.jump(milliseconds)
}

/** Sets the clock of a process ahead, and back before the process accepts it. */
export const setAhead: Act = async ({ agenda, dice, trace }, _, { life, ports, setAhead: ahead }) => {
  // The process must have read its clock while it was right.
  ports.clock.steady()
  ahead.byMs = dice.pick([2, 60, 180]) * MINUTE_MS
  ahead.untilMs = agenda.nowMs() + dice.between(1, MOST_AHEAD_MS)
  trace.note(`ahead ${life.name} ${ahead.byMs}`)
}

/** Moves the clocks while a charge is requested: before it begins, or during the bank call. */
export const jumpInRequest: Act = async (environment, cast, process) => {
  const { agenda, dice } = environment
  begin(environment, cast, dice.pick([issueCharge, issueCard, orderByKey]))
  await agenda.wait(dice.between(0, 60))
  await jump(environment, cast, process)
}

/** Has an account accept partial payments, mostly, with a tolerance or without. */
export const acceptParts = ofMerchant(async (merchant, { dice, trace }, _cast, process) => {
  const change = { acceptPartial: dice.chance(0.8), partialToleranceCents: dice.pick([0, 0, 50]) }
  const outcome = await ask(process, process.pay.accounts.update({ ...merchant, permissions: [] }, change))
  trace.note(`parts ${merchant.accountId} ${change.acceptPartial}: ${outcome?._tag}`)
})

/** Changes the fees of an account, and sometimes its Pix key. */
export const setTerms = ofMerchant(async ({ accountId }, environment, cast, process) => {
  const cents = environment.dice.pick([0, 1, 99, 350])
  cast.fees.get(accountId)?.add(cents)
  const fees = {
    pixInCents: cents,
    pixOutCents: cents,
    boletoInCents: cents,
    boletoCents: cents,
    bolepixCents: cents,
    feeHundredths: cents,
  }
  // An account without a Pix key cannot issue a Pix charge.
  const pixKey = environment.dice.pick([{}, {}, { pixKey: null }, { pixKey: KEY }, { pixKey: KEY }])
  const outcome = await ask(process, process.pay.accounts.setTerms(accountId, { fees, ...pixKey }))
  environment.trace.note(`terms ${accountId} ${cents}: ${outcome && isLeft(outcome) ? outcome.left.code : 'done'}`)
})
