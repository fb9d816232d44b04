import { boletoOf, type ChargeDetail, chargePageUrl, chargeStatusAt, pixOf } from '../../core/mod.ts'
import type { BankAnswer } from '../../core/ports/bank.ts'
import type { IssuedCharge } from '../../core/ports/charging.ts'

const statusOf = ({ charge, asOf }: ChargeDetail): IssuedCharge['status'] => {
  // A paid one that was deleted was paid all the same.
  if (charge.paymentDate !== null) return 'Paid'
  return chargeStatusAt(charge, asOf) === 'pending' ? 'Open' : 'Ended'
}

/** A charge of the payments core as whoever ordered it knows it. */
export const issuedCharge = (detail: ChargeDetail): IssuedCharge => {
  const boleto = boletoOf(detail)
  return {
    id: detail.charge.code,
    status: statusOf(detail),
    valueCents: detail.charge.valueCents,
    dueDate: detail.charge.dueDate,
    pixText: pixOf(detail)?.qrcode ?? null,
    digitableLine: boleto?.digitableLine ?? null,
    boletoUrl: boleto?.pathPdf ?? null,
    url: chargePageUrl(detail.publicUrl, detail.charge),
  }
}

/** Whether the bank has said nothing of its title yet. */
export const isAsked = ({ charge: { status, pix, boleto } }: ChargeDetail): boolean =>
  status === 'pending' && pix === null && boleto === null

const REFUSED = 'A conta de pagamentos recusou a cobrança.'

/** What came of an issue. */
export const issueAnswer = (detail: ChargeDetail): BankAnswer<IssuedCharge> => {
  if (isAsked(detail)) return { outcome: 'unknown' }
  const { status, failure } = detail.charge
  if (status === 'failed') return { outcome: 'refused', reason: failure ?? REFUSED }
  return { outcome: 'done', value: issuedCharge(detail) }
}
