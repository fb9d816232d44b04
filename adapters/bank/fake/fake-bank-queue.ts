import { type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import type { PaymentsPart } from '../../../core/payments/payments-ports.ts'
import { fakeBankCollections, payments, titles } from './books.ts'
import { type FakeBankNotifications, fakeBankTeller } from './teller.ts'

const LEASE_SECONDS = 30
const AT_ONCE = 8

/** What the fake bank keeps and tells, for the worker of whoever it tells. */
export const fakeBankPart = (notifications: FakeBankNotifications): PaymentsPart => ({
  collections: fakeBankCollections,
  queues: (ports) => fakeBankQueues(ports, notifications),
})

/** Notices of payments and cancellations that the platform has not taken yet: they are told again until it does. */
export const fakeBankQueues = (runtime: Runtime, notifications: FakeBankNotifications): readonly Queue[] => {
  const { tellPaid, tellCancelled } = fakeBankTeller(runtime, notifications)
  const lease = { leaseSeconds: LEASE_SECONDS, atOnce: AT_ONCE }
  return [
    queueOf({
      ...lease,
      collection: payments,
      handle: async (payment) => {
        await tellPaid(payment)
      },
    }),
    queueOf({
      ...lease,
      collection: titles,
      handle: async (title) => {
        await tellCancelled(title)
      },
    }),
  ]
}
