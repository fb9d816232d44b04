import type { Bank, BankAnswer } from '../../../core/ports/bank.ts'
import type { Ground } from './environment.ts'
import { dies, type Life } from './life.ts'

const TIMEOUT_MS = 30_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const REFUSAL = 'Operação recusada pelo banco.'

const FAULTS = [
  'refuse',
  'refuse',
  'unavailable',
  'unavailable',
  'timeout before',
  'timeout after',
  'reset after',
  'late answer',
  'done much later',
] as const
type BankFault = (typeof FAULTS)[number]

/** What all processes together have asked the bank for, by our own id. */
export interface BankRequest {
  /** What the bank has got, or will get: it refuses none of that. */
  readonly handed: Set<string>
  /** What it has refused, and refuses for good. */
  readonly refused: Set<string>
  /** How often it was asked what became of something: an account is asked for again instead. */
  readonly polls: Map<string, number>
}

/** The way of one process to the bank. */
export const bankDoor = (ground: Ground, life: Life, asked: BankRequest, bank: Bank): Bank => {
  const { agenda, dice, trace, weather } = ground

  const orders = async <T>(id: string, act: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> => {
    const isFaulty = dice.chance(weather.now.bank)
    const fault: BankFault | null = isFaulty ? dice.pick(FAULTS) : null
    if (fault === 'refuse' && !asked.handed.has(id)) asked.refused.add(id)
    if (asked.refused.has(id)) return refused()
    if (fault === 'unavailable') return { outcome: 'unavailable' }
    if (fault === 'timeout before' || fault === 'refuse') return timedOut()
    asked.handed.add(id)
    if (fault !== 'done much later') return answered(fault, act)
    void agenda.wait(dice.between(MINUTE_MS, 2 * HOUR_MS)).then(act)
    return timedOut()
  }
  const answered = async <T>(fault: BankFault | null, act: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> => {
    const answer = await act()
    if (fault === 'timeout after') return timedOut()
    if (fault === 'reset after') return { outcome: 'unknown' }
    if (fault === 'late answer') await agenda.wait(dice.between(MINUTE_MS, 2 * HOUR_MS))
    return answer
  }
  const refused = async (): Promise<{ readonly outcome: 'refused'; readonly reason: string }> => {
    if (dice.chance(weather.now.bank)) await agenda.wait(dice.between(MINUTE_MS, 2 * HOUR_MS))
    return { outcome: 'refused', reason: REFUSAL }
  }
  const timedOut = async (): Promise<{ readonly outcome: 'unknown' }> => {
    await agenda.wait(TIMEOUT_MS)
    return { outcome: 'unknown' }
  }

  const call = async <T>(what: string, id: string, does: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> => {
    if (what === 'find' || what === 'open') asked.polls.set(id, (asked.polls.get(id) ?? 0) + 1)
    await life.lives(agenda.wait(dice.between(5, 200)))
    const fate = ground.fates.of(life, 'bank')
    if (fate === 'before') return dies(life)
    const answer = await life.lives(does())
    trace.note(`bank ${life.name}: ${what} ${id} ${answer.outcome}`)
    return fate === 'after' ? dies(life) : answer
  }
  const asking = <T>(act: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> => {
    if (!dice.chance(weather.now.bank)) return act()
    const fault = dice.pick(['unavailable', 'timeout before', 'late answer'] as const)
    if (fault === 'unavailable') return Promise.resolve({ outcome: 'unavailable' })
    return fault === 'late answer' ? answered(fault, act) : timedOut()
  }

  return {
    compe: bank.compe,
    openAccount: (order) => call('open', order.reference, () => orders(order.reference, () => bank.openAccount(order))),
    createPix: (order) => call('create', order.txid, () => orders(order.txid, () => bank.createPix(order))),
    findPix: (txid) => call('find', txid, () => asking(() => bank.findPix(txid))),
    cancelTitle: (txid) => call('cancel', txid, () => asking(() => bank.cancelTitle(txid))),
  }
}
