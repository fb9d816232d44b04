import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { deliveryQueue } from './deliver.ts'
import { listDeliveries, readDelivery, replayDelivery } from './deliveries.ts'
import { deliveries } from './delivery.ts'
import { webhookSubscriber } from './subscriber.ts'

/** Events on their way to an account’s own systems. */
export const webhooks = {
  collections: [deliveries],
  queues: (ports: PaymentsPorts) => [deliveryQueue(ports)],
  subscribers: () => [webhookSubscriber],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Lists the account's deliveries of the events whose records the actor's permissions read, newest first; `withdraw.*` needs
     * `withdrawals:read`. Days are days in São Paulo, both ends included.
     * Fails: `fields`.
     * Source: 01-access.md, Webhook deliveries.
     */
    listDeliveries: listDeliveries(ports),
    /**
     * Returns one of the deliveries that the actor may list, by its id.
     * Fails: `delivery.unknown` (also for a text that is no id).
     * Source: 01-access.md, Webhook deliveries.
     */
    readDelivery: readDelivery(ports),
    /**
     * Sends a delivery that the actor may list, and that has ended, once more, at once: the same text under the same
     * `webhook-id`.
     * Fails: `delivery.unknown`, `delivery.pending`.
     * Source: decisions.md §3, Events; §12, Deliveries.
     */
    replayDelivery: replayDelivery(ports),
  }),
} satisfies PaymentsModule
