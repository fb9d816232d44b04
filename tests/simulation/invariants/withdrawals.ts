import { PIX_OUT } from '../../../core/payments/ledger/transaction-type.ts'
import { waitingSumId } from '../../../core/payments/withdrawals/limits.ts'
import { groupBy, type Invariant, type MoneyOutInvariant, repeated, unless } from './judged.ts'

const OUT = ['pay-out', 'transfer']

/** What has left is what the bank has paid out, once, by the withdrawal's own id; and nobody has less than nothing. */
export const paidOutOnce: MoneyOutInvariant = ({ held, bank }) => {
  const sent = [...held.withdrawals, ...held.transfers.map(({ id, status }) => ({ id, txid: id, status }))]
  const byTxid = new Map(sent.map((each) => [each.txid, each]))
  const paid = new Map(bank.payOuts.map((each) => [each.txid, each]))
  const posted = groupBy(
    held.entries.filter(({ typeId }) => typeId === PIX_OUT.id),
    ({ txid }) => txid ?? '',
  )
  const sentOnce = held.operations.filter(({ inFlightUntil, kind }) => inFlightUntil !== null && OUT.includes(kind))
  const mayComeLate = new Set(sentOnce.map(({ accountId }) => accountId))
  const lookedFor = new Set(sentOnce.filter(({ dueAt }) => dueAt !== null).map(({ subject: [, id] }) => id))
  return [
    ...repeated(bank.payOuts.map(({ endToEndId }) => endToEndId)).map((id) => `${id} was paid out twice`),
    ...held.books
      .filter(({ accountId, availableCents }) => availableCents < 0 && !mayComeLate.has(accountId))
      .map(({ id }) => `${id} is overdrawn, and nothing came late`),
    ...held.withdrawals.flatMap(({ id, txid, status, valueCents }) => {
      const lines = posted.get(txid) ?? []
      const isOut = paid.get(txid)?.valueCents === valueCents
      return status === 'completed'
        ? unless([
            [isOut, `withdrawal ${id} is completed, and the bank has not paid it`],
            [lines.length === 1 && lines[0]?.valueCents === -(valueCents ?? 0), `withdrawal ${id} is posted otherwise`],
          ])
        : unless([[lines.length === 0, `withdrawal ${id} is ${status} and posted`]])
    }),
    ...bank.payOuts.flatMap(({ txid }) => {
      const { id = txid, status = 'unknown' } = byTxid.get(txid) ?? {}
      const isKnown = status === 'pending' || status === 'completed' || (status === 'failed' && lookedFor.has(id))
      return unless([[isKnown, `${txid} was paid out, and is ${status}`]])
    }),
  ]
}

/** As many wait for the bank as are counted, and each has its operation. */
export const waitingCounted: MoneyOutInvariant = ({ held }) => {
  const pending = groupBy(
    held.withdrawals.filter(({ status }) => status === 'pending'),
    ({ accountId }) => waitingSumId(accountId),
  )
  const asked = new Set(held.operations.filter(({ state }) => state === 'asking').map(({ id }) => id))
  return [
    ...held.payOutSums
      .filter(({ id, amount }) => id.endsWith('|waiting') && amount !== (pending.get(id)?.length ?? 0))
      .map(({ id, amount }) => `${id} counts ${amount}`),
    ...held.payOutSums.filter(({ amount }) => amount < 0).map(({ id, amount }) => `${id} is ${amount}`),
    ...[...pending.values()]
      .flat()
      .filter(({ operationId }) => !asked.has(operationId ?? ''))
      .map(({ id }) => `withdrawal ${id} is pending, and nobody asks`),
  ]
}

/** Once all is well again none waits. */
export const moneyOutEnds: Invariant = ({ held }) =>
  Object.entries({ withdrawal: held.withdrawals, transfer: held.transfers, refund: held.refunds }).flatMap(
    ([name, all]) =>
      all.filter(({ status }) => status === 'pending').map(({ id }) => `${name} ${id} is pending for ever`),
  )
