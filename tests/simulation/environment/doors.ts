import type { Acquirer } from '../../../core/ports/acquirer.ts'
import type { Bank, BankAnswer, PayOuts, Refunds } from '../../../core/ports/bank.ts'
import type { Weather } from './chance.ts'
import type { Ground } from './environment.ts'
import { dies, type Life } from './life.ts'

const TIMEOUT_MS = 30_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const REFUSAL = 'Operação recusada.'

const FAULTS = [
  'refuse',
  'refuse',
  'unavailable',
  'unavailable',
  'timeout before',
  'timeout after',
  'reset after',
  'late answer',
  'done later',
] as const
type DoorFault = (typeof FAULTS)[number]

/** The orders of all processes to the bank and the acquirer, by the platform's id. */
export interface AskedOutside {
  /** Orders received, or under way: they are not refused. */
  readonly handed: Set<string>
  /** Orders refused: a repeat is refused, too. */
  readonly refused: Set<string>
  /** The number of look-ups of each order; for an account, of repeated orders. */
  readonly polls: Map<string, number>
}

/** The bank or the acquirer, as a process calls it. */
interface Outside {
  readonly name: keyof Weather & ('bank' | 'acquirer')
  /** The range of delays of an order that arrives after its time-out. */
  readonly latestMs: readonly [least: number, most: number]
}

/** The connection of one process to an outside party: calls are lost or late, and the process dies in calls. */
export const doorOf = (ground: Ground, life: Life, { name, latestMs }: Outside) => {
  const { agenda, asked, dice, trace, weather } = ground
  const isFaulty = (): boolean => dice.chance(weather.now[name])
  const late = (): Promise<void> => agenda.wait(dice.between(MINUTE_MS, 2 * HOUR_MS))

  const refused = async (): Promise<{ readonly outcome: 'refused'; readonly reason: string }> => {
    if (isFaulty()) await late()
    return { outcome: 'refused', reason: REFUSAL }
  }
  const timedOut = async (): Promise<{ readonly outcome: 'unknown' }> => {
    await agenda.wait(TIMEOUT_MS)
    return { outcome: 'unknown' }
  }
  const answered = async <T>(fault: DoorFault | null, act: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> => {
    const answer = await act()
    if (fault === 'timeout after') return timedOut()
    if (fault === 'reset after') return { outcome: 'unknown' }
    if (fault === 'late answer') await late()
    return answer
  }

  return {
    /** Makes a call in which the process may die. */
    async call<T>(what: string, id: string, does: (sentMs: number) => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> {
      const sentMs = agenda.nowMs()
      if (what === 'find' || what === 'open') asked.polls.set(id, (asked.polls.get(id) ?? 0) + 1)
      await life.lives(agenda.wait(dice.between(5, 200)))
      const fate = ground.fates.of(life, name)
      if (fate === 'before') return dies(life)
      const answer = await life.lives(does(sentMs))
      trace.note(`${name} ${life.name}: ${what} ${id} ${answer.outcome}`)
      return fate === 'after' ? dies(life) : answer
    },
    /** Sends an order, with any fault. */
    async orders<T>(id: string, sentMs: number, act: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> {
      const fault: DoorFault | null = isFaulty() ? dice.pick(FAULTS) : null
      if (fault === 'refuse' && !asked.handed.has(id)) asked.refused.add(id)
      if (asked.refused.has(id)) return refused()
      if (fault === 'unavailable') return { outcome: 'unavailable' }
      if (fault === 'timeout before' || fault === 'refuse') return timedOut()
      asked.handed.add(id)
      if (fault !== 'done later') return answered(fault, act)
      // The delay counts from the call: a jump of the clocks does not extend it.
      void agenda.wait(sentMs + dice.between(...latestMs) - agenda.nowMs()).then(act)
      return timedOut()
    },
    /** Sends a request that is repeated until it is answered. */
    asks<T>(act: () => Promise<BankAnswer<T>>): Promise<BankAnswer<T>> {
      if (!isFaulty()) return act()
      const fault = dice.pick(['unavailable', 'timeout before', 'timeout after', 'late answer'] as const)
      if (fault === 'unavailable') return Promise.resolve({ outcome: 'unavailable' })
      return fault === 'timeout before' ? timedOut() : answered(fault, act)
    },
  }
}

/** The connection of one process to the bank. */
export const bankDoor = (ground: Ground, life: Life, bank: Bank): Bank => {
  const { call, orders, asks } = doorOf(ground, life, { name: 'bank', latestMs: [MINUTE_MS, 2 * HOUR_MS] })
  const { payOuts, refunds } = bank
  const out: PayOuts | null = payOuts
    ? {
        findKey: (key) => call('look up', key, () => asks(() => payOuts.findKey(key))),
        payOut: (order) => call('pay out', order.id, (sentMs) => orders(order.id, sentMs, () => payOuts.payOut(order))),
        findPayOut: (id) => call('find', id, () => asks(() => payOuts.findPayOut(id))),
      }
    : null
  const back: Refunds | null = refunds
    ? {
        refund: (order) => call('refund', order.id, (sentMs) => orders(order.id, sentMs, () => refunds.refund(order))),
        findRefund: (order) => call('find', order.id, () => asks(() => refunds.findRefund(order))),
      }
    : null
  return {
    ...(out && { payOuts: out }),
    ...(back && { refunds: back }),
    compe: bank.compe,
    can: bank.can,
    txidLength: bank.txidLength,
    openAccount: (order) =>
      call('open', order.reference, (sentMs) => orders(order.reference, sentMs, () => bank.openAccount(order))),
    createTitle: (order) =>
      call('create', order.txid, (sentMs) => orders(order.txid, sentMs, () => bank.createTitle(order))),
    findTitle: (txid) => call('find', txid, () => asks(() => bank.findTitle(txid))),
    cancelTitle: (txid) => call('cancel', txid, () => asks(() => bank.cancelTitle(txid))),
  }
}

const SECOND_MS = 1_000

/**
 * The connection of one process to the acquirer. An order arrives within the time-out of the call: a card that the
 * acquirer does not know later has not been charged. The platform relies on this.
 */
export const acquirerDoor = (ground: Ground, life: Life, acquirer: Acquirer, sent: Set<string>): Acquirer => {
  const { call, orders, asks } = doorOf(ground, life, { name: 'acquirer', latestMs: [SECOND_MS, 25 * SECOND_MS] })
  return {
    charge(order, card) {
      if (sent.has(order.id)) ground.broken.push(`card ${order.id} was sent twice`)
      sent.add(order.id)
      return call('charge', order.id, (sentMs) => orders(order.id, sentMs, () => acquirer.charge(order, card)))
    },
    find: (id) => call('find', id, () => asks(() => acquirer.find(id))),
    void: (id) => call('void', id, () => asks(() => acquirer.void(id))),
  }
}
