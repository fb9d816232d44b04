import test from 'ava'
import { dayFieldOf, pageDays, sortBounds } from '../../../../core/kernel/planner/day-fields.ts'

const counts = [
  { day: '2026-11-23', count: 10 },
  { day: '2026-11-22', count: 5 },
  { day: '2026-11-20', count: 20 },
]

test('a page lies on the days that its records are counted on', (t) => {
  const of = (offset: number, limit: number) => pageDays(counts, { offset, limit })
  t.deepEqual(of(0, 10), { first: '2026-11-23', last: '2026-11-23', offset: 0 })
  t.deepEqual(of(9, 2), { first: '2026-11-23', last: '2026-11-22', offset: 9 })
  t.deepEqual(of(10, 5), { first: '2026-11-22', last: '2026-11-22', offset: 0 })
  t.deepEqual(of(12, 4), { first: '2026-11-22', last: '2026-11-20', offset: 2 })
  t.deepEqual(of(34, 1), { first: '2026-11-20', last: '2026-11-20', offset: 19 })
  t.is(of(34, 2), null)
  t.is(of(35, 1), null)
})

test('days bound their moments from the first to the last, whichever way they come; others bound themselves', (t) => {
  const days = { createdDay: 'createdAt' }
  const [from, to] = ['2026-11-20T03:00:00.000Z', '2026-11-24T02:59:59.999Z']
  t.deepEqual(sortBounds({ days }, 'createdDay', { first: '2026-11-23', last: '2026-11-20' }), { from, to })
  t.deepEqual(sortBounds({ days }, 'createdDay', { first: '2026-11-20', last: '2026-11-23' }), { from, to })
  t.deepEqual(sortBounds({ days }, 'dueDate', { first: 'b', last: 'a' }), { from: 'a', to: 'b' })
  t.is(sortBounds({ days }, 'createdDay', { first: 'b', last: 'a' }), null)
  t.is(sortBounds({}, 'dueDate', { first: null, last: 'a' }), null)
  t.is(dayFieldOf({ days }, 'createdAt'), 'createdDay')
  t.is(dayFieldOf({ days }, 'dueDate'), 'dueDate')
})
