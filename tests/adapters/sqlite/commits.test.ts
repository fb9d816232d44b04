import test, { type ExecutionContext } from 'ava'
import { always, insert } from '../../../core/kernel/records/record.ts'
import { listOf } from '../../../core/ports/store.ts'
import { claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'
import { fileFor, openingThrough, openUntilEnd } from './file.ts'

const openCounting = async (t: ExecutionContext) => {
  let count = 0
  const open = openingThrough((sql, run) => {
    if (sql === 'BEGIN IMMEDIATE') count += 1
    return run()
  })
  return { store: await openUntilEnd(t, await fileFor(t), thingCollections, { open }), transactions: () => count }
}

test('commits of one turn of the event loop share one transaction', async (t) => {
  const { store, transactions } = await openCounting(t)
  const before = transactions()
  const outcomes = await Promise.all([
    ...Array.from({ length: 64 }, (_, index) => store.commit([insert(claims, claim(`${index}`))])),
    store.commit([insert(claims, claim('5'))]),
    store.reserve(things.name, 3),
  ])
  t.is(transactions() - before, 1)
  t.deepEqual(outcomes[64], { ok: false, conflict: { collection: claims.name, key: 'id' } })
  t.is(outcomes[65], 1)
})

test('a transaction has a limited number of changes', async (t) => {
  const { store, transactions } = await openCounting(t)
  const before = transactions()
  const commits = Array.from({ length: 4 }, (_, commit) =>
    store.commit(Array.from({ length: 400 }, (_, index) => insert(things, thing(commit * 400 + index)))),
  )
  for (const outcome of await Promise.all(commits)) t.true(outcome.ok)
  t.is(transactions() - before, 2)
  t.is((await store.list(listOf(things, { where: always, limit: 1, total: true }))).total, 1_600)
})

test('a commit of records that are flushed later is flushed with the next other commit', async (t) => {
  const orders = { ...claims, name: 'things.orders', isFlushedLater: true } as const
  let isFlushing = true
  const flushed: boolean[] = []
  const open = openingThrough((sql, run) => {
    if (sql.startsWith('PRAGMA synchronous=')) isFlushing = sql.endsWith('FULL')
    if (sql === 'BEGIN IMMEDIATE') flushed.push(isFlushing)
    return run()
  })
  const store = await openUntilEnd(t, await fileFor(t), [orders, claims], { open })
  flushed.length = 0
  const order = (id: string) => insert(orders, claim(id))
  await store.commit([order('a'), order('b')])
  await store.commit([insert(claims, claim('a'))])
  await Promise.all([store.commit([order('c')]), store.commit([insert(claims, claim('b'))])])
  await store.commit([order('d')])
  await store.commit([order('e'), insert(claims, claim('c'))])
  await store.commit([order('f')], () => [])
  await Promise.all([store.commit([order('g')]), store.reserve(orders.name, 1)])
  t.deepEqual(flushed, [false, true, true, false, true, true, true])
})
