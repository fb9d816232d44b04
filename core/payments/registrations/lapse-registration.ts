import { type Change, remove } from '../../kernel/records/change.ts'
import { leaseGuard } from '../../kernel/running/queue.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Registration, registrations, releaseAll } from './registration.ts'

/** How long somebody has to confirm their e-mail, whatever codes they ask for, and then to send their images. */
const UNCONFIRMED_SECONDS = 24 * 3_600
const UNDOCUMENTED_SECONDS = 30 * 24 * 3_600

/** When a registration is forgotten that was just begun. */
export const unconfirmedUntil = (now: Instant): Instant => addSeconds(now, UNCONFIRMED_SECONDS)
/** When one is whose e-mail was just confirmed. */
export const undocumentedUntil = (now: Instant): Instant => addSeconds(now, UNDOCUMENTED_SECONDS)

/**
 * Forgets a registration with which nobody goes on: whoever wrote somebody else's document or e-mail would else hold it for
 * ever.
 */
export const lapseRegistration = (ports: PaymentsPorts) => (claimed: Registration) =>
  useCase(
    ports,
    (store) => store.find(byId(registrations, claimed.id)),
    (found) => decideLapse(found, claimed),
  )

export const decideLapse = (found: Registration | null, claimed: Pick<Registration, 'dueAt'>) => {
  // Where somebody went on with it since, theirs counts.
  if (!found || found.dueAt !== claimed.dueAt || !isWaiting(found)) return accept(null)
  const changes: readonly Change[] = [remove(registrations, found.id, leaseGuard(claimed)), ...releaseAll(found)]
  return accept(null, ...changes)
}

/** Whether it waits for its applicant, and not for the bank. */
const isWaiting = ({ state }: Pick<Registration, 'state'>): boolean =>
  state === 'PENDING_EMAIL' || state === 'PENDING_DOCUMENTS'
