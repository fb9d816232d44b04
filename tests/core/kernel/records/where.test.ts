import test from 'ava'
import fc from 'fast-check'
import {
  all,
  always,
  any,
  compile,
  contains,
  eq,
  fieldsOf,
  gt,
  gte,
  has,
  isIn,
  lt,
  lte,
  matches,
  not,
  type Where,
} from '../../../../core/kernel/records/record.ts'
import { randomThing, randomWhere } from '../../../contracts/random/queries.ts'
import { type Thing, thing } from '../../../fixtures/things.ts'

type Row = [where: Where<keyof Thing>, fields: Partial<Thing>, is: boolean]

const rows: Row[] = [
  [always, {}, true],
  [any(), {}, false],
  [all(eq('size', 1), eq('name', 'a')), { size: 1, name: 'a' }, true],
  [all(eq('size', 1), eq('name', 'a')), { size: 1 }, false],
  [any(eq('size', 1), eq('name', 'a')), { name: 'a' }, true],
  [eq('size', null), {}, true],
  [eq('size', 0), {}, false],
  [eq('name', ''), {}, false],
  [eq('active', false), {}, false],
  [eq('active', false), { active: false }, true],
  [eq('size', '1'), { size: 1 }, false],
  [eq('labels', 'a'), { labels: ['a'] }, false],
  [eq('labels', null), { labels: [] }, false],
  [isIn('size', [1, null]), {}, true],
  [isIn('size', [1, 2]), { size: 2 }, true],
  [isIn('size', []), { size: 2 }, false],
  [has('labels', 'a'), { labels: ['b', 'a'] }, true],
  [has('labels', 'a'), { labels: ['ab'] }, false],
  [has('labels', 'a'), {}, false],
  [has('points', 1), { points: [1] }, true],
  [has('points', '1'), { points: [1] }, false],
  [has('name', 'a'), { name: 'a' }, false],
  [lt('size', 2), { size: 1 }, true],
  [lt('size', 1), { size: 1 }, false],
  [lte('size', 1), { size: 1 }, true],
  [gt('size', 1), { size: 1 }, false],
  [gt('size', -1), {}, false],
  [gte('size', 1), { size: 1 }, true],
  [lt('size', 10), { size: 9 }, true],
  [lt('name', '10'), { name: '9' }, false],
  [lt('name', 'b'), { name: 'ab' }, true],
  [gt('name', '\u{FFFD}'), { name: '😀' }, true],
  [lt('name', '\u{FFFD}'), { name: '😀' }, false],
  [lt('name', 5), { name: '4' }, false],
  [gte('active', 0), { active: true }, false],
  [contains('name', 'ç'), { name: 'ação' }, true],
  [contains('name', 'A'), { name: 'ação' }, false],
  [contains('name', '%'), { name: 'ação' }, false],
  [contains('name', ''), { name: '' }, true],
  [contains('name', ''), {}, false],
  [contains('labels', 'a'), { labels: ['a'] }, false],
]

for (const [where, fields, is] of rows)
  test(`${JSON.stringify(where)} of ${JSON.stringify(fields)}`, (t) => {
    t.is(matches(where, thing(1, fields)), is)
    t.is(matches(not(where), thing(1, fields)), !is)
  })

test('all, any and not follow Boolean algebra for random conditions and records', (t) => {
  const ids = [1, 2, 3]
  const drawn = fc.tuple(randomWhere(ids), randomWhere(ids), randomThing(2, 'loja'))
  fc.assert(
    fc.property(drawn, ([a, b, record]) => {
      const [isA, isB] = [matches(a, record), matches(b, record)]
      t.is(matches(not(a), record), !isA)
      t.is(matches(all(a, b), record), isA && isB)
      t.is(matches(any(a, b), record), isA || isB)
      t.is(compile(a)(record), isA)
    }),
    { numRuns: 1_000 },
  )
})

test('an absent field is null', (t) => {
  t.true(matches(eq('nothing', null), thing(1)))
  t.false(matches(gte('nothing', 0), thing(1)))
})

test('returns the fields that a condition names', (t) => {
  const where = all(eq('a', 1), any(not(contains('b', 'x')), isIn('c', [1])), { lt: ['d', 1] })
  t.deepEqual(fieldsOf(where), ['a', 'b', 'c', 'd'])
  t.deepEqual(fieldsOf(always), [])
})
