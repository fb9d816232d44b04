import test from 'ava'
import fc from 'fast-check'
import { dayFieldOf, pageDays, sortBounds, toInstantRanges } from '../../../../core/kernel/planner/day-fields.ts'
import { all, any, eq, gt, gte, isIn, lt, lte, matches, type Where } from '../../../../core/kernel/records/record.ts'
import { addDays, dayOf, startOfDay } from '../../../../core/kernel/values/day.ts'

const dated = { days: { day: 'at' } }

test('replaces a bound on a day by bounds on the instants of the day', (t) => {
  const [begins, ends] = ['2026-11-23T03:00:00.000Z', '2026-11-24T02:59:59.999Z']
  const bounds: readonly (readonly [Where, readonly Where[]])[] = [
    [eq('day', '2026-11-23'), [gte('at', begins), lte('at', ends)]],
    [gte('day', '2026-11-23'), [gte('at', begins)]],
    [gt('day', '2026-11-23'), [gt('at', ends)]],
    [lte('day', '2026-11-23'), [lte('at', ends)]],
    [lt('day', '2026-11-23'), [lt('at', begins)]],
  ]
  for (const [day, moments] of bounds) t.deepEqual(toInstantRanges(dated, [day]), moments)
})

test('leaves other values, operators and fields unchanged', (t) => {
  const parts = [
    eq('day', null),
    gte('day', 'x'),
    gte('day', 7),
    isIn('day', ['2026-11-23']),
    any(eq('day', '2026-11-23')),
  ]
  t.deepEqual(toInstantRanges(dated, parts), parts)
  const others = [eq('at', '2026-11-23'), gte('other', '2026-11-23')]
  t.deepEqual(toInstantRanges(dated, others), others)
  t.deepEqual(toInstantRanges({}, [eq('day', '2026-11-23')]), [eq('day', '2026-11-23')])
})

test('matches the same records, at both ends of a day and in summer time', (t) => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((n) => addDays('1975-01-01', n))
  const near = fc.tuple(day, fc.integer({ min: -90_000, max: 90_000 })).map(([of, seconds]) => {
    const at = new Date(Date.parse(startOfDay(of)) + seconds * 1_000).toISOString()
    return { id: 1, at, day: dayOf(at) }
  })
  const bound = fc.constantFrom<(typeof eq<string>)[]>(
    eq,
    lt as typeof eq,
    lte as typeof eq,
    gt as typeof eq,
    gte as typeof eq,
  )
  fc.assert(
    fc.property(near, bound, fc.integer({ min: -1, max: 1 }), (record, sign, off) => {
      const asked = sign('day', addDays(record.day, off))
      t.is(matches(all(...toInstantRanges(dated, [asked])), record), matches(asked, record))
    }),
  )
  for (const edge of ['1900-01-01', '9999-12-31'])
    t.true(matches(all(...toInstantRanges(dated, [eq('day', edge)])), { id: 1, at: startOfDay(edge), day: edge }))
})

const counts = [
  { day: '2026-11-23', count: 10 },
  { day: '2026-11-22', count: 5 },
  { day: '2026-11-20', count: 20 },
]

test('finds the days of a page from counts by day', (t) => {
  const of = (offset: number, limit: number) => pageDays(counts, { offset, limit })
  t.deepEqual(of(0, 10), { first: '2026-11-23', last: '2026-11-23', offset: 0 })
  t.deepEqual(of(9, 2), { first: '2026-11-23', last: '2026-11-22', offset: 9 })
  t.deepEqual(of(10, 5), { first: '2026-11-22', last: '2026-11-22', offset: 0 })
  t.deepEqual(of(12, 4), { first: '2026-11-22', last: '2026-11-20', offset: 2 })
  t.deepEqual(of(34, 1), { first: '2026-11-20', last: '2026-11-20', offset: 19 })
  t.is(of(34, 2), null)
  t.is(of(35, 1), null)
})

test('bounds an instant field by the first and last day in either order, and other fields by their values', (t) => {
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
