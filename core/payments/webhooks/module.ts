import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { deliveryQueue } from './deliver.ts'
import { deliveries, listDeliveries, readDelivery, replayDelivery } from './deliveries.ts'
import { webhookSubscriber } from './subscriber.ts'

/** Webhook deliveries of events to the systems of an account. */
export const webhooks = {
  collections: [deliveries],
  queues: (ports: PaymentsPorts) => [deliveryQueue(ports)],
  subscribers: () => [webhookSubscriber],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Lists the account's deliveries of the events whose records the actor's permissions read, newest first;
     * `withdraw.*` needs `withdrawals:read`. Days are days in São Paulo, both ends included. Fails: `fields`.
     */
    listDeliveries: listDeliveries(ports),
    /**
     * Returns one of the deliveries that the actor may list, by its id.
     * Fails: `delivery.unknown` (also for a text that is not an id).
     */
    readDelivery: readDelivery(ports),
    /**
     * Sends an ended delivery that the actor may list again, at once: the same payload under the same `webhook-id`.
     * Fails: `delivery.unknown`, `delivery.pending`.
     */
    replayDelivery: replayDelivery(ports),
  }),
} satisfies PaymentsModule
