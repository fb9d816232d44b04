import { type Queue, queueOf } from '../../kernel/running/queue.ts'
import { orThrow } from '../../kernel/running/use-case.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { lapseRegistration } from './lapse-registration.ts'
import { registrations } from './registration.ts'

const AT_ONCE = 4
const LEASE_SECONDS = 60

/** Registrations with which nobody goes on. */
export const registrationQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: registrations,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (claimed) => {
      orThrow(await lapseRegistration(ports)(claimed)())
    },
  })
