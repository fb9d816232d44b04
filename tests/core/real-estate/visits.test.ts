import test from 'ava'
import { isLeft } from '../../../core/failure.ts'
import { VISIT_STATUSES, type Visit, visitMoves } from '../../../core/real-estate/records/visit.ts'
import { decideMove, decideReschedule } from '../../../core/real-estate/visits.ts'
import { NOW } from '../payments/world.ts'
import { freshAt } from './world.ts'

const VISIT: Visit = {
  ...{ id: 'v', companyId: 'c', propertyId: 'p', clientId: 'k', brokerId: 'b', notes: null, status: 'Scheduled' },
  ...{ scheduledAt: '2026-11-30T17:00:00.000Z', checkinDone: false, checkinAt: null, sequence: 4 },
  ...{ propertyCode: 'AP-1', clientName: 'Maria', search: '', removedAt: null },
  ...{ createdAt: '2026-11-01T10:00:00.000Z', updatedAt: '2026-11-01T10:00:00.000Z' },
}

test('makes exactly the moves of the table, increments the sequence, and reports only a confirmation', (t) => {
  for (const from of VISIT_STATUSES)
    for (const to of VISIT_STATUSES) {
      const made = decideMove({ ...VISIT, status: from }, { status: to, checkinDone: true }, freshAt(NOW))
      t.is(isLeft(made), !visitMoves.can(from, to), `${from} → ${to}`)
      if (isLeft(made)) continue
      const { record, changes } = made.right
      t.like(record, {
        status: to,
        sequence: 5,
        updatedAt: NOW,
        checkinDone: to === 'Done',
        checkinAt: to === 'Done' ? NOW : null,
      })
      const kinds = changes.map(({ kind, at }) => `${kind} ${at[0]}`).join()
      t.is(kinds, `patch estate.visits${to === 'Confirmed' ? ',insert estate.events' : ''}`)
    }
})

test('a visit is done only with a check-in', (t) => {
  for (const checkinDone of [null, false]) {
    const made = decideMove({ ...VISIT, status: 'Confirmed' }, { status: 'Done', checkinDone }, freshAt(NOW))
    t.is(isLeft(made) && made.left.code, 'visit.checkin-missing')
  }
})

test('reschedules only a visit that is neither done nor cancelled, and counts it for its property', (t) => {
  for (const status of VISIT_STATUSES) {
    const change = { scheduledAt: '2026-12-01T10:00:00.000Z', notes: 'n' }
    const made = decideReschedule({ ...VISIT, status }, change, freshAt(NOW))
    t.is(isLeft(made), visitMoves.isFinal(status), status)
    if (isLeft(made)) continue
    t.like(made.right.record, { ...change, status, sequence: 5 })
    t.deepEqual(made.right.changes[1]?.at, ['estate.properties', 'p'])
  }
})
