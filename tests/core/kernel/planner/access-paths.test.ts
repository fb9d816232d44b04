import test from 'ava'
import {
  accessPaths,
  chooseIndex,
  conjuncts,
  type EntryCount,
  estimateEntries,
  nextStep,
  UNCOUNTED,
} from '../../../../core/kernel/planner/access-paths.ts'
import {
  all,
  any,
  contains,
  eq,
  gte,
  type IndexRow,
  isIn,
  lte,
  not,
  type Where,
} from '../../../../core/kernel/records/record.ts'
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

const ordered = { isOrdered: true, isExact: false, isCovering: false }
const sorted = { ...ordered, isOrdered: false }
const seen = { ...ordered, isCovering: true }

/** Returns the path taken for these numbers of entries, and the entries counted to decide. */
const taken = (paths: readonly (typeof ordered)[], entries: readonly number[], isPage = true) => {
  const figures: EntryCount[] = paths.map(() => UNCOUNTED)
  let counted = 0
  for (;;) {
    const step = nextStep(paths, figures, isPage)
    if ('take' in step) return { path: step.take, counted }
    const all = entries[step.count] ?? 0
    counted += Math.min(all, step.upTo)
    figures[step.count] = { entries: Math.min(all, step.upTo), isComplete: all < step.upTo }
  }
}

test('counts nothing if there is no choice', (t) => {
  t.deepEqual(taken([ordered], [1_000_000]), { path: 0, counted: 0 })
  t.deepEqual(taken([{ ...ordered, isExact: true }, sorted], [1_000_000, 1]), { path: 0, counted: 0 })
})

const choiceTable: readonly (readonly [string, readonly (typeof ordered)[], readonly number[], number])[] = [
  ['a rare match is sorted instead of scanning in order', [ordered, sorted], [1_000_000, 500], 1],
  ['of equal paths, the ordered one', [ordered, sorted], [500, 500], 0],
  ['the rarest of three', [ordered, sorted, sorted], [700_000, 90_000, 1_200], 2],
  ['a covering path with up to ten times the entries', [seen, sorted], [9_000, 1_000], 0],
  ['not a covering path with more', [seen, sorted], [14_000, 1_000], 1],
  ['if all paths exceed the count limit, the ordered one', [ordered, sorted], [9_000_000, 9_000_000], 0],
  ['a path without entries', [ordered, sorted], [1_000_000, 0], 1],
]

test('takes the cheapest path by the counts', (t) => {
  for (const [title, paths, entries, path] of choiceTable) t.is(taken(paths, entries).path, path, title)
})

test('a total ignores the order', (t) => {
  t.is(taken([ordered, sorted], [1_000, 950], false).path, 1)
  t.is(taken([ordered, sorted], [1_000, 950], true).path, 0)
})

test('counting costs about as much as the chosen path', (t) => {
  t.true(taken([ordered, sorted], [1_000_000, 10]).counted <= 2_100)
  t.true(taken([seen, sorted, sorted], [1_000_000, 800_000, 5_000]).counted <= 3 * 75_000)
})

test('estimates the entries of a page from the share of matches, with a margin', (t) => {
  t.deepEqual(estimateEntries(15, 500_000, 1_000_000), { entries: 240, isComplete: true })
  t.deepEqual(estimateEntries(15, 3, 1_000), { entries: 1_000, isComplete: true })
  t.deepEqual(estimateEntries(15, 0, 1_000), { entries: 1_000, isComplete: true })
})
