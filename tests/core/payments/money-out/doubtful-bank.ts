import type { SetClock } from '../../../../adapters/clock/set-clock.ts'
import type { BankAnswer, BankRefund } from '../../../../core/ports/bank.ts'
import type { Dice } from '../../../simulation/environment/chance.ts'
import type { MoneyOut } from './two-accounts.ts'

const REFUSED = { outcome: 'refused', reason: 'Operação recusada.' } as const
const UNAVAILABLE = { outcome: 'unavailable' } as const
const UNKNOWN = { outcome: 'unknown' } as const
const PROCESSING: BankAnswer<BankRefund> = {
  outcome: 'done',
  value: { status: 'processing', reason: null, returnId: null },
}
const FAILED: BankAnswer<BankRefund> = {
  outcome: 'done',
  value: { status: 'failed', reason: 'Conta encerrada.', returnId: null },
}

const FAULTS = [
  'refuse',
  'refuse unheard',
  'unavailable',
  'time-out before',
  'time-out after',
  'twice',
  'late answer',
  'late order',
] as const

/** A bank's refusals and missing answers, by kind of payment. */
interface Words<T> {
  readonly no: readonly BankAnswer<T>[]
  readonly nothing: readonly BankAnswer<T>[]
}

const PAY_OUT_WORDS: Words<never> = { no: [REFUSED], nothing: [UNKNOWN] }
const REFUND_WORDS: Words<BankRefund> = { no: [REFUSED, FAILED], nothing: [UNKNOWN, PROCESSING] }

/** For so long the bank is asked whether it came after all. */
const LONGEST_WAY_MS = 3 * 3_600_000

const meansNo = (answer: BankAnswer<unknown>): boolean =>
  answer.outcome === 'refused' || answer.outcome === 'unavailable' || answer === FAILED

/**
 * The embedded bank on a way on which orders and answers are lost, come twice, or hours later: what it took it never refuses,
 * and what it refused it never pays.
 */
export const doubtfulBank = ({ payOuts, refunds }: MoneyOut, dice: Dice, clock: SetClock) => {
  let isCalm = false
  const taken = new Set<string>()
  const refused = new Set<string>()
  const sent = new Set<string>()
  const asked = new Map<string, number>()
  const said = { yes: new Set<string>(), no: new Set<string>() }
  const waiting: (() => void)[] = []
  const underWay: { readonly act: () => Promise<unknown>; readonly sentMs: number }[] = []

  const hours = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  const count = (id: string): void => void asked.set(id, (asked.get(id) ?? 0) + 1)
  const heard = <T>(id: string, answer: BankAnswer<T>): BankAnswer<T> => {
    if (meansNo(answer)) said.no.add(id)
    else if (answer.outcome === 'done' && answer !== PROCESSING) said.yes.add(id)
    return answer
  }

  const decided = async <T>(id: string, act: () => Promise<BankAnswer<T>>, words: Words<T>): Promise<BankAnswer<T>> => {
    const fault = isCalm || dice.chance(0.3) ? null : dice.pick(FAULTS)
    const isNo = fault === 'refuse' || fault === 'refuse unheard'
    if (isNo && !taken.has(id)) refused.add(id)
    if (refused.has(id)) return fault === 'refuse unheard' ? UNKNOWN : dice.pick(words.no)
    if (fault === 'unavailable') return UNAVAILABLE
    if (isNo || fault === 'time-out before') return UNKNOWN
    taken.add(id)
    if (fault === 'late order') {
      underWay.push({ act, sentMs: Date.parse(clock.now()) })
      return UNKNOWN
    }
    const [answer] = await Promise.all(fault === 'twice' ? [act(), act()] : [act()])
    if (fault === 'late answer') await hours()
    return fault === 'time-out after' ? dice.pick(words.nothing) : answer
  }
  const orders = async <T>(id: string, act: () => Promise<BankAnswer<T>>, words: Words<T>) => {
    sent.add(id)
    count(id)
    return heard(id, await decided(id, act, words))
  }
  const finds = async <T>(id: string, act: () => Promise<BankAnswer<T | null>>): Promise<BankAnswer<T | null>> => {
    count(id)
    const fault = isCalm ? null : dice.pick(['unavailable', 'unknown', 'late answer', null, null, null] as const)
    if (fault === 'unavailable') return UNAVAILABLE
    if (fault === 'unknown') return UNKNOWN
    const answer = await act()
    if (fault === 'late answer') await hours()
    if (answer.outcome === 'done' && answer.value !== null) said.yes.add(id)
    return answer
  }

  const arrive = async (): Promise<void> => {
    const order = underWay.shift()
    // An order that takes longer is lost.
    if (order && Date.parse(clock.now()) - order.sentMs <= LONGEST_WAY_MS) await order.act()
  }
  return {
    moneyOut: {
      payOuts: {
        ...payOuts,
        payOut: (order) => orders(order.id, () => payOuts.payOut(order), PAY_OUT_WORDS),
        // An order that is sent once and unknown to the bank has failed.
        findPayOut: async (id) => {
          const answer = await finds(id, () => payOuts.findPayOut(id))
          if (answer.outcome === 'done' && answer.value === null) said.no.add(id)
          return answer
        },
      },
      refunds: {
        refund: (order) => orders(order.id, () => refunds.refund(order), REFUND_WORDS),
        findRefund: (order) => finds(order.id, () => refunds.findRefund(order)),
      },
    } satisfies MoneyOut,
    /** The results of the requests; a payment that was not made counts as refused. */
    said,
    /** All orders; a caller that is delayed for too long sends none. */
    sent,
    /** The number of requests for each outcome since the bank answers. */
    asked,
    /** One answer that was late comes, or one order arrives that was thought lost. */
    answerLate: (): void => waiting.shift()?.(),
    arriveLate: arrive,
    /** All that was under way comes to its end, and from now on everything is answered. */
    async heal(): Promise<void> {
      isCalm = true
      while (underWay.length > 0) await arrive()
      for (const answer of waiting.splice(0)) answer()
      asked.clear()
    },
  }
}
