import { nullable } from '../../kernel/input/field.ts'
import { id, instant, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Json } from '../../kernel/records/record.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { CHARGE_EVENTS } from '../charges/record-charge-event.ts'
import { EVENT_TYPES, type EventType } from '../office/events.ts'
import { DELIVERY_STATUSES, type Delivery } from './delivery.ts'

interface Payload {
  readonly type: EventType
  readonly timestamp: Instant
  readonly data: Json
}

const payloadView = view(
  'WebhookPayload',
  {
    type: oneOf(EVENT_TYPES, { offered: CHARGE_EVENTS, about: 'O que aconteceu' }),
    timestamp: instant({ about: 'Quando aconteceu' }),
    data: output.json({ about: 'Com o que aconteceu, como a API o mostrava' }),
  },
  // Our own text, as it was signed.
  (payload: string): Payload => JSON.parse(payload),
)

const responseView = view(
  'WebhookResponse',
  {
    status: nullable(output.count({ about: 'Código HTTP' })),
    body: nullable(output.text({ about: 'Os primeiros 4 KB do corpo' })),
    error: nullable(
      output.text({
        about: 'Por que não houve resposta; um endereço privado só é chamado com `WEBHOOKS_ALLOW_PRIVATE=true`',
      }),
    ),
  },
  (response: NonNullable<Delivery['response']>) => response,
)

/** A delivery as the API shows it. Source: 01-access.md, Webhook deliveries; decisions.md §3, Events. */
export const deliveryView = view(
  'WebhookDelivery',
  {
    id: id({ about: 'Identificador' }),
    event: oneOf(EVENT_TYPES, { offered: CHARGE_EVENTS, about: 'O que aconteceu' }),
    url: output.text({ about: 'Para onde vai' }),
    status: oneOf(DELIVERY_STATUSES, { about: 'Situação' }),
    attempts: output.count({ about: 'Tentativas' }),
    payload: output.view(payloadView, { about: 'O corpo enviado' }),
    response: nullable(output.view(responseView, { about: 'A última resposta' })),
    dueAt: nullable(timestamp({ wire: 'next_attempt_at', about: 'Próxima tentativa' })),
    deliveredAt: nullable(timestamp({ about: 'Quando foi entregue' })),
    createdAt: timestamp({ about: 'Quando foi criada' }),
    updatedAt: timestamp({ about: 'Quando mudou' }),
  },
  (delivery: Delivery) => delivery,
)
