import { CHARGE_EVENTS, type ChargeEventType } from '../../../core/payments/charges/record-charge-event.ts'
import { chargeEventView } from '../../../core/payments/webhooks/charge-event-view.ts'
import type { Webhook } from '../../http/rows/webhook.ts'
import { chargeExample } from '../charges/charge-example.ts'

const SUMMARIES: Readonly<Record<ChargeEventType, string>> = {
  'charge.created': 'Uma cobrança foi emitida e registrada no banco',
  'charge.paid': 'Uma cobrança foi paga',
  'charge.expired': 'Uma cobrança venceu sem pagamento',
  'charge.cancelled': 'O banco cancelou uma cobrança em aberto',
  'charge.failed': 'O banco recusou uma cobrança',
  'pix.received': 'Chegou dinheiro de uma cobrança que já não esperava por ele',
}

/** What is told to the URLs of a charge and of its account. Source: decisions.md §3, Events. */
export const webhookEvents: readonly Webhook[] = CHARGE_EVENTS.map((event) => ({
  event,
  area: 'Webhooks',
  summary: SUMMARIES[event],
  payload: chargeEventView,
  example: { type: event, timestamp: '2030-11-21T13:05:09.123Z', data: chargeExample },
}))
