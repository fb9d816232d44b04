import test from 'ava'
import { accessPaths, conjuncts } from '../../../../core/kernel/planner/access-paths.ts'
import type { IndexRow } from '../../../../core/kernel/records/collection.ts'
import { all, contains, eq, gte, isIn, lte, not, type Where } from '../../../../core/kernel/records/where.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'

const mine = eq('accountId', 1)
const [from, to] = [gte('dueDate', '2026-01-01'), lte('dueDate', '2026-06-30')]

const shown = ({ eq: pinned, sort }: IndexRow): string => (pinned ? `${pinned} ${sort}` : sort)

/** The ways to a list of charges, the ordered one first: `=` asks nothing besides, `+` sees in the index what else is asked. */
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

const table: readonly (readonly [Where, string, readonly string[]])[] = [
  [mine, 'createdAt', ['createdAt=']],
  [mine, 'dueDate', ['dueDate=']],
  [mine, 'paymentDate', ['paymentDate=']],
  [mine, 'id', ['id=']],
  [all(mine, eq('clientId', 7)), 'createdAt', ['clientId createdAt=']],
  [all(mine, eq('paymentMethod', 'PIX')), 'createdAt', ['paymentMethod createdAt=']],
  // The index of a status holds deleted ones too, and whoever is paid is none.
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

test('the ways to a list are the one in its order and those that lead to less', (t) => {
  for (const [where, sort, expected] of table) t.deepEqual(ways(where, sort), expected, JSON.stringify([where, sort]))
  t.deepEqual(ways(all(mine, eq('status', 'DELETED')), 'createdAt', null), ['status createdAt='])
})

test('an index that cannot be partial by its condition leads to more than it', (t) => {
  const of = { collection: charges, indexes: [{ row: { sort: 'dueDate', when: 'listed' }, isPartial: false }] }
  t.like(accessPaths(of, { parts: [mine], when: 'listed', sort: 'dueDate' }), [{ isExact: false }])
})
