import { refundCause } from '../../../core/payments/charges/refund.ts'
import { PIX_REFUND } from '../../../core/payments/ledger/transaction-type.ts'
import { groupBy, type MoneyOutInvariant, sumOf, unless } from './judged.ts'

/** What the bank has given back is posted once and told of its charge; of no Pix goes back more than came. */
export const givenBackOnce: MoneyOutInvariant = ({ held, bank }) => {
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
      return unless([[status === 'pending' || status === 'completed', `${id} was given back, and is ${status}`]])
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
