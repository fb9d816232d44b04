import type { BankAnswer } from '../../core/ports/bank.ts'
import type { ChargeKey, ChargeOrder, Charging, IssuedCharge } from '../../core/ports/charging.ts'
import { ALREADY_PAID, done, NO_KEY, refused } from './embedded-charging.ts'

/** Charges in memory, with controls for tests. */
export interface MemoryCharging extends Charging {
  /** The orders, each reference once, in the order of their issue. */
  readonly orders: readonly ChargeOrder[]
  /** Marks the charge of a reference as paid. */
  pay(reference: string): void
  /** Sets the part of a charge that was paid, in cents. */
  receive(reference: string, cents: number): void
  /** Scripts the answers of the next calls. */
  answer(...answers: readonly BankAnswer<never>[]): void
}

/** Issues charges in memory on accounts given by API key and name, for tests of rules. */
export const memoryCharging = (accounts: Readonly<Record<string, string>>): MemoryCharging => {
  const orders = new Map<string, ChargeOrder>()
  const statuses = new Map<string, IssuedCharge['status']>()
  const parts = new Map<string, number>()
  const scripted: BankAnswer<never>[] = []
  const issued = ({ reference, method, valueCents, dueDate }: ChargeOrder): IssuedCharge => ({
    ...{ id: reference, valueCents, dueDate },
    status: statuses.get(reference) ?? 'Open',
    receivedCents: parts.get(reference) ?? 0,
    pixText: method === 'Pix' ? `pix ${reference}` : null,
    digitableLine: method === 'Boleto' ? `boleto ${reference}` : null,
    boletoUrl: method === 'Boleto' ? `https://pay.example.com/${reference}.pdf` : null,
    url: `https://pay.example.com/${reference}`,
  })
  const find = ({ apiKey, reference }: ChargeKey): ChargeOrder | null => {
    const order = orders.get(reference)
    return order?.apiKey === apiKey ? order : null
  }
  const answered = async <T>(answer: () => BankAnswer<T>): Promise<BankAnswer<T>> => scripted.shift() ?? answer()
  return {
    get orders() {
      return [...orders.values()]
    },
    pay: (reference) => void statuses.set(reference, 'Paid'),
    receive: (reference, cents) => void parts.set(reference, cents),
    answer: (...answers) => void scripted.push(...answers),
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
        return done({ receivedCents: parts.get(key.reference) ?? 0 })
      }),
  }
}
