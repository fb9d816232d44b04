import { type Queue, queueOf } from '../../kernel/running/queue.ts'
import { orThrow } from '../../kernel/running/use-case.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { isWaiting, lapseRegistration } from './lapse-registration.ts'
import { OPENING_LEASE_SECONDS } from './opening/opening.ts'
import { registrations } from './registration.ts'
import { reviewRegistration } from './review-registration.ts'

const REVIEWS_AT_ONCE = 4

/** Registrations that the bank has not decided, and those with which nobody goes on. */
export const registrationQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: registrations,
    leaseSeconds: OPENING_LEASE_SECONDS,
    atOnce: REVIEWS_AT_ONCE,
    handle: async (claimed) => {
      if (isWaiting(claimed)) orThrow(await lapseRegistration(ports)(claimed)())
      else orThrow(await reviewRegistration(ports)(claimed.id)())
    },
  })
