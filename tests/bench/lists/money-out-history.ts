import { type Change, insert } from '../../../core/kernel/records/change.ts'
import { fold } from '../../../core/kernel/values/text.ts'
import { paidParties, recipients } from '../../../core/payments/withdrawals/recipients.ts'
import { type Withdrawal, withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'

/** Whom a number names, as no other number does. */
const receiverOf = (number: number) => {
  const document = `${number}`.padStart(11, '0')
  const account = `${number}-1`
  const place = { ispb: '60701190', branch: '0001', account, accountType: 'CORRENTE' } as const
  return { key: null, name: `Maria da Silva ${number}`, document, ...place, destination: `60701190|0001|${account}` }
}

const aWithdrawal = (accountId: number, number: number, id: number, at: string): Withdrawal => {
  const to = receiverOf(number)
  const [txid, endToEndId] = [`w${id}`, `E${`${id}`.padStart(31, '0')}`]
  return {
    id,
    accountId,
    by: 'account',
    status: 'completed',
    txid,
    endToEndId,
    valueCents: 1_000,
    feeCents: 0,
    ...to,
    message: null,
    answer: null,
    failure: null,
    operationId: null,
    sumId: null,
    nightSumId: null,
    lookupSince: null,
    userId: 1,
    search: fold([to.name, to.document, txid, endToEndId].join('\n')),
    handedAt: at,
    createdAt: at,
    updatedAt: at,
  }
}

/** A withdrawal to somebody who was not paid before, as it is remembered. */
export const payOutOf = (accountId: number, number: number, id: number, at: string): readonly Change[] => {
  const { destination, ...to } = receiverOf(number)
  const { name, document } = to
  const known = { accountId, createdAt: at, search: fold(`${name}\n${document}`) }
  const count = 1 + (number % 100)
  return [
    insert(withdrawals, aWithdrawal(accountId, number, id, at)),
    insert(recipients, { id, ...to, ...known, destination, count, lastUsedAt: at }),
    insert(paidParties, { id, name, document, ...known }),
  ]
}
