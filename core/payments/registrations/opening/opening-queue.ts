import { type Queue, queueOf } from '../../../kernel/running/queue.ts'
import { orThrow } from '../../../kernel/running/use-case.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { OPENING_LEASE_SECONDS, openings } from './opening.ts'
import { resumeOpening } from './resume-opening.ts'

const OPENINGS_AT_ONCE = 4

/** Openings that the bank has not answered, and refused ones that may be forgotten. */
export const openingQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: openings,
    leaseSeconds: OPENING_LEASE_SECONDS,
    atOnce: OPENINGS_AT_ONCE,
    handle: async ({ id }) => {
      orThrow(await resumeOpening(ports)(id)(), 'bank.refused', 'bank.unavailable', 'opening.unknown')
    },
  })
