import test, { type ExecutionContext } from 'ava'
import type { MongoStore } from '../../../adapters/mongodb/mod.ts'
import { searchQueue } from '../../../adapters/mongodb/queries.ts'
import {
  type AnyCollection,
  all,
  type Collection,
  contains,
  eq,
  type IndexRow,
  insert,
  isIn,
  lte,
  not,
  type Rec,
  type Where,
} from '../../../core/kernel/records/record.ts'
import { MAX_WAITING_WALKS } from '../../../core/limits.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import { byId, byKey, groupOf, type List, listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { deferred, turn } from '../../core/kernel/running/tasks.ts'
import { accounts, type Thing, thing, thingCollections, things } from '../../fixtures/things.ts'
import { assertUnknownRejected, byDay, live, odd, own, pages, receipts, receiptsByStatus } from '../planned-pages.ts'
import { onReplicaSet, openUntilEnd, type ReplicaSet } from './replica-set.ts'

const searched = { name: 'test.things', owner: 'tenant' } as Collection<Rec>

const page = (tenant: string) => listOf(searched, { where: eq('tenant', tenant), limit: 5 })
const search = (tenant: string) =>
  listOf(searched, { where: all(eq('tenant', tenant), contains('search', 'ana')), limit: 5 })

test('searches of one owner run one after the other; other queries do not wait', async (t) => {
  const queued = searchQueue()
  const hang = deferred()
  const started: string[] = []
  const start =
    (name: string, waits = false) =>
    async () => {
      started.push(name)
      if (waits) await hang.promise
    }
  const first = queued(search('a'), start('a1', true))
  const second = queued(search('a'), start('a2'))
  await queued(search('b'), start('b'))
  await queued(page('a'), start("a's page"))
  await turn()
  t.deepEqual(started, ['a1', 'b', "a's page"])
  hang.resolve()
  await Promise.all([first, second])
  t.deepEqual(started, ['a1', 'b', "a's page", 'a2'])
})

test('a full queue of an owner rejects its searches until one has ended, but no other queries', async (t) => {
  const queued = searchQueue()
  const hang = deferred()
  const waits = () => queued(search('a'), () => hang.promise)
  const all = Array.from({ length: 1 + MAX_WAITING_WALKS }, waits)
  await t.throwsAsync(waits, { instanceOf: StoreUnavailable })
  t.is(await queued(search('b'), async () => 'b'), 'b')
  t.is(await queued(page('a'), async () => "a's page"), "a's page")
  hang.resolve()
  await Promise.all(all)
  await t.notThrowsAsync(waits)
})

const filled = async (t: ExecutionContext, server: ReplicaSet): Promise<MongoStore> => {
  const store = await openUntilEnd(t, server.url(), [...thingCollections, odd])
  const made = Array.from({ length: 300 }, (_, index) =>
    thing(index + 1, {
      createdDay: `2026-01-${10 + (index % 20)}`,
      status: index % 3 === 0 ? 'paid' : 'open',
      name: `n${index}`,
      active: index % 2 === 0,
      valueCents: index,
      search: 'xyz',
    }),
  )
  await store.commit(made.map((one) => insert(things, one)))
  return store
}

const costs = (server: ReplicaSet): void => {
  test('the first and the last page read no more entries than they return', async (t) => {
    const store = await filled(t, server)
    for (const offset of [0, 285]) {
      const rows = await store.explain(listOf(things, { where: own, sort: byDay, ...live, offset }))
      const page = rows.find(({ collection }) => collection === things.name)
      t.true((page?.keysExamined ?? 999) <= 16, JSON.stringify(page))
      t.false(rows.some(({ stages }) => stages.includes('SORT') || stages.includes('COLLSCAN')))
    }
  })

  test('a page in order is left for another path where its first entries do not match', async (t) => {
    const store = await openUntilEnd(t, server.url(), [receipts])
    const page = await receiptsByStatus(store)
    const last = async (status: string) =>
      (await store.explain(page(status))).findLast(({ collection }) => collection === receipts.name)?.indexes
    t.deepEqual(await last('paid'), ['shop paidOn _id'])
    t.deepEqual(await last('open'), ['shop status _id paidOn'])
    t.like(await store.list(page('open')), { total: 1_000, records: { length: 15 } })
  })

  test('a total and a group that a tally covers read the tally, by its leading fields', async (t) => {
    const store = await filled(t, server)
    await store.commit([insert(things, thing(1_000, { shopId: 'other', status: 'open', createdDay: 'x' }))])
    const where = all(own, eq('status', 'open'))
    const rows = await store.explain(listOf(things, { where, sort: byDay, total: true, ...live }))
    t.deepEqual(
      rows.map(({ collection, indexes }) => [collection, ...indexes]),
      [
        [things.name, 'shopId status createdDay _id when live'],
        [`${things.name}_tallies`, '_id_'],
      ],
    )
    t.is(rows[1]?.docsExamined, 20)
    const group = groupOf(things, { where: own, when: 'live', by: ['status'], sum: ['valueCents'] })
    const read = (await store.explain(group)).map(({ collection }) => collection)
    t.deepEqual(read, [`${things.name}_tallies`])
    // No tally covers a condition on ids, so an audit counts the records themselves.
    for (const where of [eq<keyof Thing>('size', 1), all(own, not(eq<keyof Thing>('id', -1)))]) {
      const counted = groupOf(things, { where, by: [], sum: [] })
      t.deepEqual(
        (await store.explain(counted)).map(({ collection }) => collection),
        [things.name],
      )
    }
  })
}

const looks = (server: ReplicaSet): void => {
  test('finds a record by its id and by its keys through one index entry', async (t) => {
    const store = await filled(t, server)
    const examined = (await store.explain(byId(things, 7))).map(({ docsExamined }) => docsExamined)
    t.deepEqual(examined, [1])
    const [byCode] = await store.explain(byKey(things, 'code', 'x'))
    t.deepEqual(byCode?.indexes, ['key code'])
  })

  test('a page by ids reads by id, whatever its other conditions', async (t) => {
    const store = await filled(t, server)
    const [plan] = await store.explain(listOf(things, { where: all(own, isIn('id', [1, 2])), limit: 15 }))
    t.deepEqual(plan?.indexes, ['_id_'])
    const [texts] = await store.explain(listOf(accounts, { where: all(own, isIn('id', ['a', 'b'])), limit: 15 }))
    t.deepEqual(texts?.indexes, ['_id_'])
  })

  test('a query across owners uses its index', async (t) => {
    const store = await filled(t, server)
    const due = listOf(odd, { where: lte('dueAt', 'x'), sort: { by: 'dueAt', dir: 'asc' }, limit: 5 })
    t.deepEqual((await store.explain(due))[0]?.indexes, ['dueAt _id'])
  })

  test('an unknown key, condition or field is an error and never becomes a path', async (t) =>
    assertUnknownRejected(t, await filled(t, server), ['$where', 'address.city', '_keys', '_rev', 'a b', '']))
}

const pageOf = (collection: AnyCollection, { eq: pinned, sort, when, acrossOwners }: IndexRow): List<Rec> => {
  const pin = (field: string): Where => eq(field, '7')
  const where = all(
    ...(collection.owner === null || acrossOwners ? [] : [pin(collection.owner)]),
    ...(pinned === undefined ? [] : [pin(pinned)]),
  )
  const named = { where, sort: { by: sort, dir: 'desc' }, limit: 15, ...(when !== undefined && { when }) }
  return { kind: 'list', from: collection as Collection<Rec>, ...named } as List<Rec>
}

const rows = (server: ReplicaSet): void => {
  test('every index row of every collection serves a page in its order, without a sort or a collection scan', async (t) => {
    const collections = [...paymentsCollections, ...thingCollections, odd]
    const store = await openUntilEnd(t, server.url(), collections)
    for (const collection of collections) {
      for (const row of collection.indexes ?? []) {
        const [plan] = await store.explain(pageOf(collection, row))
        const shown = JSON.stringify([collection.name, row, plan])
        t.true(plan?.stages.includes('IXSCAN'), shown)
        t.false(plan?.stages.includes('SORT') || plan?.stages.includes('COLLSCAN'), shown)
        t.true(
          plan?.indexes.every((index) =>
            index
              .split(' when ')[0]
              ?.split(' ')
              .includes(row.sort === 'id' ? '_id' : row.sort),
          ),
          shown,
        )
      }
    }
  })
}

onReplicaSet(test, (server) => {
  for (const [title, page, [equal, sort, search, when]] of pages) {
    const fields = ['shopId', equal, ...(sort === 'id' ? [] : [sort]), '_id', search].filter((field) => field !== '')
    const index = `${fields.join(' ')}${when && ` when ${when}`}`
    test(`a page ${title} goes through its index and sorts nothing`, async (t) => {
      const store = await filled(t, server)
      const [plan, ...more] = await store.explain(listOf(things, page))
      t.deepEqual(plan?.indexes, [index])
      t.deepEqual(plan?.stages, ['LIMIT', 'FETCH', 'IXSCAN'])
      t.is(more.length, 0)
    })
  }
  costs(server)
  looks(server)
  rows(server)
})
