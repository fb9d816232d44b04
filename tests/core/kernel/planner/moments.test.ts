import test from 'ava'
import fc from 'fast-check'
import { toInstantRanges } from '../../../../core/kernel/planner/day-fields.ts'
import { all, any, eq, gt, gte, isIn, lt, lte, matches, type Where } from '../../../../core/kernel/records/where.ts'
import { addDays, dayOf, startOfDay } from '../../../../core/kernel/values/day.ts'

const dated = { days: { day: 'at' } }

test('a bound on a day is one on the moments of that day', (t) => {
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

test('what is no day, or no bound, stays as it is', (t) => {
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

test('the same records match, at either end of a day and in summer time', (t) => {
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
