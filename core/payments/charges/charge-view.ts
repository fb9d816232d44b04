import { nullable } from '../../kernel/input/codec.ts'
import { oneOf } from '../../kernel/input/fields/choices.ts'
import { shown } from '../../kernel/input/fields/shown.ts'
import { pick } from '../../kernel/input/table.ts'
import { view } from '../../kernel/input/view.ts'
import { type Day, dayOf } from '../../kernel/values/day.ts'
import type { Client } from '../customers/client.ts'
import { payerFields } from '../customers/client.ts'
import { MAX_PIX_CENTS, staticPixCode } from '../pix/br-code.ts'
import { amountDue, type PaymentTerms } from '../terms/amount-due.ts'
import { type Charge, statusAt } from './charge.ts'
import { chargeFields } from './charge-fields.ts'
import { chargeStatusView } from './charge-status.ts'
import type { ChargeDetail } from './find-charge.ts'

const PIX_STATUSES = ['pending', 'paid', 'cancelled'] as const

/** Source: 02-billing.md, Enumerations (pix status); a charge that cannot be paid any more has a cancelled Pix. */
export const pixStatus = ({ charge, asOf }: Pick<ChargeDetail, 'charge' | 'asOf'>): (typeof PIX_STATUSES)[number] => {
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

/** Of a Pix, whatever shows it. Source: 02-billing.md, Charge. */
export const pixFields = {
  txid: shown.text({ about: 'Identificador do Pix' }),
  qrcode: nullable(shown.text({ about: 'Pix copia e cola' })),
  status: oneOf(PIX_STATUSES, { about: 'Situação do Pix' }),
}

/** Its Pix, or null while the bank has not answered. */
export const pixOf = ({ charge, asOf }: Pick<ChargeDetail, 'charge' | 'asOf'>) =>
  charge.pix && {
    txid: charge.pix.txid,
    qrcode: pixCodeOf(charge, dayOf(asOf)),
    status: pixStatus({ charge, asOf }),
  }

type ShownPix = NonNullable<ReturnType<typeof pixOf>>

const pixView = view('ChargePix', pixFields, (pix: ShownPix) => pix)

const payerView = view(
  'Payer',
  {
    id: chargeFields.id,
    name: payerFields.name,
    email: nullable(payerFields.email),
    document: nullable(payerFields.document),
  },
  (client: Client) => client,
)

/**
 * A charge as the API and webhooks show it: money in reais, documents without marks.
 * Source: 02-billing.md, Charge.
 */
export const chargeView = view(
  'Charge',
  {
    id: chargeFields.id,
    code: shown.text({ about: 'Código público' }),
    valueCents: chargeFields.valueCents,
    amountPaidCents: nullable(shown.money({ wire: 'amount_paid', about: 'Total já pago' })),
    paymentDate: chargeFields.paymentDate,
    status: shown.view(chargeStatusView, { about: 'Situação' }),
    ...pick(chargeFields, 'description', 'paymentMethod', 'dueDate'),
    client: shown.view(payerView, { about: 'Quem paga' }),
    pix: nullable(shown.view(pixView, { about: 'Pix; null enquanto o banco não responde' })),
    boleto: shown.nothing({ about: 'Boleto' }),
    ...pick(chargeFields, 'createdBy', 'createdAt'),
  },
  // Field by field, since pages show many.
  ({ charge, client, asOf }: ChargeDetail) => ({
    id: charge.id,
    code: charge.code,
    valueCents: charge.valueCents,
    amountPaidCents: charge.amountPaidCents,
    paymentDate: charge.paymentDate,
    status: statusAt(charge, asOf),
    description: charge.description,
    paymentMethod: charge.paymentMethod,
    dueDate: charge.dueDate,
    client,
    pix: pixOf({ charge, asOf }),
    boleto: null,
    createdBy: charge.createdBy,
    createdAt: charge.createdAt,
  }),
)
