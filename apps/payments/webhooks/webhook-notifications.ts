import { deliveryFilter, deliveryView } from '../../../core/payments/webhooks/deliveries.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { chargeExample } from '../charges/charge-example.ts'
import { shown } from '../shown.ts'

const area = 'Webhooks'
const LISTED = 'Entregas de webhook listadas com sucesso.'
const REPLAYED = 'Entrega de webhook reenviada com sucesso.'
const SHOWN = 'Entrega de webhook obtida com sucesso.'

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

const metaExample = { current_page: 1, per_page: 15, total: 1, last_page: 1 }

/**
 * A member reads those of events whose records their role may read; replaying one needs `charges:write` besides.
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
    input: { query: deliveryFilter },
    run: ({ core, actor }, { query: filter }) => core.webhooks.listDeliveries(actor, filter),
    reply: page({ view: deliveryView, message: LISTED }),
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
    run: ({ record }) => shown(record),
    reply: json({ view: deliveryView, message: SHOWN }),
    errors: { 'delivery.unknown': {} },
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
    run: ({ core, actor, record }) => core.webhooks.replayDelivery(actor, record.id),
    reply: json({ view: deliveryView, message: REPLAYED }),
    errors: { 'delivery.unknown': {}, 'delivery.pending': {} },
    example: {
      given: 'delivery',
      request: { params: { id: '1' } },
      reply: { code: 200, success: true, data: replayedExample, message: REPLAYED },
    },
  }),
]
