import test from 'ava'
import { charges } from '../../../core/payments/charges/charge.ts'
import type { ChargeFilter } from '../../../core/payments/charges/queries/list.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import { fillWithCharges, pageQuery } from '../../core/payments/charges/queries/random-pages.ts'
import { onReplicaSet, openUntilEnd } from './replica-set.ts'

const SIZE = 2_000
const day = { from: '2022-03-10', to: '2022-03-15' }
const half = { from: '2023-01-01', to: '2023-06-30' }

/** The index of a page, and the limit of entries read. */
const plans: readonly (readonly [string, ChargeFilter, string, number])[] = [
  ['no filter', {}, 'createdAt _id search', 16],
  ['order by id', { orderBy: 'id' }, '_id', 16],
  ['order by due date', { orderBy: 'dueDate' }, 'dueDate _id', 16],
  ['order by payment date', { orderBy: 'paymentDate' }, 'paymentDate _id', 16],
  ['a status', { statuses: ['failed'] }, 'status createdAt _id', 16],
  ['two statuses', { statuses: ['failed', 'cancelled'] }, 'status createdAt _id', SIZE],
  ['a method', { methods: ['PIX'] }, 'paymentMethod createdAt _id', 16],
  ['a client', { clientId: 1 }, 'clientId createdAt _id status paymentMethod', 16],
  ['an old day', { created: day }, 'createdAt _id search', 16],
  ['half a year', { created: half }, 'createdAt _id search', 16],
  ['due on a day', { due: day }, 'dueDate _id createdAt status', 20],
  ['due in half a year', { due: half }, 'dueDate _id createdAt status', 420],
  ['paid on a day', { paid: day }, 'paymentDate _id createdAt', 20],
  ['three together', { statuses: ['failed'], methods: ['BOLETO'], clientId: 1 }, 'clientId createdAt _id status', 420],
  ['a search, which reads all entries', { search: 'joaquina' }, 'createdAt _id search', SIZE],
]

onReplicaSet(test, (server) => {
  test('each filter and each sort uses its index', async (t) => {
    const store = await openUntilEnd(t, server.url(), paymentsCollections)
    await fillWithCharges(store, SIZE)
    for (const [name, filter, index, most] of plans) {
      const rows = await store.explain(await pageQuery(filter))
      const page = rows.find(
        ({ collection, stages }) =>
          collection === charges.name && (stages.includes('LIMIT') || stages.includes('SORT')),
      )
      t.true(page?.indexes.join().includes(index), `${name} ${JSON.stringify(rows)}`)
      const counted = rows.filter(({ collection }) => collection !== charges.name)
      t.true(
        counted.every(({ docsExamined }) => docsExamined <= 420),
        `${name} ${JSON.stringify(rows)}`,
      )
      t.true((page?.keysExamined ?? SIZE + 1) <= most, `${name} ${JSON.stringify(rows)}`)
    }
  })
})
