import { refusal } from '../../../../core/failure.ts'
import { isLeft, left } from '../../../../core/fp.ts'
import { insert, patch } from '../../../../core/kernel/records/change.ts'
import { eq } from '../../../../core/kernel/records/where.ts'
import type { Fresh } from '../../../../core/kernel/running/fresh.ts'
import { accept, decideAndCommit, type Runtime } from '../../../../core/kernel/running/use-case.ts'
import type { BankAnswer, BankRefund, RefundOrder, Refunds } from '../../../../core/ports/bank.ts'
import { byId, StoreUnavailable } from '../../../../core/ports/store.ts'
import { type Payment, payments } from '../books.ts'
import { down, unknown, unlessFaulty } from '../faults.ts'
import { FAKE_ISPB } from '../pay-outs/fake-pay-outs.ts'
import { type GivenBack, refunds } from './refund-books.ts'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const UNKNOWN_PIX = 'Pix desconhecido.'
const TOO_MUCH = 'A soma das devoluções não pode passar do valor do Pix.'

/** How the embedded bank gives a received Pix back: at once, once by each id, and no more than came in. Source: decisions.md §8. */
export const fakeRefunds = (runtime: Runtime): Refunds => ({
  refund: (order) => unlessFaulty(runtime, 'refund', () => refund(runtime, order)),
  findRefund: async ({ id }) => {
    try {
      const known = await runtime.store.find(byId(refunds, id))
      return { outcome: 'done', value: known && bankRefundOf(known) }
    } catch (error) {
      if (error instanceof StoreUnavailable) return down
      throw error
    }
  },
})

const bankRefundOf = ({ returnId }: GivenBack): BankRefund => ({ status: 'returned', reason: null, returnId })

const refund = async (runtime: Runtime, order: RefundOrder): Promise<BankAnswer<BankRefund>> => {
  const answer = await decideAndCommit(
    runtime,
    (store) => store.read({ known: byId(refunds, order.id), payment: byId(payments, order.endToEndId) }),
    ({ known, payment }, fresh) => {
      if (known) return accept(bankRefundOf(known))
      // A boleto goes back to nobody.
      if (!payment || payment.method === 'boleto') return left(refusal('refund.refused', UNKNOWN_PIX))
      const refundedCents = (payment.refundedCents ?? 0) + order.valueCents
      if (refundedCents > payment.valueCents) return left(refusal('refund.refused', TOO_MUCH))
      return given(order, payment, refundedCents, fresh)
    },
  )
  if (!isLeft(answer)) return { outcome: 'done', value: answer.right }
  if (answer.left.tag === 'refused') return { outcome: 'refused', reason: answer.left.reason ?? UNKNOWN_PIX }
  // A commit whose answer was lost may have happened.
  return unknown
}

const given = (order: RefundOrder, payment: Payment, refundedCents: number, fresh: Fresh) => {
  const minute = fresh.now.slice(0, 16).replace(/\D/g, '')
  const made: GivenBack = {
    ...order,
    paymentId: payment.id,
    returnId: `D${FAKE_ISPB}${minute}${fresh.text(ALPHANUMERIC, 11)}`,
    createdAt: fresh.steady,
  }
  return accept(
    bankRefundOf(made),
    patch(payments, payment.id, { set: { refundedCents }, when: eq('refundedCents', payment.refundedCents) }),
    insert(refunds, made),
  )
}
