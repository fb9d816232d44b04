import { type Day, dayOf, withOffset } from '../../kernel/values/day.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import type { Client } from '../customers/client.ts'
import { MAX_PIX_CENTS, staticPixCode } from '../pix/br-code.ts'
import { amountDue, type PaymentTerms } from '../terms/amount-due.ts'
import { type Charge, statusAt } from './charge.ts'
import { chargeStatusView } from './charge-status.ts'
import type { ChargeDetail } from './find-charge.ts'

/** Source: 02-billing.md, Enumerations (pix status); a charge that cannot be paid any more has a cancelled Pix. */
export const pixStatus = ({
  charge,
  asOf,
}: Pick<ChargeDetail, 'charge' | 'asOf'>): 'pending' | 'paid' | 'cancelled' => {
  const status = statusAt(charge, asOf)
  if (status === 'pending') return 'pending'
  return status === 'paid' || status === 'paidwithpix' ? 'paid' : 'cancelled'
}

/** What the charge asks on a day, in cents: with all its interest never more than a Pix code holds. */
export const dueOn = (charge: Charge, day: Day): number =>
  Math.min(MAX_PIX_CENTS, amountDue(termsOf(charge), day).dueCents)

// Field by field: a copy of the whole record would cost more than the sum.
const termsOf = (charge: Charge): PaymentTerms => ({
  valueCents: charge.valueCents,
  dueDay: charge.dueDate,
  amountRateHundredths: charge.amountRateHundredths,
  typeRate: charge.typeRate,
  discountHundredths: charge.discountHundredths,
  typeDiscount: charge.typeDiscount,
  daysDiscount: charge.daysDiscount,
})

/** The copy-and-paste text of its Pix: the bank's own, or a static code of what is due that day. */
export const pixCodeOf = (charge: Charge, day: Day): string | null => {
  const { pix } = charge
  if (!pix) return null
  return (
    pix.dynamicCode ??
    staticPixCode({
      key: pix.key,
      merchantName: pix.payeeName,
      merchantCity: pix.payeeCity,
      amountCents: dueOn(charge, day),
      txid: pix.txid,
    })
  )
}

/** Its Pix as the API shows it, or null while the bank has not answered. */
export const pixView = ({ charge, asOf }: Pick<ChargeDetail, 'charge' | 'asOf'>) => {
  const qrcode = pixCodeOf(charge, dayOf(asOf))
  return charge.pix && { txid: charge.pix.txid, qrcode, status: pixStatus({ charge, asOf }) }
}

export const payerView = ({ id, name, email, document }: Client) => ({ id, name, email, document })

/**
 * A charge as the API and webhooks show it: money in reais, documents without marks.
 * Source: 02-billing.md, Charge.
 */
export const chargeView = ({ charge, client, asOf }: ChargeDetail) => ({
  id: charge.id,
  code: charge.code,
  value: reaisFromCents(charge.valueCents),
  amount_paid: charge.amountPaidCents === null ? null : reaisFromCents(charge.amountPaidCents),
  payment_date: charge.paymentDate,
  status: chargeStatusView(statusAt(charge, asOf)),
  description: charge.description,
  payment_method: charge.paymentMethod,
  due_date: charge.dueDate,
  client: payerView(client),
  pix: pixView({ charge, asOf }),
  boleto: null,
  created_by: charge.createdBy,
  created_at: withOffset(charge.createdAt),
})
