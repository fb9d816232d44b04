import type { PaymentNotice } from '../../../core/ports/bank.ts'
import type { Payment } from './books.ts'

/** What the bank tells the platform of a payment. */
export const noticeOf = (payment: Payment): PaymentNotice => ({
  txid: payment.txid,
  endToEndId: payment.endToEndId ?? payment.id,
  method: payment.method ?? 'pix',
  valueCents: payment.valueCents,
  paidAt: payment.paidAt,
  payer: { name: payment.payerName, document: payment.payerDocument, bank: null, branch: null, account: null },
})
