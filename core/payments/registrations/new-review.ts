import { type Change, ensure, patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { type Migration, migrationOf } from '../../office/migrations.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { bankOperations, earlierOperation, newOperation, subjectOf } from '../bank/operation.ts'
import { ACCOUNT_CALLS, type AccountOrder } from './opening/account-order.ts'
import { type Registration, registrations } from './registration.ts'

/** The kind of the operations that have a registration reviewed. */
export const REVIEW_REGISTRATION = 'review-registration'

const reviewOf = ({ id, uuid }: Registration) => ({
  id: uuid,
  accountId: null,
  kind: REVIEW_REGISTRATION,
  subject: subjectOf(registrations, id),
})

/** What the bank is ordered for a registration. */
export const reviewOrder = ({ uuid, name, document }: Registration): AccountOrder => ({
  reference: uuid,
  name,
  document,
})

/** The operation that has a registration reviewed, and what its request knows of it. */
export const newReview = (cipher: Pick<Cipher, 'seal'>, registration: Registration, fresh: Fresh) => {
  const order = reviewOrder(registration)
  const dueAt = addSeconds(fresh.now, ACCOUNT_CALLS.leaseSeconds)
  const operation = newOperation(cipher, { ...reviewOf(registration), order, dueAt }, fresh)
  return { intent: operation.id, order, operation }
}

const UNMOVED = all<'state' | 'operationId'>(eq('state', 'UNDER_REVIEW'), eq('operationId', null))

/** What makes an operation of a review that a release until 0.3.0 has begun; nothing for any other registration. */
export const earlierReview = (registration: Registration): readonly Change[] => {
  const { id, uuid, state, operationId, createdAt, updatedAt } = registration
  if (state !== 'UNDER_REVIEW' || operationId !== null) return []
  const operation = earlierOperation({ ...reviewOf(registration), dueAt: updatedAt, createdAt })
  return [
    patch(registrations, id, { set: { operationId: uuid, dueAt: null }, when: UNMOVED }),
    ensure(bankOperations, operation),
  ]
}

export const reviewSteps: readonly Migration[] = [
  migrationOf({ name: 'move-reviews-to-operations', from: registrations, where: UNMOVED, changes: earlierReview }),
]
