import { payment } from '../../../core/real-estate/records/payment.ts'
import { paymentView } from '../../../core/real-estate/rents/read-payment.ts'
import { defaultedFilter, defaultedView, revenuePeriod, revenueView } from '../../../core/real-estate/rents/reports.ts'
import { paymentReceipt } from '../../../core/real-estate/rents/write-payment.ts'
import { json, streamedJson } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { crud, route } from '../api.ts'
import { EXAMPLE_MOMENT, exampleId } from '../examples.ts'
import { AGENCY_CRUD } from '../resources.ts'
import { CANCELS } from './cancels.ts'

const area = 'Pagamentos'
const about = { area, dialect: 'estate', auth: 'member' } as const

const sent = {
  contractId: exampleId(40),
  type: 'Rent',
  period: '2030-11',
  value: 2500,
  dueDate: '2030-11-10',
  notes: 'Primeiro aluguel.',
}

/** A payment as it is shown. */
export const paymentExample = {
  id: exampleId(50),
  type: 'Rent',
  period: '2030-11',
  value: 2500,
  dueDate: '2030-11-10',
  status: 'Pending',
  method: null,
  paidAt: null,
  paidValue: null,
  receiptUrl: null,
  notes: 'Primeiro aluguel.',
  boletoUrl: null,
  contractId: exampleId(40),
  contract: {
    id: exampleId(40),
    client: { id: exampleId(10), name: 'Maria da Silva' },
    property: { id: exampleId(30), code: 'AP-101' },
  },
  createdAt: EXAMPLE_MOMENT,
}

const receipt = { method: 'Transfer', paidAt: EXAMPLE_MOMENT, paidValue: 2500 }

const reports: readonly AnyRow[] = [
  route({
    ...about,
    name: 'payments.report-defaulted',
    summary: 'Lista o que está em atraso, e quanto é',
    methods: ['GET'],
    paths: ['/api/payments/report/defaulted'],
    permission: 'payments:report',
    input: { query: defaultedFilter },
    run: ({ core, actor }, { query }) => core.payments.reportDefaulted(actor, query),
    reply: streamedJson({ view: defaultedView }),
    example: {
      given: 'defaulted',
      reply: { totalDefaulted: 1, totalValue: 2500, payments: [{ ...paymentExample, status: 'Defaulted' }] },
    },
  }),
  route({
    ...about,
    name: 'payments.report-revenue',
    summary: 'Mostra o que foi recebido, mês a mês',
    methods: ['GET'],
    paths: ['/api/payments/report/revenue'],
    permission: 'payments:report',
    input: { query: revenuePeriod },
    run: ({ core, actor }, { query }) => core.payments.reportRevenue(actor, query),
    reply: json({ view: revenueView }),
    example: {
      given: 'payment',
      request: { query: { periodFrom: '2030-10', periodTo: '2030-11' } },
      reply: {
        totalRevenue: 2500,
        byMonth: [
          { period: '2030-10', value: 0 },
          { period: '2030-11', value: 2500 },
        ],
      },
    },
  }),
]

/** Source: 03-real-estate.md, Payments. */
export const paymentRows: readonly AnyRow[] = [
  ...reports,
  ...crud({
    ...AGENCY_CRUD,
    module: 'payments',
    resource: payment,
    view: paymentView,
    area,
    paths: ['/api/payments'],
    permissions: { read: 'payments:read', write: 'payments:write', remove: 'payments:remove' },
    words: {
      list: { summary: 'Lista os pagamentos, do mais novo ao mais antigo' },
      create: { summary: 'Cria um pagamento de um contrato', status: 201 },
      show: { summary: 'Mostra um pagamento' },
      update: { summary: 'Substitui o que se sabe de um pagamento em aberto' },
      remove: { summary: 'Exclui um pagamento que não foi pago', status: 204 },
      missing: 'Pagamento não encontrado.',
    },
    errors: {
      update: { 'payment.closed': {}, 'payment.charged': {}, 'charging.unavailable': {} },
      remove: { 'payment.paid': {}, ...CANCELS },
    },
    example: { begin: 'contract', given: 'payment', sent, change: { ...sent, value: 2600 }, shown: paymentExample },
  }),
  route({
    ...about,
    name: 'payments.pay',
    summary: 'Registra que um pagamento foi pago',
    methods: ['PATCH'],
    paths: ['/api/payments/:id/pay'],
    permission: 'payments:write',
    record: ({ core, actor, request }) => core.payments.read(actor, request.params.id ?? ''),
    input: { body: paymentReceipt },
    run: ({ core, actor, record }, { body }) => core.payments.pay(actor, record.id, body),
    reply: json({ view: paymentView }),
    errors: { 'payment.unknown': {}, 'payment.closed': {}, ...CANCELS },
    example: {
      given: 'payable',
      request: { params: { id: exampleId(50) }, body: receipt },
      reply: { ...paymentExample, ...receipt, status: 'Paid' },
    },
  }),
]
