import { viewEach } from '../../core/kernel/input/mod.ts'
import { paymentSimulation, simulatedPaymentView } from '../../core/payments/charges/queries/payment-options.ts'
import { chargeReport, chargeReportRowView } from '../../core/payments/reports.ts'
import { json } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'

const inOnePayment = { installments: 1, installment_value: 100, total_amount: 100 }

const shared = { area: 'Cobranças', dialect: 'envelope', auth: 'account' } as const

/** The report of charges, and the simulation of a payment. */
export const reportRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'reports.charges',
    summary: 'Soma as cobranças por vencimento e situação, dia a dia ou mês a mês',
    paths: ['/reports/invoices'],
    permission: 'charges:read',
    input: { query: chargeReport },
    run: ({ core, actor }, { query }) => core.reports.charges(actor, query),
    reply: json({ view: viewEach(chargeReportRowView), message: 'Relatório de cobranças gerado com sucesso.' }),
    example: {
      given: 'pendingCharge',
      request: { query: { group_by: 'days', date_start: '2030-11-01', date_end: '2030-11-30' } },
      data: [
        {
          reference_date: '2030-11-30',
          status_id: 1,
          status: { id: 1, title: 'pending', description: 'Pendente' },
          total_qtd: 1,
          total_amount_paid: 0,
          total_value: 150.5,
        },
      ],
    },
  }),
  route({
    ...shared,
    name: 'simulations.payment',
    summary: 'Mostra como um valor seria pago por cada meio; nada é criado',
    methods: ['POST'],
    paths: ['/billing/simulate-payment'],
    permission: 'charges:write',
    key: false,
    input: { body: paymentSimulation },
    run: ({ core, actor }, { body }) => core.simulations.payment(actor, body),
    reply: json({ view: simulatedPaymentView, message: 'Simulação realizada com sucesso!' }),
    example: {
      given: 'account',
      request: { body: { amount: 100, installments: 3 } },
      data: {
        pix: { method: 'pix', ...inOnePayment },
        boleto: { method: 'boleto', ...inOnePayment },
        credit_card: {
          method: 'credit_card',
          installments: 3,
          installment_value: 33.33,
          total_amount: 100,
          original_amount: 100,
        },
        simulation_details: {
          requested_amount: 100,
          requested_installments: 3,
          preferred_method: null,
          installments_summary: '1x de R$ 33,34 e 2x de R$ 33,33',
        },
      },
    },
  }),
]
