import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { deliveryQueue } from './deliver.ts'
import { deliveries } from './delivery.ts'
import { listDeliveries } from './list-deliveries.ts'
import { readDelivery } from './read-delivery.ts'
import { replayDelivery } from './replay-delivery.ts'
import { webhookSubscriber } from './webhook-subscriber.ts'

/** Events on their way to an account’s own systems. */
export const webhooks = {
  collections: [deliveries],
  queues: (ports: PaymentsPorts) => [deliveryQueue(ports)],
  subscribers: () => [webhookSubscriber],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * A page of the account's deliveries, the newest first; days are those of São Paulo, both ends included.
     * Fails: `fields`.
     * Source: 01-access.md, Webhook deliveries.
     */
    listDeliveries: listDeliveries(ports),
    /**
     * One of the account's deliveries, by its id.
     * Fails: `delivery.unknown` (what is no id too).
     * Source: 01-access.md, Webhook deliveries.
     */
    readDelivery: readDelivery(ports),
    /**
     * Sends a delivery that has ended once more, at once: the same text under the same `webhook-id`.
     * Fails: `delivery.unknown`, `delivery.pending`.
     * Source: decisions.md §3, Events; §12, Deliveries.
     */
    replayDelivery: replayDelivery(ports),
  }),
} satisfies PaymentsModule
