import { fullChargeView } from '../../../core/payments/charges/read.ts'
import type { RefundedCharge } from '../../../core/payments/charges/refund.ts'
import { newRefund } from '../../../core/payments/charges/refund.ts'
import { json } from '../../http/replies/json-reply.ts'
import { route } from '../api.ts'
import { refundExample, refundedExample } from './charge-example.ts'
import { ownCharge } from './own-charge.ts'

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
