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
    /** A page of the account’s deliveries. */
    listDeliveries: listDeliveries(ports),
    /** One of the account’s deliveries. */
    readDelivery: readDelivery(ports),
    /** Sends a delivery again. */
    replayDelivery: replayDelivery(ports),
  }),
} satisfies PaymentsModule
