import { t } from '../../../core/fp.ts'
import type { Decoded } from '../../../core/kernel/input/body.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { inQuery, query } from '../../../core/kernel/input/query.ts'
import { notBefore } from '../../../core/kernel/input/rules.ts'
import { EVENT_TYPES } from '../../../core/payments/outbox/event.ts'
import { DELIVERY_STATUSES } from '../../../core/payments/webhooks/delivery.ts'
import { deliveryView } from '../../../core/payments/webhooks/delivery-view.ts'
import type { DeliveryFilter } from '../../../core/payments/webhooks/list-deliveries.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { chargeExample } from '../charges/charge-shape.ts'
import { shown } from '../shown.ts'

const area = 'Webhooks'
const LISTED = 'Entregas de webhook listadas com sucesso.'
const REPLAYED = 'Entrega de webhook reenviada com sucesso.'
const SHOWN = 'Entrega de webhook obtida com sucesso.'

const filters = {
  page: inQuery.page(),
  per_page: inQuery.perPage(),
  start_date: inQuery.day(),
  end_date: inQuery.day(),
}

const filterOf = (request: Decoded<typeof filters>): DeliveryFilter => ({
  page: request.page,
  perPage: request.per_page,
  from: request.start_date,
  to: request.end_date,
})

const responseShape = t.type({
  status: out.nullable(out.integer),
  body: out.nullable(t.string),
  error: out.nullable(t.string),
})

const deliveryShape = t.type({
  id: out.id,
  event: out.oneOf(EVENT_TYPES),
  url: t.string,
  status: out.oneOf(DELIVERY_STATUSES),
  attempts: out.count,
  payload: t.type({ type: out.oneOf(EVENT_TYPES), timestamp: out.instant, data: out.json }),
  response: out.nullable(responseShape),
  next_attempt_at: out.nullable(out.instant),
  delivered_at: out.nullable(out.instant),
  created_at: out.instant,
  updated_at: out.instant,
})

const deliveryExample = {
  id: 1,
  event: 'charge.created',
  url: 'https://loja.example/webhooks',
  status: 'delivered',
  attempts: 1,
  payload: { type: 'charge.created', timestamp: '2030-11-21T13:05:09.123Z', data: chargeExample },
  response: { status: 200, body: 'ok', error: null },
  next_attempt_at: null,
  delivered_at: '2030-11-21T10:05:10-03:00',
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:10-03:00',
}

const replayedExample = {
  ...deliveryExample,
  status: 'pending',
  attempts: 0,
  response: null,
  next_attempt_at: '2030-11-21T10:20:00-03:00',
  delivered_at: null,
  updated_at: '2030-11-21T10:20:00-03:00',
}

const UNKNOWN = { 'record.missing': { message: 'Entrega de webhook não encontrada.' } }
const metaExample = { current_page: 1, per_page: 15, total: 1, last_page: 1 }

/**
 * Any member reads them; who may write charges has one sent again.
 * Source: 01-access.md, Webhook deliveries; decisions.md §3, Events, and §12, Deliveries.
 */
export const webhookNotificationRows: readonly AnyRow[] = [
  route({
    name: 'webhook-notifications.list',
    area,
    summary: 'Lista as entregas de webhook da conta',
    methods: ['GET'],
    paths: ['/access/webhook-notifications'],
    dialect: 'envelope',
    auth: 'account',
    input: { query: query(filters, notBefore('end_date', 'start_date')) },
    output: deliveryShape,
    run: ({ core, actor }, { query: request }) => core.webhooks.listDeliveries(actor, filterOf(request)),
    reply: page({ view: deliveryView, message: LISTED }),
    deprecated: true,
    example: {
      given: 'delivery',
      reply: { code: 200, success: true, data: [deliveryExample], meta: metaExample, message: LISTED },
    },
  }),
  route({
    name: 'webhook-notifications.show',
    area,
    summary: 'Mostra uma entrega de webhook',
    methods: ['GET'],
    paths: ['/access/webhook-notifications/:id'],
    dialect: 'envelope',
    auth: 'account',
    record: ({ core, actor, request }) => core.webhooks.readDelivery(actor, request.params.id ?? ''),
    input: {},
    output: deliveryShape,
    run: ({ record }) => shown(record),
    reply: json({ view: deliveryView, message: SHOWN }),
    errors: UNKNOWN,
    deprecated: true,
    example: {
      given: 'delivery',
      request: { params: { id: '1' } },
      reply: { code: 200, success: true, data: deliveryExample, message: SHOWN },
    },
  }),
  route({
    name: 'webhook-notifications.replay',
    area,
    summary: 'Reenvia uma entrega de webhook que terminou',
    methods: ['POST'],
    paths: ['/access/webhook-notifications/:id/replay'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'charges:write',
    record: ({ core, actor, request }) => core.webhooks.readDelivery(actor, request.params.id ?? ''),
    input: {},
    output: deliveryShape,
    run: ({ core, actor, record }) => core.webhooks.replayDelivery(actor, record.id),
    reply: json({ view: deliveryView, message: REPLAYED }),
    errors: UNKNOWN,
    example: {
      given: 'delivery',
      request: { params: { id: '1' } },
      reply: { code: 200, success: true, data: replayedExample, message: REPLAYED },
    },
  }),
]
