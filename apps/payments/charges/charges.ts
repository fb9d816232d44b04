import { chargeView } from '../../../core/payments/charges/charge-view.ts'
import { chargeFilter } from '../../../core/payments/charges/list-charges.ts'
import { fullChargeView } from '../../../core/payments/charges/read-charge.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { chargeBody } from './charge-body.ts'
import { chargeExample } from './charge-example.ts'

const PATHS = ['/invoices', '/billing/charges']
const ONE = PATHS.map((path) => `${path}/:id`)

/** Source: 02-billing.md, Charges. */
export const chargeRows: readonly AnyRow[] = [
  route({
    name: 'charges.list',
    area: 'Cobranças',
    summary: 'Lista as cobranças da conta',
    methods: ['GET'],
    paths: PATHS,
    dialect: 'envelope',
    auth: 'account',
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
    name: 'charges.issue',
    area: 'Cobranças',
    summary: 'Emite uma cobrança',
    methods: ['POST'],
    paths: PATHS,
    dialect: 'envelope',
    auth: 'account',
    permission: 'charges:write',
    input: { body: chargeBody },
    run: ({ core, actor }, { body }) => core.charges.issue(actor, body),
    resume: ({ core }, intent) => core.charges.resume(intent),
    reply: json({ view: chargeView, message: 'Cobrança criada com sucesso!' }),
    errors: {
      'account.unknown': {},
      'organization.inactive': {},
      'charge.unknown': {},
      'bank.unavailable': {},
      'bank.refused': {},
    },
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
    name: 'charges.show',
    area: 'Cobranças',
    summary: 'Mostra uma cobrança, por id ou código',
    methods: ['GET'],
    paths: ONE,
    parameters: { id: 'Id ou código da cobrança' },
    dialect: 'envelope',
    auth: 'account',
    permission: 'charges:read',
    record: ({ core, actor, request }) => core.charges.read(actor, request.params.id ?? ''),
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
        data: { ...chargeExample, tag: null, createdBy: { id: 1, name: 'Ana Souza' } },
        message: 'Detalhes da Cobrança',
      },
    },
  }),
]
