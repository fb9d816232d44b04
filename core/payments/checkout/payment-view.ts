import { nullable, optional } from '../../kernel/input/field.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view, viewBy } from '../../kernel/input/view.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { boletoOf, boletoView, dueOn, pixFields, pixOf } from '../charges/charge-view.ts'
import type { PaymentOfLink } from './pay-link.ts'

const beginning = {
  chargeId: output.text({ about: 'Código da cobrança' }),
}
const end = {
  successUrl: optional(output.text({ about: 'Aonde vai quem pagou; só onde o link o diz' })),
}

const endOf = ({ successUrl }: PaymentOfLink) => (successUrl === null ? {} : { successUrl })

const valuedPixView = view(
  'PaymentPix',
  { ...pixFields, valueCents: output.money({ wire: 'value', about: 'Valor' }) },
  (pix: NonNullable<ReturnType<typeof pixOf>> & { readonly valueCents: number }) => pix,
)

const byPixView = view(
  'PaymentByPix',
  {
    ...beginning,
    pix: nullable(output.view(valuedPixView, { about: 'Pix; null enquanto o banco não responde' })),
    ...end,
  },
  (paid: PaymentOfLink) => {
    const pix = pixOf(paid)
    const valueCents = dueOn(paid.charge, dayOf(paid.asOf))
    return { chargeId: paid.charge.code, pix: pix && { ...pix, valueCents }, ...endOf(paid) }
  },
)

const shortBoletoView = view(
  'PaymentBoleto',
  pick(boletoView.table, 'txid', 'barcode', 'digitableLine', 'pathPdf'),
  (boleto: NonNullable<ReturnType<typeof boletoOf>>) => boleto,
)

const byBoletoView = view(
  'PaymentByBoleto',
  {
    ...beginning,
    boleto: nullable(output.view(shortBoletoView, { about: 'Boleto; null enquanto o banco não responde' })),
    ...end,
  },
  (paid: PaymentOfLink) => ({ chargeId: paid.charge.code, boleto: boletoOf(paid), ...endOf(paid) }),
)

const byCardView = view(
  'PaymentByCard',
  {
    ...beginning,
    status: oneOf(['PAID', 'PENDING'], { about: 'Se o cartão já foi cobrado' }),
    message: output.text({ about: 'O que aconteceu, para quem paga' }),
    ...end,
  },
  (paid: PaymentOfLink) => {
    const { code, status } = paid.charge
    const answer = status === 'paid' ? APPROVED : PROCESSING
    return { chargeId: code, ...answer, ...endOf(paid) }
  },
)

const APPROVED = { status: 'PAID', message: 'Pagamento aprovado.' } as const
const PROCESSING = { status: 'PENDING', message: 'Pagamento em processamento.' } as const

const VIEWS = { PIX: byPixView, BOLETO: byBoletoView, CARD: byCardView } as const

/** What a payer is answered, by how they pay. Source: 02-billing.md, Public payer routes; decisions.md §9, Edges. */
export const paymentView = viewBy<PaymentOfLink>(Object.values(VIEWS), ({ method }) => VIEWS[method])
