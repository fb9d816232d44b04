import { type Queue, queueOf } from '../../../core/kernel/queue.ts'
import type { Runtime } from '../../../core/kernel/use-case.ts'
import type { BankInlet } from '../../../core/ports/bank-inlet.ts'
import { payments } from './books.ts'
import { fakeBankConsole } from './console.ts'

const LEASE_SECONDS = 30
const AT_ONCE = 8

/** Notices that the platform has not taken yet: they are told again until it does. */
export const fakeBankQueue = (runtime: Runtime, inlet: BankInlet): Queue => {
  const { tell } = fakeBankConsole(runtime, inlet)
  return queueOf({
    collection: payments,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (payment) => {
      await tell(payment)
    },
  })
}
