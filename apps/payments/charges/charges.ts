import {
  either,
  type Field,
  field,
  input,
  nullIfAbsent,
  optional,
  pick,
  reject,
  taxId,
  viewEach,
} from '../../../core/kernel/input/mod.ts'
import { chargeChangeFields, chargeChangeRules } from '../../../core/payments/charges/change.ts'
import { chargeFields } from '../../../core/payments/charges/charge.ts'
import { type ChangedCharge, chargeView } from '../../../core/payments/charges/detail.ts'
import { newChargeFields, newChargeRules } from '../../../core/payments/charges/new-charge.ts'
import { planChargesFields, planChargesRules } from '../../../core/payments/charges/plan.ts'
import { chargePaymentsView, historyView } from '../../../core/payments/charges/queries/history.ts'
import { chargeFilter, chargeSummaryFilter, chargeSummaryView } from '../../../core/payments/charges/queries/list.ts'
import { amountDueView, dueQuote } from '../../../core/payments/charges/queries/quote.ts'
import { fullChargeView, issuedChargeView } from '../../../core/payments/charges/queries/read.ts'
import { payerFields } from '../../../core/payments/customers/client.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { type AccountCall, route } from '../api.ts'

export const ownCharges = { area: 'Cobranças', dialect: 'envelope', auth: 'account' } as const

/** The common parts of the rows of one charge: the path has its id or code. */
export const ownCharge = {
  ...ownCharges,
  parameters: { id: 'Id ou código da cobrança' },
  record: ({ core, actor, request }: AccountCall) => core.charges.read(actor, request.params.id ?? ''),
} as const

/** The failures of the issue of a charge by Pix or boleto. */
const TITLE_ERRORS = {
  'account.unknown': {},
  'organization.inactive': {},
  'charge.unknown': {},
  'bank.unsupported': {},
  'bank.unavailable': {},
  'bank.refused': {},
} as const

/** The failures of the issue of a charge by any method. */
export const ISSUE_ERRORS = {
  ...TITLE_ERRORS,
  'card.unsupported': {},
  'card.declined': {},
  'card.throttled': {},
  'card.waiting': {},
} as const

/** A reference to a kind of record that does not exist: every id is unknown. */
const unknownReference = (about: string): Field<never, never, 'required' | 'unknown'> =>
  field<never, never, 'unknown'>(
    {
      name: 'reference',
      schema: { type: 'integer', minimum: 1 },
      is: (_value): _value is never => false,
      read: () => reject('unknown'),
    },
    { about },
  )

const changeBody = input(
  'ChargeChange',
  { ...chargeChangeFields, tagId: optional(nullIfAbsent(unknownReference('Etiqueta'))) },
  ...chargeChangeRules,
)

/**
 * The fields of these routes alone: the payer with a valid CPF or CNPJ, and references to kinds of records that do not
 * exist.
 */
const legacyFields = {
  payer: either(pick(chargeFields, 'clientId'), {
    ...payerFields,
    document: taxId({ about: 'CPF ou CNPJ de quem paga, guardado sem pontuação' }),
  }),
  tag: nullIfAbsent(unknownReference('Etiqueta')),
  tagId: nullIfAbsent(unknownReference('Etiqueta')),
  establishmentId: nullIfAbsent(unknownReference('Estabelecimento')),
}

const chargeBody = input('NewCharge', { ...newChargeFields, ...legacyFields }, ...newChargeRules)

const planChargesBody = input('NewPlanCharges', { ...planChargesFields, ...legacyFields }, ...planChargesRules)

/** A pending Pix charge, for the documentation. */
export const chargeExample = {
  id: 1,
  code: 'kVh2aQ0mZr8TgW5xYc3LdP',
  url: 'https://pay.example.com/pay/charge/kVh2aQ0mZr8TgW5xYc3LdP',
  value: 150.5,
  amount_paid: null,
  refunded_value: null,
  payment_date: null,
  status: { id: 1, title: 'pending', description: 'Pendente' },
  description: 'Mensalidade de novembro',
  payment_method: 'PIX',
  due_date: '2030-11-30',
  client: { id: 1, name: 'Maria da Silva', email: 'maria@example.com', document: '12345678909' },
  pix: {
    txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
    qrcode: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000…',
    status: 'pending',
  },
  boleto: null,
  created_by: 1,
  created_at: '2030-11-21T10:05:09-03:00',
}

export const paidExample = {
  ...chargeExample,
  amount_paid: 150.5,
  payment_date: '2030-11-21',
  status: { id: 2, title: 'paid', description: 'Pago' },
  pix: { ...chargeExample.pix, status: 'paid' },
}

/** A charge of which the half was paid, in an account that accepts such payments. */
export const partPaidExample = { ...chargeExample, amount_paid: 75.25, amount_left: 75.25 }

export const restRefusedExample = { ...partPaidExample, rest_refused: true }

export const overpaidExample = { ...paidExample, amount_paid: 160.5, amount_over: 10 }

const PATHS = ['/invoices', '/billing/charges']
const ONE = PATHS.map((path) => `${path}/:id`)

const BANK_ERRORS = { 'bank.unsupported': {}, 'bank.unavailable': {}, 'bank.refused': {} } as const

/** The parts of a reply that depend on the bank: 202 and another message before its answer. */
export const replyOnceAnswered = (done: string, unanswered: string) => ({
  status: ({ isAnswered }: { readonly isAnswered: boolean }): number => (isAnswered ? 200 : 202),
  others: [202],
  message: ({ isAnswered }: { readonly isAnswered: boolean }): string => (isAnswered ? done : unanswered),
})

const UNANSWERED = 'O banco ainda não respondeu: a cobrança muda assim que ele responder.'

export const chargeRows: readonly AnyRow[] = [
  route({
    ...ownCharges,
    name: 'charges.list',
    summary: 'Lista as cobranças da conta',
    paths: PATHS,
    permission: 'charges:read',
    input: { query: chargeFilter },
    run: ({ core, actor }, { query }) => core.charges.list(actor, query),
    reply: page({ view: chargeView, message: 'Cobranças listadas com sucesso.' }),
    example: { given: 'pendingCharge', data: chargeExample },
  }),
  route({
    ...ownCharges,
    name: 'charges.issue',
    summary: 'Emite uma cobrança',
    methods: ['POST'],
    paths: PATHS,
    permission: 'charges:write',
    input: { body: chargeBody },
    run: ({ core, actor }, { body }) => core.charges.issue(actor, body),
    resume: ({ core }, intent) => core.charges.resume(intent),
    reply: json({ view: issuedChargeView, message: 'Cobrança criada com sucesso!' }),
    errors: { ...ISSUE_ERRORS, 'second-factor.required': {} },
    example: {
      given: 'account',
      request: {
        body: {
          value: 150.5,
          payment_method: 'PIX',
          due_date: '2030-11-30',
          name: 'Maria da Silva',
          email: 'maria@example.com',
          document: '123.456.789-09',
          description: 'Mensalidade de novembro',
        },
      },
      data: chargeExample,
    },
  }),
  route({
    ...ownCharge,
    name: 'charges.show',
    summary: 'Mostra uma cobrança, por id ou código',
    paths: ONE,
    permission: 'charges:read',
    errors: { 'charge.unknown': { message: 'Registro não encontrado.' } },
    run: ({ core, record }) => core.charges.readFull(record),
    reply: json({ view: fullChargeView, message: 'Detalhes da Cobrança' }),
    example: {
      given: 'pendingCharge',
      request: { params: { id: '1' } },
      data: { ...chargeExample, tag: null, createdBy: { id: 1, name: 'Ana Souza' }, refunds: [] },
    },
  }),
  route({
    ...ownCharge,
    name: 'charges.update',
    summary: 'Altera uma cobrança pendente, por id ou código',
    methods: ['PUT', 'PATCH'],
    paths: ONE,
    permission: 'charges:write',
    input: { body: changeBody },
    run: ({ core, actor, record }, { body }) => core.charges.update(actor, record.charge.id, body),
    reply: json<ChangedCharge>({
      key: 'charge',
      view: chargeView,
      ...replyOnceAnswered('Cobrança atualizada com sucesso!', UNANSWERED),
    }),
    errors: { 'charge.unknown': {}, 'charge.not-pending': {}, 'charge.busy': {}, ...BANK_ERRORS },
    example: {
      given: 'pendingCharge',
      request: { params: { id: '1' }, body: { description: 'Mensalidade de dezembro' } },
      data: { ...chargeExample, description: 'Mensalidade de dezembro' },
      message: 'Cobrança atualizada com sucesso!',
    },
  }),
  route({
    ...ownCharge,
    name: 'charges.delete',
    summary: 'Apaga uma cobrança, por id ou código',
    methods: ['DELETE'],
    paths: ONE,
    permission: 'charges:write',
    run: ({ core, actor, record }) => core.charges.delete(actor, record.charge.id),
    reply: json<ChangedCharge>({ view: chargeView, ...replyOnceAnswered('Cobrança apagado com sucesso!', UNANSWERED) }),
    errors: { 'charge.unknown': {}, 'charge.busy': {}, 'bank.unavailable': {}, 'bank.refused': {} },
    example: {
      given: 'pendingCharge',
      request: { params: { id: '1' } },
      data: {
        ...chargeExample,
        status: { id: 6, title: 'DELETED', description: 'Apagado' },
        pix: { ...chargeExample.pix, status: 'cancelled' },
      },
      message: 'Cobrança apagado com sucesso!',
    },
  }),
]

const installmentExample = (id: number, value: number, dueDate: string) => ({
  ...chargeExample,
  id,
  value,
  due_date: dueDate,
  description: 'Matrícula',
})

export const planChargeRow = route({
  ...ownCharges,
  methods: ['POST'],
  permission: 'charges:write',
  name: 'charges.issue-with-plan',
  summary: 'Emite as cobranças de um plano de pagamento: `value` é o total',
  paths: ['/invoices/with-plan'],
  input: { body: planChargesBody },
  run: ({ core, actor }, { body }) => core.charges.issueWithPlan(actor, body),
  resume: ({ core }, intent) => core.charges.resumePlan(intent),
  reply: json({ status: 201, view: viewEach(issuedChargeView), message: 'Parcelas do plano geradas com sucesso!' }),
  errors: { ...TITLE_ERRORS, 'second-factor.required': {} },
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
    data: [
      installmentExample(1, 33.34, '2030-11-30'),
      installmentExample(2, 33.33, '2030-12-30'),
      installmentExample(3, 33.33, '2031-01-30'),
    ],
  },
})

const v1 = { dialect: 'v1', auth: 'organization' } as const
const v1Charges = { ...ownCharges, ...v1 } as const

/** The common parts of the v1 rows that show a part of one charge. */
export const v1Charge = { ...ownCharge, ...v1, permission: 'charges:read', errors: { 'charge.unknown': {} } } as const

const figuresExample = { count: 1, value: 150.5, amount_paid: 0 }

/** The sums of a list of charges, and the amount due before an issue. */
export const chargeFigureRows: readonly AnyRow[] = [
  route({
    ...v1Charges,
    name: 'charges.summary',
    summary: 'Conta e soma as cobranças filtradas, por situação e meio de pagamento',
    paths: ['/v1/charges/summary'],
    permission: 'charges:read',
    input: { query: chargeSummaryFilter },
    run: ({ core, actor }, { query }) => core.charges.summarize(actor, query),
    reply: json({ key: 'summary', view: chargeSummaryView, message: 'Cobranças somadas com sucesso.' }),
    example: {
      given: 'pendingCharge',
      data: { ...figuresExample, groups: [{ status: chargeExample.status, payment_method: 'PIX', ...figuresExample }] },
    },
  }),
  route({
    ...v1Charge,
    name: 'charges.history',
    summary: 'Mostra o que aconteceu com uma cobrança, e as mensagens a quem a paga',
    paths: ['/v1/charges/:id/history'],
    run: ({ core, actor, record }) => core.charges.history(actor, record.charge.id),
    reply: json({ key: 'history', view: historyView, message: 'Histórico obtido com sucesso.' }),
    example: {
      given: 'pendingCharge',
      request: { params: { id: '1' } },
      data: {
        events: [
          { type: 'charge.created', title: 'Emitida', at: chargeExample.created_at, received: null, refunded: null },
        ],
        messages: [],
      },
    },
  }),
  route({
    ...v1Charge,
    name: 'charges.payments',
    summary: 'Mostra os pagamentos de uma cobrança, e quanto falta pagar hoje',
    paths: ['/v1/charges/:id/payments'],
    run: ({ core, actor, record }) => core.charges.payments(actor, record.charge.id),
    reply: json({ key: 'payments', view: chargePaymentsView, message: 'Pagamentos obtidos com sucesso.' }),
    example: {
      given: 'paidCharge',
      request: { params: { id: '1' } },
      data: {
        amount_paid: 150.5,
        refunded_value: 0,
        amount_over: 0,
        amount_left: 0,
        value_left: 0,
        fine: 0,
        interest: 0,
        discount: 0,
        payments: [
          {
            transaction_id: 1,
            type: 'Pix In',
            value: 150.5,
            refunded_value: 0,
            received_at: '2030-11-21T10:05:09-03:00',
            end_to_end_id: 'E0118152120301121130500123456789',
            payer_name: 'Maria da Silva',
          },
        ],
      },
    },
  }),
  route({
    ...v1Charges,
    name: 'charges.amount-due',
    summary: 'Mostra quanto se pagaria em um dia por uma cobrança, ou pelas parcelas de um plano; nada é criado',
    methods: ['POST'],
    paths: ['/v1/charges/amount-due'],
    permission: 'charges:write',
    key: false,
    input: { body: dueQuote },
    run: ({ core, actor }, { body }) => core.simulations.amountDue(actor, body),
    reply: json({ key: 'quote', view: amountDueView, message: 'Valor calculado com sucesso.' }),
    errors: { 'account.unknown': {} },
    example: {
      given: 'account',
      request: {
        body: { value: 100, payment_method: 'BOLETO', due_date: '2030-11-29', discount: 5, day: '2030-11-28' },
      },
      data: {
        amount_due: 95,
        installments: [
          {
            value: 100,
            due_date: '2030-11-29',
            day: '2030-11-28',
            fine: 0,
            interest: 0,
            discount: 5,
            amount_due: 95,
            discount_until: '2030-11-29',
            payable_until: '2030-12-29',
            is_payable: true,
          },
        ],
      },
    },
  }),
]
