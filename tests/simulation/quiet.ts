import { begin, type Cast } from './actors/cast.ts'
import { askFor } from './actors/keyed.ts'
import { askForOpening } from './actors/keyed-openings.ts'
import { keepUp } from './actors/operators.ts'
import type { Environment } from './environment/environment.ts'
import { CALM } from './environment/weather.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Longer than the lease of a key whose request died. */
const KEY_LEASE_MS = 130 * SECOND_MS
const ROUND_MS = 500
const BATCH_MS = 90 * MINUTE_MS
const MOST_ROUNDS = 600
/** Nothing that was begun before is on its way for so long. */
const LATEST_ANSWER_MS = 4 * 3_600 * SECOND_MS

/** All is well again, and whoever does not know what became of their order asks until they do. */
export const heal = async (environment: Environment, cast: Cast): Promise<void> => {
  const { agenda, weather, trace, asked } = environment
  trace.note('heal')
  weather.now = CALM
  keepUp(environment)
  agenda.jump(LATEST_ANSWER_MS)
  await agenda.run(2 * SECOND_MS)
  asked.polls.clear()
  for (const each of [...cast.orders, ...cast.openings]) each.last = null
  for (let round = 1; round <= 3; round += 1) {
    // One that was asked to stop before may have ended meanwhile.
    keepUp(environment)
    for (const order of cast.orders) begin(environment, cast, askFor(order))
    for (const opening of cast.openings) begin(environment, cast, askForOpening(opening))
    await agenda.run(SECOND_MS)
    agenda.jump(KEY_LEASE_MS)
    await agenda.run(ROUND_MS)
  }
}

/** Time goes on, with one process that is left, until nothing remains to be done; false where that never comes. */
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
  const { deliveries, events, mails, messages, operations } = await snapshot()
  const waiting = [...deliveries, ...events, ...mails, ...messages, ...operations].flatMap(({ dueAt }) => dueAt ?? [])
  const untold = (await bank.books()).untold + acquirer.books().untold
  const times = [...waiting.map((at) => Date.parse(at)), ...(untold > 0 ? [agenda.nowMs()] : [])]
  return times.length === 0 ? null : Math.min(...times)
}
