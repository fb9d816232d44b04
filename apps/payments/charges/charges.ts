import { t } from '../../../core/fp.ts'
import type { Decoded } from '../../../core/kernel/input/body.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { inQuery, query } from '../../../core/kernel/input/query.ts'
import { notBefore } from '../../../core/kernel/input/rules.ts'
import { PAYMENT_METHODS } from '../../../core/payments/charges/charge.ts'
import { CHARGE_STATUSES } from '../../../core/payments/charges/charge-status.ts'
import { chargeView } from '../../../core/payments/charges/charge-view.ts'
import type { ChargeFilter } from '../../../core/payments/charges/list-charges.ts'
import type { FullCharge } from '../../../core/payments/charges/read-charge.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { chargeBody, newChargeOf } from './charge-body.ts'
import { chargeExample, chargeFields, chargeShape } from './charge-shape.ts'
import { createdRange, paidRange, rangeRules } from './ranges.ts'

const ORDERS = { created_at: 'createdAt', due_date: 'dueDate', payment_date: 'paymentDate', id: 'id' } as const

const filters = {
  search: inQuery.text(),
  status_id: inQuery.integers({ min: 1, max: CHARGE_STATUSES.length }),
  payment_method: inQuery.words(PAYMENT_METHODS),
  client_id: inQuery.integer({ min: 1 }),
  per_page: inQuery.perPage(),
  page: inQuery.page(),
  order_by: inQuery.oneOf(['created_at', 'due_date', 'payment_date', 'id']),
  order_dir: inQuery.oneOf(['asc', 'desc']),
  ...createdRange,
  due_date_start: inQuery.day(),
  due_date_end: inQuery.day(),
  ...paidRange,
}

const filterOf = (request: Decoded<typeof filters>): ChargeFilter => ({
  search: request.search,
  statuses: request.status_id?.flatMap((id) => CHARGE_STATUSES[id - 1] ?? []),
  methods: request.payment_method,
  clientId: request.client_id,
  created: { from: request.created_at_start, to: request.created_at_end },
  due: { from: request.due_date_start, to: request.due_date_end },
  paid: { from: request.payment_date_start, to: request.payment_date_end },
  orderBy: ORDERS[request.order_by ?? 'created_at'],
  orderDir: request.order_dir ?? 'desc',
  page: request.page,
  perPage: request.per_page,
})

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
    input: { query: query(filters, ...rangeRules(), notBefore('due_date_end', 'due_date_start')) },
    output: chargeShape,
    run: ({ core, actor }, { query: request }) => core.charges.list(actor, filterOf(request)),
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
    output: chargeShape,
    run: ({ core, actor }, { body }) => core.charges.issue(actor, newChargeOf(body)),
    resume: ({ core }, intent) => core.charges.resume(Number(intent)),
    reply: json({ view: chargeView, message: 'Cobrança criada com sucesso!' }),
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
    dialect: 'envelope',
    auth: 'account',
    permission: 'charges:read',
    record: ({ core, actor, request }) => core.charges.read(actor, request.params.id ?? ''),
    input: {},
    output: t.type({ ...chargeFields, tag: t.null, createdBy: out.nullable(t.type({ id: out.id, name: t.string })) }),
    run: ({ core, record }) => core.charges.readFull(record),
    reply: json({
      view: (detail: FullCharge) => ({ ...chargeView(detail), tag: null, createdBy: detail.createdBy }),
      message: 'Detalhes da Cobrança',
    }),
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
