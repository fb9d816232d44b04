import type { Title } from '../../../adapters/bank/fake/books.ts'
import type { Charge } from '../../../core/payments/charges/charge.ts'
import { receivedCents } from '../../../core/payments/charges/detail.ts'

/** Returns a fault if the values differ. */
export const differenceOf = (what: string, actual: unknown, expected: unknown): readonly string[] => {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  return is === should ? [] : [`${what}: ${is} and not ${should}`]
}

/** The title of a pending charge requests its rest, and each former or unused title is closed. */
export const openTitleFaults = (charges: readonly Charge[], titles: readonly Title[], others: readonly string[]) => {
  const atBank = new Map(titles.map((title) => [title.id, title]))
  const current = new Set(charges.map(({ txid }) => txid))
  return [
    ...charges
      .filter(({ status }) => status === 'pending')
      .flatMap((charge) => {
        const { status, valueCents } = atBank.get(charge.txid ?? '') ?? {}
        const restCents = charge.valueCents - receivedCents(charge)
        return differenceOf(`title of charge ${charge.id}`, [status, valueCents], ['open', restCents])
      }),
    ...others
      .filter((txid) => !current.has(txid) && atBank.get(txid)?.status === 'open')
      .map((txid) => `the former title ${txid} is open`),
  ]
}
