import { failure } from '../../failure.ts'
import { type Either, left, right } from '../../fp.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, always, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { recordEvent } from '../office/events.ts'
import { properties } from '../records/property.ts'
import { type Visit, type VisitStatus, visitMoves, visits } from '../records/visit.ts'

/** What a decision makes of a visit. */
export interface VisitMade {
  readonly visit: Visit
  readonly changes: readonly Change[]
}

const CLOSED = failure('conflict', 'visit.closed')
const NO_MOVE = failure('conflict', 'visit.move')
const NO_CHECKIN = failure('conflict', 'visit.checkin-missing')

/** That a property got a visit to come, which whoever removes it has to see. */
export const visitWritten = (propertyId: string): Change =>
  patch(properties, propertyId, { add: { visitWrites: 1 }, when: always })

/** Each change is another `sequence`: of two at once the second one decides again. */
const changed = (visit: Visit, set: Partial<Visit>, { now }: Fresh): VisitMade => {
  const more = { ...set, sequence: visit.sequence + 1, updatedAt: now }
  const when = all(eq('removedAt', null), eq('sequence', visit.sequence))
  return { visit: { ...visit, ...more }, changes: [patch(visits, visit.id, { set: more, when })] }
}

/** Another time for a visit that is still to be. Fails: `visit.closed`. Source: decisions.md §10, States. */
export const rescheduled = (
  visit: Visit,
  sent: Pick<Visit, 'scheduledAt' | 'notes'>,
  fresh: Fresh,
): Either<typeof CLOSED, VisitMade> => {
  if (visitMoves.isFinal(visit.status)) return left(CLOSED)
  const made = changed(visit, sent, fresh)
  return right({ ...made, changes: [...made.changes, visitWritten(visit.propertyId)] })
}

/**
 * What becomes of a visit. Fails: `visit.move`, `visit.checkin-missing` (Done asks that the broker was there).
 * Source: 03-real-estate.md, States and transitions.
 */
export const moved = (
  visit: Visit,
  { status, checkinDone }: { readonly status: VisitStatus; readonly checkinDone: boolean | null },
  fresh: Fresh,
): Either<typeof NO_MOVE | typeof NO_CHECKIN, VisitMade> => {
  if (!visitMoves.can(visit.status, status)) return left(NO_MOVE)
  if (status === 'Done' && checkinDone !== true) return left(NO_CHECKIN)
  const checkin = status === 'Done' ? { checkinDone: true, checkinAt: fresh.now } : {}
  const made = changed(visit, { status, ...checkin }, fresh)
  if (status !== 'Confirmed') return right(made)
  const { companyId, id, scheduledAt } = visit
  const told = recordEvent(fresh, { companyId, subjectId: id, type: 'visit.confirmed', data: { scheduledAt } })
  return right({ ...made, changes: [...made.changes, told] })
}
