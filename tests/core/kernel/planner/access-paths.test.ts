import test from 'ava'
import fc from 'fast-check'
import {
  accessPaths,
  chooseIndex,
  conjuncts,
  dayFieldOf,
  toInstantRanges,
} from '../../../../core/kernel/planner/access-paths.ts'
import {
  all,
  any,
  contains,
  eq,
  gt,
  gte,
  type IndexRow,
  isIn,
  lt,
  lte,
  matches,
  not,
  type Where,
} from '../../../../core/kernel/records/record.ts'
import { addDays, dayOf, startOfDay } from '../../../../core/kernel/values/day.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'

const chosen = (
  rows: readonly IndexRow[],
  where: Where,
  { owner = 'account', when, sort = null }: { owner?: string | null; when?: string; sort?: string | null } = {},
) => {
  const indexes = rows.map((row) => ({ row }))
  return chooseIndex({ collection: { owner }, indexes }, { parts: conjuncts(where), when, sort })?.row ?? null
}

const plain = { sort: 'created' }
const live = { sort: 'created', when: 'live' }
const byStatus = { eq: 'status', sort: 'created' }
const searching = { sort: 'created', when: 'live', search: 'text' }
const worker = { sort: 'due', when: 'waiting', acrossOwners: true } as const
const ofAccount = eq('account', 1)

test('only conditions that must all hold select an index', (t) => {
  t.deepEqual(conjuncts(all(ofAccount, all(eq('a', 1), any(eq('b', 2), eq('c', 3))))).length, 3)
  t.is(chosen([plain], any(ofAccount, eq('status', 1)), { sort: 'created' }), null)
  t.is(chosen([plain], isIn('account', [1]), { sort: 'created' }), null)
  t.is(chosen([plain], ofAccount, { sort: 'created' }), plain)
})

test('chooses the narrowest index in the order of the query', (t) => {
  const rows = [plain, live, byStatus, worker]
  t.is(chosen(rows, ofAccount, { sort: 'created' }), plain)
  t.is(chosen(rows, ofAccount, { sort: 'created', when: 'live' }), live)
  t.is(chosen(rows, all(ofAccount, eq('status', 1)), { sort: 'created', when: 'live' }), byStatus)
  t.is(chosen(rows, ofAccount, { sort: 'due' }), null)
  t.is(chosen(rows, all(ofAccount, not(eq('status', 1))), { sort: 'created' }), plain)
})

test('chooses an index with a search text for searches only', (t) => {
  t.is(chosen([searching, live], ofAccount, { sort: 'created', when: 'live' }), live)
  t.is(chosen([live, searching], all(ofAccount, contains('text', 'ana')), { sort: 'created', when: 'live' }), searching)
  t.is(
    chosen([byStatus, searching], all(ofAccount, eq('status', 1), contains('text', 'a')), {
      sort: 'created',
      when: 'live',
    }),
    searching,
  )
})

test('an index across owners serves queries without an owner, and is the last choice for others', (t) => {
  t.is(chosen([plain, worker], lte('due', 9), { sort: 'due', when: 'waiting' }), worker)
  t.is(chosen([plain, worker], lte('due', 9), { when: 'waiting' }), worker)
  t.is(chosen([plain, worker], lte('due', 9)), null)
  const both = { eq: 'account', sort: 'due', acrossOwners: true } as const
  t.is(chosen([both, { sort: 'due' }], ofAccount, { sort: 'due' })?.eq, undefined)
  t.truthy(chosen([{ ...both, eq: 'txid' }], eq('txid', 'a')))
  t.is(chosen([{ sort: 'due', acrossOwners: true }], ofAccount), null)
})

const mine = eq('accountId', 1)
const [from, to] = [gte('dueDate', '2026-01-01'), lte('dueDate', '2026-06-30')]

const shown = ({ eq: pinned, sort }: IndexRow): string => (pinned ? `${pinned} ${sort}` : sort)

/** Describes the access paths of a list of charges, the ordered one first: `=` is exact, `+` is covering. */
const ways = (where: Where, sort: string, when: string | null = 'listed'): readonly string[] => {
  const indexes = (charges.indexes ?? []).map((row) => ({ row }))
  const paths = accessPaths(
    { collection: charges, indexes },
    { parts: conjuncts(where), when: when ?? undefined, sort },
  )
  return paths.map(({ index, isOrdered, isExact, isCovering }) => {
    const mark = isExact ? '=' : isCovering ? '+' : ''
    return `${isOrdered ? '' : 'sorted '}${shown(index.row)}${mark}`
  })
}

const pathTable: readonly (readonly [Where, string, readonly string[]])[] = [
  [mine, 'createdAt', ['createdAt=']],
  [mine, 'dueDate', ['dueDate=']],
  [mine, 'paymentDate', ['paymentDate=']],
  [mine, 'id', ['id=']],
  [all(mine, eq('clientId', 7)), 'createdAt', ['clientId createdAt=']],
  [all(mine, eq('paymentMethod', 'PIX')), 'createdAt', ['paymentMethod createdAt=']],
  // The index by status contains deleted charges too; a paid charge is not deleted.
  [all(mine, eq('status', 'paid')), 'createdAt', ['status createdAt=']],
  [all(mine, eq('status', 'DELETED')), 'createdAt', ['status createdAt+']],
  [all(mine, gte('createdAt', 'a'), lte('createdAt', 'b')), 'createdAt', ['createdAt=']],
  [all(mine, from, to), 'dueDate', ['dueDate=']],
  [all(mine, from, to), 'createdAt', ['createdAt', 'sorted dueDate=']],
  [all(mine, eq('clientId', 7)), 'id', ['id', 'sorted clientId createdAt=']],
  [all(mine, isIn('status', ['paid', 'failed'])), 'createdAt', ['createdAt', 'sorted status createdAt+']],
  [
    all(mine, eq('clientId', 7), eq('status', 'paid'), eq('paymentMethod', 'PIX')),
    'createdAt',
    ['clientId createdAt+', 'status createdAt', 'paymentMethod createdAt'],
  ],
  [all(mine, contains('search', 'x')), 'createdAt', ['createdAt+']],
  [all(mine, contains('search', 'x'), eq('clientId', 7)), 'createdAt', ['createdAt', 'clientId createdAt']],
  [all(mine, not(eq('clientId', 7))), 'dueDate', ['dueDate']],
  [eq('clientId', 7), 'createdAt', []],
]

test('the paths of a list are the one in its order and those that scan less', (t) => {
  for (const [where, sort, expected] of pathTable)
    t.deepEqual(ways(where, sort), expected, JSON.stringify([where, sort]))
  t.deepEqual(ways(all(mine, eq('status', 'DELETED')), 'createdAt', null), ['status createdAt='])
})

test('an index that is not partial by its condition is not exact', (t) => {
  const of = { collection: charges, indexes: [{ row: { sort: 'dueDate', when: 'listed' }, isPartial: false }] }
  t.like(accessPaths(of, { parts: [mine], when: 'listed', sort: 'dueDate' }), [{ isExact: false }])
})

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

test('the day field of a sort is the one that derives from it, or the sort field itself', (t) => {
  t.is(dayFieldOf(dated, 'at'), 'day')
  t.is(dayFieldOf(dated, 'dueDate'), 'dueDate')
})
