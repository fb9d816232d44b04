import { newPaymentAccount, paymentAccountView } from '../../core/real-estate/charging/payment-account.ts'
import { payment } from '../../core/real-estate/records/payment.ts'
import { newPaymentCharge, paymentChargeView } from '../../core/real-estate/rents/charge-payment.ts'
import { quoteDay, quoteView } from '../../core/real-estate/rents/quote-payment.ts'
import { paymentView } from '../../core/real-estate/rents/read-payment.ts'
import { defaultedFilter, defaultedView, revenuePeriod, revenueView } from '../../core/real-estate/rents/reports.ts'
import { rentRun, rentRunView } from '../../core/real-estate/rents/run-rent.ts'
import { paymentReceipt } from '../../core/real-estate/rents/write-payment.ts'
import { json, streamedJson } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { AGENCY_CRUD, crud, type MemberCall, route } from './api.ts'
import { EXAMPLE_MOMENT, exampleId, paymentExample } from './examples.ts'

/** The errors of operations that first cancel the open charge of a payment. */
export const CHARGE_CANCELLATION = {
  'charge.uncancelled': {},
  'charging.unavailable': {},
  'payment.charged': {},
} as const

const area = 'Pagamentos'
const common = { area, dialect: 'estate', auth: 'member' } as const
const withRecord = {
  ...common,
  record: ({ core, actor, request }: MemberCall) => core.payments.read(actor, request.params.id ?? ''),
} as const
const params = { id: paymentExample.id }

const sent = {
  contractId: exampleId(40),
  type: 'Rent',
  period: '2030-11',
  value: 2500,
  dueDate: '2030-11-10',
  notes: 'Primeiro aluguel.',
}

const receipt = { method: 'Transfer', paidAt: EXAMPLE_MOMENT, paidValue: 2500 }

const account = {
  area: 'Imobiliária',
  dialect: 'estate',
  auth: 'member',
  paths: ['/api/company/payment-account'],
} as const
const shownAccount = { name: 'Padaria Central' }

/** Payments, their reports, rents and charges, and the account that receives them. */
export const paymentRows: readonly AnyRow[] = [
  route({
    ...common,
    name: 'payments.report-defaulted',
    summary: 'Lista o que está em atraso, e quanto é',
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
    ...common,
    name: 'payments.report-revenue',
    summary: 'Mostra o que foi recebido, mês a mês',
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
  ...crud({
    ...AGENCY_CRUD,
    module: 'payments',
    resource: payment,
    view: paymentView,
    area,
    paths: ['/api/payments'],
    permissions: { read: 'payments:read', write: 'payments:write', remove: 'payments:remove' },
    noun: { one: 'pagamento', many: 'pagamentos', gender: 'm' },
    words: {
      create: { summary: 'Cria um pagamento de um contrato' },
      update: { summary: 'Substitui o que se sabe de um pagamento em aberto' },
      remove: { summary: 'Exclui um pagamento que não foi pago' },
    },
    errors: {
      update: { 'payment.closed': {}, 'payment.charged': {}, 'charging.unavailable': {} },
      remove: { 'payment.paid': {}, 'payment.part-paid': {}, ...CHARGE_CANCELLATION },
    },
    example: { begin: 'contract', sent, change: { ...sent, value: 2600 }, shown: paymentExample },
  }),
  route({
    ...withRecord,
    name: 'payments.pay',
    summary: 'Registra que um pagamento foi pago',
    methods: ['PATCH'],
    paths: ['/api/payments/:id/pay'],
    permission: 'payments:write',
    input: { body: paymentReceipt },
    run: ({ core, actor, record }, { body }) => core.payments.pay(actor, record.id, body),
    reply: json({ view: paymentView }),
    errors: { 'payment.unknown': {}, 'payment.closed': {}, ...CHARGE_CANCELLATION },
    example: {
      given: 'payable',
      request: { params, body: receipt },
      reply: { ...paymentExample, ...receipt, status: 'Paid' },
    },
  }),
  route({
    ...common,
    name: 'payments.run-rent',
    summary:
      'Cria o aluguel do mês de cada contrato de locação, pelos dias em que esteve em vigor e que nenhum aluguel cobrou ainda',
    methods: ['POST'],
    paths: ['/api/contracts/run-rent'],
    permission: 'payments:write',
    input: { body: rentRun },
    run: ({ core, actor }, { body }) => core.payments.runRent(actor, body),
    reply: json({ view: rentRunView }),
    example: {
      given: 'lease',
      request: { body: { period: '2030-11', dryRun: false } },
      reply: {
        period: '2030-11',
        dryRun: false,
        created: [{ ...paymentExample, notes: null }],
        skipped: [
          {
            contractId: exampleId(41),
            propertyCode: 'AP-102',
            code: 'lease.ended',
            reason: 'O prazo do contrato terminou, ou o contrato foi encerrado, antes deste mês.',
          },
        ],
      },
    },
  }),
  route({
    ...withRecord,
    name: 'payments.quote',
    summary: 'Mostra quanto se deve de um pagamento num dia, e por que',
    paths: ['/api/payments/:id/quote'],
    permission: 'payments:read',
    input: { query: quoteDay },
    run: ({ core, actor, record }, { query }) => core.payments.quote(actor, record.id, query),
    reply: json({ view: quoteView }),
    errors: { 'payment.unknown': {}, 'payment.closed': {} },
    example: {
      given: 'payment',
      request: { params, query: { on: '2030-11-20' } },
      reply: {
        paymentId: exampleId(50),
        on: '2030-11-20',
        dueDate: '2030-11-10',
        daysLate: 10,
        value: 2500,
        fine: 250,
        interest: 8.33,
        discount: 0,
        received: null,
        total: 2758.33,
        reasons: {
          value: 'Valor do pagamento, com vencimento em 10/11/2030.',
          fine: 'Multa por atraso de 10% do valor.',
          interest: 'Juros de 1% ao mês sobre o valor, por 10 dias de atraso (mês de 30 dias).',
          discount: 'Sem desconto: valia até 10/11/2030.',
        },
      },
    },
  }),
  route({
    ...withRecord,
    name: 'payments.charge',
    summary:
      'Cobra um pagamento do cliente por Pix ou boleto; a cobrança em aberto é devolvida, ou trocada se não pede o que se deve hoje',
    methods: ['POST'],
    paths: ['/api/payments/:id/charge'],
    permission: 'payments:write',
    input: { body: newPaymentCharge },
    run: ({ core, actor, record }, { body }) => core.payments.charge(actor, record.id, body),
    resume: ({ core }, intent) => core.payments.resumeCharge(intent),
    reply: json({ view: paymentChargeView }),
    errors: {
      'payment.unknown': {},
      'payment.closed': {},
      'payment.no-account': {},
      'payment.no-tax-id': {},
      'payment.nothing-due': {},
      'charge.refused': {},
      'charge.ended': {},
      'charge.uncancelled': {},
      'charging.unavailable': {},
    },
    example: {
      given: 'chargeable',
      request: { params, body: { method: 'Boleto' } },
      reply: {
        id: exampleId(55),
        paymentId: exampleId(50),
        method: 'Boleto',
        status: 'Open',
        value: 2500,
        dueDate: '2030-12-10',
        discount: 50,
        receivedValue: null,
        pixCode: null,
        digitableLine: '00190500954014481606906809350314337370000000100',
        boletoUrl: 'https://imoveis.example.com/storage/boletos/boleto_A1b2C3d4E5f6G7h8I9j0K1l2M.pdf',
        url: 'https://imoveis.example.com/pay/charge/kVh2aQ0mZr8TgW5xYc3LdP',
      },
    },
  }),
  route({
    ...account,
    name: 'company.read-payment-account',
    summary: 'Mostra o nome da conta em que os pagamentos da imobiliária são recebidos',
    permission: 'company:read',
    run: ({ core, actor }) => core.charging.readAccount(actor),
    reply: json({ view: paymentAccountView }),
    errors: { 'payment-account.unknown': {} },
    example: { given: 'paymentAccount', reply: shownAccount },
  }),
  route({
    ...account,
    name: 'company.set-payment-account',
    summary: 'Diz em que conta os pagamentos da imobiliária são recebidos; a chave não é mostrada de novo',
    methods: ['PUT'],
    permission: 'company:write',
    input: { body: newPaymentAccount },
    run: ({ core, actor }, { body }) => core.charging.setAccount(actor, body),
    reply: json({ view: paymentAccountView }),
    errors: { 'charging.unavailable': {} },
    example: {
      given: 'payableAccount',
      request: { body: { apiKey: 'q3V8sKc0mZr8TgW5xYc3LdP1nBq42uJhE7aQ9oXt' } },
      reply: shownAccount,
    },
  }),
]
