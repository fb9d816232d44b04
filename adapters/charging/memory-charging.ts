import type { BankAnswer } from '../../core/ports/bank.ts'
import type { ChargeKey, ChargeOrder, Charging, IssuedCharge } from '../../core/ports/charging.ts'
import { ALREADY_PAID, done, NO_KEY, refused } from './answers.ts'

/** Charges that are kept in this process, and what tests do to them. */
export interface MemoryCharging extends Charging {
  /** What was ordered, once each, in order. */
  readonly orders: readonly ChargeOrder[]
  /** Somebody pays what was ordered under a reference. */
  pay(reference: string): void
  /** The next calls are answered so instead. */
  answer(...answers: readonly BankAnswer<never>[]): void
}

/** Issues charges on the accounts of these API keys, with nothing outside this process: for trying rules. */
export const memoryCharging = (accounts: Readonly<Record<string, string>>): MemoryCharging => {
  const orders = new Map<string, ChargeOrder>()
  const statuses = new Map<string, IssuedCharge['status']>()
  const instead: BankAnswer<never>[] = []
  const issued = ({ reference, method, valueCents, dueDate }: ChargeOrder): IssuedCharge => ({
    ...{ id: reference, valueCents, dueDate },
    status: statuses.get(reference) ?? 'Open',
    pixText: method === 'Pix' ? `pix ${reference}` : null,
    digitableLine: method === 'Boleto' ? `boleto ${reference}` : null,
    boletoUrl: method === 'Boleto' ? `https://pay.example.com/${reference}.pdf` : null,
    url: `https://pay.example.com/${reference}`,
  })
  const find = ({ apiKey, reference }: ChargeKey): ChargeOrder | null => {
    const order = orders.get(reference)
    return order?.apiKey === apiKey ? order : null
  }
  const answered = async <T>(answer: () => BankAnswer<T>): Promise<BankAnswer<T>> => instead.shift() ?? answer()
  return {
    get orders() {
      return [...orders.values()]
    },
    pay: (reference) => void statuses.set(reference, 'Paid'),
    answer: (...answers) => void instead.push(...answers),
    account: (apiKey) => {
      const name = accounts[apiKey]
      return answered(() => done(name === undefined ? null : { name }))
    },
    issue: (order) =>
      answered(() => {
        if (!Object.hasOwn(accounts, order.apiKey)) return refused(NO_KEY)
        if (!orders.has(order.reference)) orders.set(order.reference, order)
        return done(issued(orders.get(order.reference) ?? order))
      }),
    find: (key) =>
      answered(() => {
        const order = find(key)
        return done(order && issued(order))
      }),
    cancel: (key) =>
      answered(() => {
        if (statuses.get(key.reference) === 'Paid') return refused(ALREADY_PAID)
        if (find(key)) statuses.set(key.reference, 'Ended')
        return done(null)
      }),
  }
}
