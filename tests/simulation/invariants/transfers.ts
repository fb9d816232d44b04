import { TRANSFER_IN, TRANSFER_OUT } from '../../../core/payments/ledger/transaction-type.ts'
import { groupBy, type Invariant, unless } from './judged.ts'

const TYPES = [TRANSFER_OUT.id, TRANSFER_IN.id]

/** What the bank has sent from one account to another has left the one and reached the other, once and whole. */
export const movedOnce: Invariant = ({ held, bank }) => {
  const paid = new Map(bank.payOuts.map((each) => [each.txid, each]))
  const posted = groupBy(
    held.entries.filter(({ typeId }) => TYPES.includes(typeId)),
    ({ txid }) => txid ?? '',
  )
  const known = new Set(held.transfers.map(({ id }) => id))
  return [
    ...[...posted.keys()].filter((txid) => !known.has(txid)).map((txid) => `${txid} is posted and no transfer`),
    ...held.transfers.flatMap(({ id, status, valueCents, accountId, toAccountId }) => {
      const lines = (posted.get(id) ?? []).map((line) => `${line.accountId} ${line.typeId} ${line.valueCents}`)
      const expected = [
        `${accountId} ${TRANSFER_OUT.id} ${-valueCents}`,
        `${toAccountId} ${TRANSFER_IN.id} ${valueCents}`,
      ]
      return status === 'completed'
        ? unless([
            [paid.get(id)?.valueCents === valueCents, `transfer ${id} is completed, and the bank has not paid it`],
            [String(lines.toSorted()) === String(expected.toSorted()), `transfer ${id} has the lines ${lines}`],
          ])
        : unless([[lines.length === 0, `transfer ${id} is ${status} and posted`]])
    }),
  ]
}
