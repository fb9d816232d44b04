import { nullable } from '../../kernel/input/field.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import { type Day, dayOf } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { type Client, payerFields } from '../customers/client.ts'
import { MAX_PIX_CENTS, staticPixCode } from '../pix/br-code.ts'
import { amountDue, discountLastDay, type PaymentTerms } from '../terms/amount-due.ts'
import { type Charge, chargeFields, chargeStatusView, lastPayableDay, statusAt } from './charge.ts'
import type { ChargeDetail } from './detail.ts'

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

/** What changes what it asks. */
// Field by field: a copy of the whole record would cost more than the sum.
export const termsOf = (charge: Charge): PaymentTerms => ({
  valueCents: charge.valueCents,
  dueDay: charge.dueDate,
  amountRateHundredths: charge.amountRateHundredths,
  typeRate: charge.typeRate,
  discountHundredths: charge.discountHundredths,
  typeDiscount: charge.typeDiscount,
  daysDiscount: charge.daysDiscount,
})

/** The last day on which a payer gets the discount: never after the last day on which the charge can be paid. */
export const discountUntil = (charge: Charge): Day => {
  const [until, last] = [discountLastDay(termsOf(charge)), lastPayableDay(charge)]
  return last !== null && last < until ? last : until
}

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
  txid: output.text({ about: 'Identificador do Pix' }),
  qrcode: nullable(output.text({ about: 'Pix copia e cola' })),
  status: oneOf(PIX_STATUSES, { about: 'Situação do Pix' }),
}

/** Its Pix, or null while the bank has not answered. */
export const pixOf = ({ charge, asOf }: Pick<ChargeDetail, 'charge' | 'asOf'>) =>
  charge.pix && {
    txid: charge.pix.txid,
    qrcode: pixCodeOf(charge, dayOf(asOf)),
    status: pixStatus({ charge, asOf }),
  }

/** The refunds of a charge and the rest of its payment, in cents; the rest is null if no payment was counted. */
export interface Returned {
  readonly cents: number
  readonly leftCents: number | null
}

/** Returns the completed refunds of a charge together; null where nothing went back. A pending refund does not count. */
export const returnedOf = ({
  amountPaidCents,
  refundedCents,
}: Pick<Charge, 'amountPaidCents' | 'refundedCents'>): Returned | null => {
  if (refundedCents === null || refundedCents === 0) return null
  return { cents: refundedCents, leftCents: amountPaidCents && Math.max(0, amountPaidCents - refundedCents) }
}

/** `Devolvido R$ 50,00; restam R$ 100,50.`: the same words on pages, paper and in messages. */
export const returnedText = ({ cents, leftCents }: Returned): string =>
  `Devolvido ${formatReais(cents)}${leftCents === null ? '' : `; restam ${formatReais(leftCents)}`}.`

const BOLETO_STATUSES = ['issued', 'paid', 'cancelled'] as const

/** Source: 02-billing.md, Enumerations (boleto status). */
const BOLETO_STATUS_OF = { pending: 'issued', paid: 'paid', cancelled: 'cancelled' } as const

const boletoFields = {
  txid: output.text({ about: 'Identificador do boleto' }),
  nossoNumero: output.text({ about: 'Nosso número' }),
  barcode: output.text({ about: 'Código de barras, 44 dígitos' }),
  digitableLine: output.text({ wire: 'digitableLine', about: 'Linha digitável, 47 dígitos' }),
  status: oneOf(BOLETO_STATUSES, { about: 'Situação do boleto' }),
  pathPdf: output.text({ wire: 'pathPDF', about: 'Endereço do boleto em PDF' }),
}

/** Returns the address of the page where a payer sees and pays a charge. */
export const chargePageUrl = (publicUrl: string, { code }: Pick<Charge, 'code'>): string =>
  `${publicUrl}/pay/charge/${code}`

/** Where anybody who has its txid opens a boleto. */
export const boletoUrl = (publicUrl: string, txid: string): string => `${publicUrl}/storage/boletos/boleto_${txid}.pdf`

/** Its boleto, or null where it has none, yet. */
export const boletoOf = ({ charge, asOf, publicUrl }: Pick<ChargeDetail, 'charge' | 'asOf' | 'publicUrl'>) =>
  charge.boleto && {
    ...charge.boleto,
    txid: charge.txid ?? '',
    status: BOLETO_STATUS_OF[pixStatus({ charge, asOf })],
    pathPdf: boletoUrl(publicUrl, charge.txid ?? ''),
  }

type ShownBoleto = NonNullable<ReturnType<typeof boletoOf>>

export const boletoView = view('ChargeBoleto', boletoFields, (boleto: ShownBoleto) => boleto)

type ShownPix = NonNullable<ReturnType<typeof pixOf>>

export const pixView = view('ChargePix', pixFields, (pix: ShownPix) => pix)

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
    code: output.text({ about: 'Código público' }),
    url: output.text({ about: 'Página em que quem paga vê e paga a cobrança' }),
    valueCents: chargeFields.valueCents,
    amountPaidCents: nullable(output.money({ wire: 'amount_paid', about: 'Total já pago' })),
    refundedCents: nullable(output.money({ wire: 'refunded_value', about: 'Total já devolvido' })),
    paymentDate: chargeFields.paymentDate,
    status: output.view(chargeStatusView, { about: 'Situação' }),
    ...pick(chargeFields, 'description', 'paymentMethod', 'dueDate'),
    client: output.view(payerView, { about: 'Quem paga' }),
    pix: nullable(
      output.view(pixView, { about: 'Pix; null onde a cobrança não se paga por Pix, e enquanto o banco não responde' }),
    ),
    boleto: nullable(
      output.view(boletoView, {
        about: 'Boleto; null onde a cobrança não se paga por boleto, e enquanto o banco não responde',
      }),
    ),
    ...pick(chargeFields, 'createdBy', 'createdAt'),
  },
  // Field by field, since pages show many.
  ({ charge, client, asOf, publicUrl }: ChargeDetail) => ({
    id: charge.id,
    code: charge.code,
    url: chargePageUrl(publicUrl, charge),
    valueCents: charge.valueCents,
    amountPaidCents: charge.amountPaidCents,
    refundedCents: charge.refundedCents,
    paymentDate: charge.paymentDate,
    status: statusAt(charge, asOf),
    description: charge.description,
    paymentMethod: charge.paymentMethod,
    dueDate: charge.dueDate,
    client,
    pix: pixOf({ charge, asOf }),
    boleto: boletoOf({ charge, asOf, publicUrl }),
    createdBy: charge.createdBy,
    createdAt: charge.createdAt,
  }),
)
