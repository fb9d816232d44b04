import { chargeView } from '../../../core/payments/charges/detail.ts'
import { issuedTermsView } from '../../../core/payments/charges/queries/quote.ts'
import { fullChargeView } from '../../../core/payments/charges/queries/read.ts'
import { newRefund, type RefundedCharge } from '../../../core/payments/charges/refund.ts'
import { json } from '../../http/replies/json-reply.ts'
import { route } from '../api.ts'
import { ownCharge, ownCharges, paidExample, replyOnceAnswered, v1Charge } from './charges.ts'

export const termsRow = route({
  ...v1Charge,
  name: 'charges.terms',
  summary: 'Mostra os juros, a multa e o desconto de uma cobrança, e quanto se paga hoje',
  paths: ['/v1/charges/:id/terms'],
  run: ({ core, actor, record }) => core.charges.terms(actor, record.charge.id),
  reply: json({ key: 'terms', view: issuedTermsView, message: 'Condições obtidas com sucesso.' }),
  example: {
    given: 'pendingCharge',
    request: { params: { id: '1' } },
    data: {
      amount_rate: null,
      type_rate: null,
      fine: null,
      type_fine: null,
      discount: null,
      type_discount: null,
      days_discount: null,
      accept_partial: false,
      today: {
        value: 150.5,
        due_date: '2030-11-30',
        day: '2030-11-21',
        fine: 0,
        interest: 0,
        discount: 0,
        amount_due: 150.5,
        discount_until: null,
        payable_until: '2030-12-02',
        is_payable: true,
      },
    },
  },
})

const DONE = 'Devolução realizada com sucesso!'
const UNANSWERED = 'O banco ainda não respondeu: a devolução é concluída assim que ele responder.'

/** A paid charge with a refund of a part, for the documentation. */
export const refundedExample = { ...paidExample, refunded_value: 50 }

export const refundExample = {
  id: 'kVh2aQ0mZr8TgW5xYc3LdPq7RtUe9WyS',
  end_to_end_id: 'E0118152120301121130500123456789',
  value: 50,
  reason: 'Desistência',
  status: 'completed',
  return_id: 'D0118152120301121130500123456789',
  created_at: '2030-11-21T10:05:09-03:00',
  completed_at: '2030-11-21T10:05:09-03:00',
}

export const refundRow = route({
  ...ownCharge,
  name: 'charges.refund',
  summary: 'Devolve um Pix recebido de uma cobrança, por id ou código, inteiro ou em parte',
  methods: ['POST'],
  paths: ['/invoices/:id/refund', '/billing/charges/:id/refund'],
  permission: 'charges:write',
  input: { body: newRefund },
  run: ({ core, actor, record }, { body }) => core.charges.refund(actor, record.charge.id, body),
  resume: ({ core }, intent) => core.charges.resumeRefund(intent),
  reply: json<RefundedCharge>({ view: fullChargeView, ...replyOnceAnswered(DONE, UNANSWERED) }),
  errors: {
    'charge.unknown': {},
    'organization.inactive': {},
    'bank.unsupported': {},
    'refund.not-pix': {},
    'refund.late': {},
    'bank.refused': { status: 422 },
    'bank.unavailable': { status: 500 },
  },
  example: {
    given: 'refundableCharge',
    request: { params: { id: '1' }, body: { value: 50, reason: 'Desistência' } },
    data: { ...refundedExample, tag: null, createdBy: { id: 1, name: 'Ana Souza' }, refunds: [refundExample] },
    message: DONE,
  },
})

export const simulatePaymentRow = route({
  ...ownCharges,
  methods: ['POST'],
  permission: 'charges:write',
  name: 'charges.simulate-payment',
  summary: 'Simula o pagamento de uma cobrança, em contas de teste',
  paths: ['/billing/simulate-payment/:id/charges'],
  parameters: ownCharge.parameters,
  run: ({ core, actor, request }) => core.charges.simulatePayment(actor, request.params.id ?? ''),
  reply: json({ view: chargeView, message: 'Pagamento simulado com sucesso!' }),
  errors: {
    'simulation.forbidden': {},
    'bank.unsupported': {},
    'charge.unknown': {},
    'charge.not-pending': { message: 'A cobrança não está pendente.' },
    'charge.busy': {},
    'boleto.unknown': { message: 'O banco recusou o boleto do que falta. Altere a cobrança para pedi-lo de novo.' },
    'bank.unavailable': {},
    'card.declined': {},
  },
  example: { given: 'pendingCharge', request: { params: { id: '1' } }, data: paidExample },
})
