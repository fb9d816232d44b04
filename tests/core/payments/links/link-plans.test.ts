import test from 'ava'
import { all, eq } from '../../../../core/kernel/records/record.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { usesQueries } from '../../../../core/payments/links/link.ts'
import type { LinkFilter } from '../../../../core/payments/links/read-link.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import { listOf } from '../../../../core/ports/store.ts'
import { openSqlite, recording } from '../../observed-store.ts'
import { openPayments } from '../world.ts'

const ACTOR = { userId: 1, accountId: 1 }

const day = { from: '2026-11-23', to: '2026-11-23' }
const filters: readonly (readonly [filter: LinkFilter, by: string])[] = [
  [{}, 'f_accountId=?'],
  [{ order: 'asc', page: 3 }, 'f_accountId=?'],
  [{ statuses: ['active'] }, 'f_accountId=?'],
  [{ created: day }, 'f_accountId=? AND f_createdAt>? AND f_createdAt<?'],
  [{ updated: day }, 'f_accountId=?'],
  [{ due: day }, 'b_accountId=? AND b_dueDay>? AND b_dueDay<?'],
]

test('reads a page of links by an index, and its total and summary by tallies', async (t) => {
  const store = await openSqlite(t, paymentsCollections)
  for (const [filter, by] of filters) {
    const { asked, recorded } = recording(store)
    await openPayments({ store: recorded }).pay.links.list(ACTOR, filter)()
    const [list, every, before, today] = asked
    const plans = await Promise.all([list, every, before, today].map((ask) => ask && store.explain(ask)))
    t.true(plans[0]?.includes(`(${by})`), `${JSON.stringify(filter)} ${plans[0]}`)
    t.regex(plans[1] ?? '', /tally/)
    t.regex(plans[2] ?? '', /tally/)
    t.regex(plans[3] ?? '', /\(f_accountId=\? AND f_lapsesAt>\? AND f_lapsesAt<\?\)/)
  }
})

test('reads the charges of a link by an index', async (t) => {
  const store = await openSqlite(t, paymentsCollections)
  const where = all<'accountId' | 'linkId'>(eq('accountId', 1), eq('linkId', 'a'))
  const page = listOf(charges, {
    where,
    when: 'linked',
    sort: { by: 'createdAt', dir: 'desc' },
    limit: 15,
    total: true,
  })
  t.regex(await store.explain(page), /linkId_createdAt__linked\S* \(f_accountId=\? AND f_linkId=\?\)/)
})

test('counts the uses of links by a tally', async (t) => {
  const store = await openSqlite(t, paymentsCollections)
  for (const ids of [['a'], ['a', 'b']])
    for (const query of Object.values(usesQueries(1, ids))) t.regex(await store.explain(query), /SEARCH .*tally/)
})
