import { refundCause } from '../../../core/payments/charges/refund-records.ts'
import { PIX_OUT, PIX_REFUND, TRANSFER_IN, TRANSFER_OUT } from '../../../core/payments/ledger/ledger.ts'
import { waitingSumId } from '../../../core/payments/withdrawals/limits.ts'
import { groupBy, type Invariant, type MoneyInvariant, repeated, sumOf, unless } from './judged.ts'

const OUT = ['pay-out', 'transfer']

/** Each completed withdrawal was paid out once by the bank under its txid; no account is overdrawn. */
export const paidOutOnce: MoneyInvariant = ({ held, bank }) => {
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

/** The waiting count equals the pending withdrawals, and each has a running operation. */
export const waitingCounted: MoneyInvariant = ({ held }) => {
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
      .map(({ id }) => `withdrawal ${id} is pending without a running operation`),
  ]
}

/** No withdrawal, transfer or refund is pending at the end. */
export const moneyOutEnds: Invariant = ({ held }) =>
  Object.entries({ withdrawal: held.withdrawals, transfer: held.transfers, refund: held.refunds }).flatMap(
    ([name, all]) => all.filter(({ status }) => status === 'pending').map(({ id }) => `${name} ${id} is still pending`),
  )

const TYPES = [TRANSFER_OUT.id, TRANSFER_IN.id]

/** Each transfer that the bank has paid is posted once on both accounts. */
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

/** Each refund of the bank is posted once and counted on its charge; no Pix is refunded beyond its value. */
export const givenBackOnce: MoneyInvariant = ({ held, bank }) => {
  const back = new Map(bank.refunds.map((each) => [each.id, each]))
  const causes = new Map(held.journals.map(({ id, cause }) => [cause, id]))
  const lines = groupBy(
    held.entries.filter(({ typeId }) => typeId === PIX_REFUND.id),
    ({ journalId }) => journalId,
  )
  const known = new Map(held.refunds.map((each) => [each.id, each]))
  const completed = held.refunds.filter(({ status }) => status === 'completed')
  const ofCharge = groupBy(completed, ({ chargeId }) => chargeId)
  return [
    ...held.refunds.flatMap(({ id, status, valueCents }) => {
      const own = lines.get(causes.get(refundCause(id)) ?? '') ?? []
      return status === 'completed'
        ? unless([
            [back.get(id)?.valueCents === valueCents, `refund ${id} is completed, and the bank gave nothing back`],
            [own.length === 1 && own[0]?.valueCents === -valueCents, `refund ${id} is posted otherwise`],
          ])
        : unless([[own.length === 0, `refund ${id} is ${status} and posted`]])
    }),
    ...unless([[lines.size === completed.length, `${lines.size} refunds are posted, and ${completed.length} made`]]),
    ...bank.refunds.flatMap(({ id }) => {
      const status = known.get(id)?.status ?? 'unknown'
      return unless([[status === 'pending' || status === 'completed', `${id} was refunded, and is ${status}`]])
    }),
    ...held.charges.flatMap(({ id, refundedCents }) => {
      const sumCents = sumOf((ofCharge.get(id) ?? []).map(({ valueCents }) => valueCents))
      return unless([[(refundedCents ?? 0) === sumCents, `charge ${id} has ${refundedCents} back of ${sumCents}`]])
    }),
    ...bank.payments.flatMap(({ endToEndId, valueCents }) => {
      const own = bank.refunds.filter((each) => each.endToEndId === endToEndId)
      const sumCents = sumOf(own.map((each) => each.valueCents))
      return unless([[sumCents <= valueCents, `${sumCents} went back of ${valueCents}: ${endToEndId}`]])
    }),
  ]
}
