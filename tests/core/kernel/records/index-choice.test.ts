import test from 'ava'
import { chooseIndex, conjuncts } from '../../../../core/kernel/planner/access-paths.ts'
import type { IndexRow } from '../../../../core/kernel/records/collection.ts'
import { all, any, contains, eq, isIn, lte, not, type Where } from '../../../../core/kernel/records/where.ts'

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
const mine = eq('account', 1)

test('only what is asked for all together narrows', (t) => {
  t.deepEqual(conjuncts(all(mine, all(eq('a', 1), any(eq('b', 2), eq('c', 3))))).length, 3)
  t.is(chosen([plain], any(mine, eq('status', 1)), { sort: 'created' }), null)
  t.is(chosen([plain], isIn('account', [1]), { sort: 'created' }), null)
  t.is(chosen([plain], mine, { sort: 'created' }), plain)
})

test('the row that narrows most gives the order that was asked for', (t) => {
  const rows = [plain, live, byStatus, worker]
  t.is(chosen(rows, mine, { sort: 'created' }), plain)
  t.is(chosen(rows, mine, { sort: 'created', when: 'live' }), live)
  t.is(chosen(rows, all(mine, eq('status', 1)), { sort: 'created', when: 'live' }), byStatus)
  t.is(chosen(rows, mine, { sort: 'due' }), null)
  t.is(chosen(rows, all(mine, not(eq('status', 1))), { sort: 'created' }), plain)
})

test('a row that carries a text serves its search, and nothing better than it', (t) => {
  t.is(chosen([searching, live], mine, { sort: 'created', when: 'live' }), live)
  t.is(chosen([live, searching], all(mine, contains('text', 'ana')), { sort: 'created', when: 'live' }), searching)
  t.is(
    chosen([byStatus, searching], all(mine, eq('status', 1), contains('text', 'a')), { sort: 'created', when: 'live' }),
    searching,
  )
})

test('a row over all owners is the worker’s: whoever names an owner takes it last', (t) => {
  t.is(chosen([plain, worker], lte('due', 9), { sort: 'due', when: 'waiting' }), worker)
  t.is(chosen([plain, worker], lte('due', 9), { when: 'waiting' }), worker)
  t.is(chosen([plain, worker], lte('due', 9)), null)
  const both = { eq: 'account', sort: 'due', acrossOwners: true } as const
  t.is(chosen([both, { sort: 'due' }], mine, { sort: 'due' })?.eq, undefined)
  t.truthy(chosen([{ ...both, eq: 'txid' }], eq('txid', 'a')))
  t.is(chosen([{ sort: 'due', acrossOwners: true }], mine), null)
})
