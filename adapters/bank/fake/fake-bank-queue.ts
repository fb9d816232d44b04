import { type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import type { BankNotifications } from '../../../core/ports/bank-notifications.ts'
import { payments, titles } from './books.ts'
import { fakeBankConsole } from './console.ts'

const LEASE_SECONDS = 30
const AT_ONCE = 8

/** Notices of payments and cancellations that the platform has not taken yet: they are told again until it does. */
export const fakeBankQueues = (runtime: Runtime, notifications: BankNotifications): readonly Queue[] => {
  const { tell, tellCancelled } = fakeBankConsole(runtime, notifications)
  const lease = { leaseSeconds: LEASE_SECONDS, atOnce: AT_ONCE }
  return [
    queueOf({
      ...lease,
      collection: payments,
      handle: async (payment) => {
        await tell(payment)
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
