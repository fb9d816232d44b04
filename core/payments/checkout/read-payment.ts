import { isLeft, right } from '../../failure.ts'
import { nullable, oneOf, optional, output, pick, view, viewBy } from '../../kernel/input/mod.ts'
import { readUseCase, useCaseOf } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import { payeeOfChargeView } from '../accounts/views.ts'
import { boletoOf, boletoView, chargeView, dueOn, pixFields, pixOf } from '../charges/detail.ts'
import { findPayable, type PayableDetail, type PublicCharge, readPublicCharge } from '../charges/queries/read.ts'
import { links } from '../links/link.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type PaymentOfLink, successUrlOf } from './pay-link.ts'

const chargeIdField = { chargeId: output.text({ about: 'Código da cobrança' }) }
const successUrlField = { successUrl: optional(output.text({ about: 'Aonde vai quem pagou; só onde o link o diz' })) }

const successUrlValue = ({ successUrl }: PaymentOfLink) => (successUrl === null ? {} : { successUrl })

const valuedPixView = view('PaymentPix', { ...pixFields, valueCents: output.money({ wire: 'value', about: 'Valor' }) })

const pixPaymentView = view(
  'PaymentByPix',
  {
    ...chargeIdField,
    pix: nullable(output.view(valuedPixView, { about: 'Pix; null enquanto o banco não responde' })),
    ...successUrlField,
  },
  (paid: PaymentOfLink) => {
    const pix = pixOf(paid)
    const valueCents = dueOn(paid.charge, dayOf(paid.asOf))
    return { chargeId: paid.charge.code, pix: pix && { ...pix, valueCents }, ...successUrlValue(paid) }
  },
)

const shortBoletoView = view('PaymentBoleto', pick(boletoView.table, 'txid', 'barcode', 'digitableLine', 'pathPdf'))

const boletoPaymentView = view(
  'PaymentByBoleto',
  {
    ...chargeIdField,
    boleto: nullable(output.view(shortBoletoView, { about: 'Boleto; null enquanto o banco não responde' })),
    ...successUrlField,
  },
  (paid: PaymentOfLink) => ({ chargeId: paid.charge.code, boleto: boletoOf(paid), ...successUrlValue(paid) }),
)

const cardPaymentView = view(
  'PaymentByCard',
  {
    ...chargeIdField,
    status: oneOf(['PAID', 'PENDING'], { about: 'Se o cartão já foi cobrado' }),
    message: output.text({ about: 'O que aconteceu, para quem paga' }),
    ...successUrlField,
  },
  (paid: PaymentOfLink) => {
    const { code, status } = paid.charge
    const answer = status === 'paid' ? APPROVED : PROCESSING
    return { chargeId: code, ...answer, ...successUrlValue(paid) }
  },
)

const APPROVED = { status: 'PAID', message: 'Pagamento aprovado.' } as const
const PROCESSING = { status: 'PENDING', message: 'Pagamento em processamento.' } as const

const VIEWS = { PIX: pixPaymentView, BOLETO: boletoPaymentView, CARD: cardPaymentView } as const

/** The reply to a payment, by method. */
export const paymentView = viewBy<PaymentOfLink>(Object.values(VIEWS), ({ method }) => VIEWS[method])

/** Draws no QR code, since payers poll it. */
export const paymentStatus = (ports: PaymentsPorts) => (code: string) =>
  readUseCase('charge.unknown', () => findPayable(ports, { code }))

// The payer's data is left out: a payer by a link may name any client of its account.
const { client: _, pix, boleto, ...chargeTable } = chargeView.table

const chargeAloneView = view('ChargeAlone', chargeTable, (found: PayableDetail) => chargeView.of(found))

/** A charge, its Pix, its boleto and its payee, as separate objects. */
export const paymentStatusView = view(
  'PaymentStatus',
  {
    charge: output.view(chargeAloneView, { about: 'A cobrança' }),
    pix,
    boleto,
    account: output.view(payeeOfChargeView, { about: 'Quem recebe' }),
  },
  (found: PayableDetail) => {
    const { pix: ofPix, boleto: ofBoleto } = chargeView.of(found)
    return { charge: found, pix: ofPix, boleto: ofBoleto, account: found }
  },
)

/** A charge for its payer, with the `successUrl` of its link; null if none. */
export interface PayableCharge extends PublicCharge {
  readonly successUrl: string | null
}

export const readPayment = (ports: PaymentsPorts) => (code: string) =>
  useCaseOf<PayableCharge>()(async () => {
    const found = await readPublicCharge(ports)({ code })()
    if (isLeft(found)) return found
    const { linkId } = found.right.charge
    const link = linkId === null ? null : await ports.store.find(byId(links, linkId))
    return right({ successUrl: link && successUrlOf(link, found.right), ...found.right })
  })
