import type { ChangedCharge } from '../../../core/payments/charges/change.ts'
import { chargeFilter } from '../../../core/payments/charges/list.ts'
import { fullChargeView } from '../../../core/payments/charges/read.ts'
import { chargeView } from '../../../core/payments/charges/views.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { changeBody, chargeBody } from './charge-body.ts'
import { chargeExample } from './charge-example.ts'
import { ISSUE_ERRORS } from './issue-errors.ts'
import { ownCharge, ownCharges } from './own-charge.ts'

const PATHS = ['/invoices', '/billing/charges']
const ONE = PATHS.map((path) => `${path}/:id`)

const BANK_ERRORS = { 'bank.unsupported': {}, 'bank.unavailable': {}, 'bank.refused': {} } as const

/** What the bank has not answered yet is still as it was. */
const UNANSWERED = 'O banco ainda não respondeu: a cobrança muda assim que ele responder.'

const statusOfChange = ({ isAnswered }: ChangedCharge): number => (isAnswered ? 200 : 202)

/** Source: 02-billing.md, Charges. */
export const chargeRows: readonly AnyRow[] = [
  route({
    ...ownCharges,
    name: 'charges.list',
    summary: 'Lista as cobranças da conta',
    methods: ['GET'],
    paths: PATHS,
    permission: 'charges:read',
    input: { query: chargeFilter },
    run: ({ core, actor }, { query: filter }) => core.charges.list(actor, filter),
    reply: page({ view: chargeView, message: 'Cobranças listadas com sucesso.' }),
    example: {
      given: 'pendingCharge',
      reply: {
        code: 200,
        success: true,
        data: [chargeExample],
        meta: { current_page: 1, per_page: 15, total: 1, last_page: 1 },
        message: 'Cobranças listadas com sucesso.',
      },
    },
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
    reply: json({ view: chargeView, message: 'Cobrança criada com sucesso!' }),
    errors: ISSUE_ERRORS,
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
      reply: { code: 200, success: true, data: chargeExample, message: 'Cobrança criada com sucesso!' },
    },
  }),
  route({
    ...ownCharge,
    name: 'charges.show',
    summary: 'Mostra uma cobrança, por id ou código',
    methods: ['GET'],
    paths: ONE,
    permission: 'charges:read',
    errors: { 'charge.unknown': { message: 'Registro não encontrado.' } },
    input: {},
    run: ({ core, record }) => core.charges.readFull(record),
    reply: json({ view: fullChargeView, message: 'Detalhes da Cobrança' }),
    example: {
      given: 'pendingCharge',
      request: { params: { id: '1' } },
      reply: {
        code: 200,
        success: true,
        data: { ...chargeExample, tag: null, createdBy: { id: 1, name: 'Ana Souza' }, refunds: [] },
        message: 'Detalhes da Cobrança',
      },
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
      status: statusOfChange,
      others: [202],
      message: ({ isAnswered }) => (isAnswered ? 'Cobrança atualizada com sucesso!' : UNANSWERED),
    }),
    errors: { 'charge.unknown': {}, 'charge.not-pending': {}, 'charge.busy': {}, ...BANK_ERRORS },
    example: {
      given: 'pendingCharge',
      request: { params: { id: '1' }, body: { description: 'Mensalidade de dezembro' } },
      reply: {
        code: 200,
        success: true,
        charge: { ...chargeExample, description: 'Mensalidade de dezembro' },
        message: 'Cobrança atualizada com sucesso!',
      },
    },
  }),
  route({
    ...ownCharge,
    name: 'charges.delete',
    summary: 'Apaga uma cobrança, por id ou código',
    methods: ['DELETE'],
    paths: ONE,
    permission: 'charges:write',
    input: {},
    run: ({ core, actor, record }) => core.charges.delete(actor, record.charge.id),
    reply: json<ChangedCharge>({
      view: chargeView,
      status: statusOfChange,
      others: [202],
      message: ({ isAnswered }) => (isAnswered ? 'Cobrança apagado com sucesso!' : UNANSWERED),
    }),
    errors: { 'charge.unknown': {}, 'charge.busy': {}, 'bank.unavailable': {}, 'bank.refused': {} },
    example: {
      given: 'pendingCharge',
      request: { params: { id: '1' } },
      reply: {
        code: 200,
        success: true,
        data: {
          ...chargeExample,
          status: { id: 6, title: 'DELETED', description: 'Apagado' },
          pix: { ...chargeExample.pix, status: 'cancelled' },
        },
        message: 'Cobrança apagado com sucesso!',
      },
    },
  }),
]
