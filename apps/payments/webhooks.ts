import { CHARGE_EVENTS, type ChargeEventType } from '../../core/payments/charges/write.ts'
import { exportEventView } from '../../core/payments/exports/export.ts'
import { linkEventView } from '../../core/payments/links/paid.ts'
import { deliveryFilter, deliveryView } from '../../core/payments/webhooks/deliveries.ts'
import {
  chargeEventView,
  moneyEventView,
  refundEventView,
  splitEventView,
} from '../../core/payments/webhooks/event-views.ts'
import { withdrawalEventView } from '../../core/payments/withdrawals/views.ts'
import { json, page } from '../http/replies/json-reply.ts'
import type { Webhook } from '../http/rows/api.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { type AccountCall, route, succeedWith } from './api.ts'
import { chargeExample, overpaidExample, partPaidExample, restRefusedExample } from './charges/charges.ts'
import { refundExample, refundedExample } from './charges/payments.ts'
import { linkExample } from './links.ts'
import { withdrawalExample } from './withdrawals/withdrawal-views.ts'

const SUMMARIES: Readonly<Record<ChargeEventType, string>> = {
  'charge.created': 'Uma cobrança foi emitida e registrada no banco',
  'charge.updated': 'Uma cobrança pendente foi alterada',
  'charge.paid': 'Uma cobrança foi paga',
  'charge.partially_paid': 'Uma cobrança recebeu uma parte do que se deve, e continua aberta',
  'charge.overpaid': 'Uma cobrança recebeu mais do que se devia',
  'charge.rest_refused':
    'O banco recusou o título do que falta de uma cobrança paga em parte; alterá-la o pede de novo',
  'charge.expired': 'Uma cobrança expirou sem pagamento',
  'charge.cancelled': 'O banco cancelou uma cobrança em aberto',
  'charge.deleted': 'Uma cobrança foi apagada',
  'charge.failed': 'O banco recusou uma cobrança',
  'pix.received':
    'Chegou dinheiro sem cobrança, ou de uma que já não esperava por ele; `amount_paid` soma tudo o que ela recebeu',
}

const EXAMPLES: { readonly [T in ChargeEventType]?: Webhook['example'] } = {
  'charge.partially_paid': partPaidExample,
  'charge.overpaid': overpaidExample,
  'charge.rest_refused': restRefusedExample,
}

const area = 'Webhooks'
const timestamp = '2030-11-21T13:05:09.123Z'

const exportExample = {
  id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
  kind: 'transactions',
  format: 'csv',
  start_date: '2030-11-01',
  end_date: '2030-11-30',
  total_transactions: 1,
  url: 'https://pay.example.com/consolidation/exports/download/9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
  expires_at: '2030-11-28T10:05:09-03:00',
}

const { public_url: _, ...paidLink } = linkExample

/** The webhooks that are sent to the URLs of a charge, of a payment link and of their account. */
export const webhookEvents: readonly Webhook[] = [
  ...CHARGE_EVENTS.map((event) => ({
    event,
    area,
    summary: SUMMARIES[event],
    payload: event === 'pix.received' ? moneyEventView : chargeEventView,
    example: { type: event, timestamp, data: EXAMPLES[event] ?? chargeExample },
  })),
  {
    event: 'charge.refunded',
    area,
    summary: 'Um Pix de uma cobrança foi devolvido, inteiro ou em parte',
    payload: refundEventView,
    example: { type: 'charge.refunded', timestamp, data: { charge: refundedExample, refund: refundExample } },
  },
  {
    event: 'split.received',
    area,
    summary: 'A conta recebeu uma parte de uma cobrança de outra conta',
    payload: splitEventView,
    example: {
      type: 'split.received',
      timestamp,
      data: {
        ...{ id: 1, value: 45.15, fee: 0, status: 'credited' },
        issuer: { name: 'Loja da Ana', document: '11222333000181' },
      },
    },
  },
  {
    event: 'payment_link.paid',
    area,
    summary: 'Alguém pagou por um link de pagamento',
    payload: linkEventView,
    example: { type: 'payment_link.paid', timestamp, data: { ...paidLink, uses_count: 1, charge: chargeExample } },
  },
  {
    event: 'export.ready',
    area,
    summary: 'O arquivo de uma exportação está pronto',
    payload: exportEventView,
    example: { type: 'export.ready', timestamp, data: exportExample },
  },
  {
    event: 'withdraw.completed',
    area,
    summary: 'Um saque saiu da conta',
    payload: withdrawalEventView,
    example: { type: 'withdraw.completed', timestamp, data: withdrawalExample },
  },
  {
    event: 'withdraw.failed',
    area,
    summary: 'O banco recusou um saque, e nada saiu da conta',
    payload: withdrawalEventView,
    example: {
      type: 'withdraw.failed',
      timestamp,
      data: {
        ...withdrawalExample,
        endtoendid: null,
        status: { value: 'failed', title: 'Falhou', description: 'Transferência não realizada' },
      },
    },
  },
]

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

const shared = { area: 'Webhooks', dialect: 'envelope', auth: 'account' } as const

const one = {
  ...shared,
  record: ({ core, actor, request }: AccountCall) => core.webhooks.readDelivery(actor, request.params.id ?? ''),
} as const

/** Webhook deliveries. A member reads those of events whose records their role may read. */
export const webhookNotificationRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'webhook-notifications.list',
    summary: 'Lista as entregas de webhook da conta',
    paths: ['/access/webhook-notifications'],
    input: { query: deliveryFilter },
    run: ({ core, actor }, { query: filter }) => core.webhooks.listDeliveries(actor, filter),
    reply: page({ view: deliveryView, message: 'Entregas de webhook listadas com sucesso.' }),
    example: { given: 'delivery', data: deliveryExample },
  }),
  route({
    ...one,
    name: 'webhook-notifications.show',
    summary: 'Mostra uma entrega de webhook',
    paths: ['/access/webhook-notifications/:id'],
    run: ({ record }) => succeedWith(record),
    reply: json({ view: deliveryView, message: 'Entrega de webhook obtida com sucesso.' }),
    errors: { 'delivery.unknown': {} },
    example: { given: 'delivery', request: { params: { id: '1' } }, data: deliveryExample },
  }),
  route({
    ...one,
    name: 'webhook-notifications.replay',
    summary: 'Reenvia uma entrega de webhook que terminou',
    methods: ['POST'],
    paths: ['/access/webhook-notifications/:id/replay'],
    permission: 'charges:write',
    run: ({ core, actor, record }) => core.webhooks.replayDelivery(actor, record.id),
    reply: json({ view: deliveryView, message: 'Entrega de webhook reenviada com sucesso.' }),
    errors: { 'delivery.unknown': {}, 'delivery.pending': {} },
    example: { given: 'delivery', request: { params: { id: '1' } }, data: replayedExample },
  }),
]
