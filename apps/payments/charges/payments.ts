import { fullChargeView } from '../../../core/payments/charges/read.ts'
import type { RefundedCharge } from '../../../core/payments/charges/refund.ts'
import { newRefund } from '../../../core/payments/charges/refund.ts'
import { chargeView } from '../../../core/payments/charges/views.ts'
import { json } from '../../http/replies/json-reply.ts'
import { route } from '../api.ts'
import { chargeExample, ownCharge, ownCharges, refundExample, refundedExample } from './charges.ts'

const DONE = 'Devolução realizada com sucesso!'
/** What the bank has not answered yet is reserved, and asked about. */
const UNANSWERED = 'O banco ainda não respondeu: a devolução é concluída assim que ele responder.'

/** Source: issue 14, Refund of a received Pix. */
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
  reply: json<RefundedCharge>({
    view: fullChargeView,
    status: ({ isAnswered }) => (isAnswered ? 200 : 202),
    others: [202],
    message: ({ isAnswered }) => (isAnswered ? DONE : UNANSWERED),
  }),
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
    reply: {
      code: 200,
      success: true,
      data: {
        ...refundedExample,
        tag: null,
        createdBy: { id: 1, name: 'Ana Souza' },
        refunds: [refundExample],
      },
      message: DONE,
    },
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
  input: {},
  run: ({ core, actor, request }) => core.charges.simulatePayment(actor, request.params.id ?? ''),
  reply: json({ view: chargeView, message: 'Pagamento simulado com sucesso!' }),
  errors: {
    'simulation.forbidden': {},
    'bank.unsupported': {},
    'charge.unknown': {},
    'charge.not-pending': { message: 'A cobrança não está pendente.' },
    'charge.busy': {},
    'bank.unavailable': {},
    'card.declined': {},
  },
  example: {
    given: 'pendingCharge',
    request: { params: { id: '1' } },
    reply: {
      code: 200,
      success: true,
      data: {
        ...chargeExample,
        amount_paid: 150.5,
        payment_date: '2030-11-21',
        status: { id: 2, title: 'paid', description: 'Pago' },
        pix: { ...chargeExample.pix, status: 'paid' },
      },
      message: 'Pagamento simulado com sucesso!',
    },
  },
})
