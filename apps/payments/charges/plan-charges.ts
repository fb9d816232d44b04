import { viewEach } from '../../../core/kernel/input/view.ts'
import { chargeView } from '../../../core/payments/charges/views.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { planChargesBody } from './charge-body.ts'
import { chargeExample } from './charge-example.ts'
import { TITLE_ERRORS } from './issue-errors.ts'
import { ownCharge, ownCharges } from './own-charge.ts'

const about = { ...ownCharges, methods: ['POST'], permission: 'charges:write' } as const

const part = (id: number, value: number, dueDate: string) => ({
  ...chargeExample,
  id,
  value,
  due_date: dueDate,
  description: 'Matrícula',
})

/** Source: 02-billing.md, Charges. */
export const planChargeRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'charges.issue-with-plan',
    summary: 'Emite as cobranças de um plano de pagamento: `value` é o total',
    paths: ['/invoices/with-plan'],
    input: { body: planChargesBody },
    run: ({ core, actor }, { body }) => core.charges.issueWithPlan(actor, body),
    resume: ({ core }, intent) => core.charges.resumePlan(intent),
    reply: json({ status: 201, view: viewEach(chargeView), message: 'Parcelas do plano geradas com sucesso!' }),
    errors: TITLE_ERRORS,
    example: {
      given: 'planToCharge',
      request: {
        body: {
          payment_plan_id: 1,
          value: 100,
          payment_method: 'PIX',
          due_date: '2030-11-30',
          name: 'Maria da Silva',
          email: 'maria@example.com',
          document: '123.456.789-09',
          description: 'Matrícula',
        },
      },
      reply: {
        code: 201,
        success: true,
        data: [part(1, 33.34, '2030-11-30'), part(2, 33.33, '2030-12-30'), part(3, 33.33, '2031-01-30')],
        message: 'Parcelas do plano geradas com sucesso!',
      },
    },
  }),
  route({
    ...about,
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
  }),
]
