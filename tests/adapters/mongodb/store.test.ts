import test from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import { type AnyCollection, type Collection, eq, insert, patch } from '../../../core/kernel/records/record.ts'
import { byKey, groupOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { sortedRows } from '../../contracts/store/tallies.ts'
import {
  type Claim,
  claim,
  claims,
  older,
  olderThings,
  type Thing,
  thing,
  thingCollections,
  things,
} from '../../fixtures/things.ts'
import { freePort, startMongod } from './mongod.ts'
import { onReplicaSet, type ReplicaSet } from './replica-set.ts'

const connections = (server: ReplicaSet): void => {
  test('rejects with one line that names the server, without the password, if there is none', async (t) => {
    const port = await freePort()
    // Long enough for one attempt.
    const url = `mongodb://me:secret@127.0.0.1:${port}/x?serverSelectionTimeoutMS=2000`
    const error = await t.throwsAsync(mongoStore(url, thingCollections), { instanceOf: StoreUnavailable })
    t.regex(error?.message ?? '', new RegExp(`^MongoDB at 127\\.0\\.0\\.1:${port} cannot be reached: .*ECONNREFUSED`))
    t.false(/secret|\n/.test(error?.message ?? ''))
  })

  test('a URL without a database uses `portico`', async (t) => {
    const url = new URL(server.url())
    url.pathname = '/'
    const store = await mongoStore(url.href, [claims])
    t.true((await store.commit([insert(claims, claim('x'))])).ok)
    const client = await server.client()
    t.is(await client.db('portico').collection(claims.name).countDocuments(), 1)
    await store.close()
  })

  test('ten processes start at once on an empty database and can write', async (t) => {
    const url = server.url()
    const stores = await Promise.all(Array.from({ length: 10 }, () => mongoStore(url, thingCollections)))
    const outcomes = await Promise.all(
      stores.map((store, index) => store.commit([insert(things, thing(index + 1, { code: `${index % 5}` }))])),
    )
    t.is(outcomes.filter(({ ok }) => ok).length, 5)
    const ids = await Promise.all(stores.map((store) => store.reserve(things.name, 3)))
    t.deepEqual(
      ids.sort((a, b) => a - b),
      Array.from({ length: 10 }, (_, index) => 1 + index * 3),
    )
    await Promise.all(stores.map((store) => store.close()))
  })
}

const indexes = (server: ReplicaSet): void => {
  test('creates a missing index again', async (t) => {
    const url = server.url()
    await (await mongoStore(url, thingCollections)).close()
    const name = url.split('/')[3]?.split('?')[0]
    const collection = (await server.client()).db(name).collection(things.name)
    await collection.dropIndex('key code')
    await (await mongoStore(url, thingCollections)).close()
    t.true((await collection.indexes()).some((index) => index.name === 'key code' && index.unique))
  })

  test('reports an index of no row, and rejects one that differs from its row', async (t) => {
    const url = server.url()
    const reported: string[] = []
    const open = (collections: readonly AnyCollection[]) =>
      mongoStore(url, collections, { report: (line) => reported.push(line) })
    await (await open(thingCollections)).close()
    t.deepEqual(reported, [])
    const [first, ...rest] = things.indexes ?? []
    t.is(first?.sort, 'id')
    await (await open([{ ...things, indexes: rest }])).close()
    t.deepEqual(reported.slice(0, -1), ['MongoDB: the store is upgraded for this release: test.things'])
    t.regex(
      reported.at(-1) ?? '',
      /"shopId _id when live" of test\.things, .*, is not used by this release: drop it once .*/,
    )
    const name = url.split('/')[3]?.split('?')[0]
    const collection = (await server.client()).db(name).collection(things.name)
    await collection.dropIndex('key code')
    await collection.createIndex({ '_keys.code': 1 }, { name: 'key code' })
    const error = await t.throwsAsync(open(thingCollections))
    t.regex(error?.message ?? '', /^MongoDB: the index "key code" of test\.things is .* and should be .*"unique":true/)
  })
}

const upgrades = (server: ReplicaSet): void => {
  test('a key and a tally over a missing field of older records take it as null', async (t) => {
    const url = server.url()
    const before = await mongoStore(url, [olderThings])
    await before.commit([1, 2].map((id) => insert(olderThings, older(thing(id)))))
    await before.close()
    const keyed: Collection<Thing> = {
      ...things,
      keys: { size: ({ shopId, size }) => (size === null ? null : `${shopId}|${size}`) },
      tallies: [{ by: ['shopId', 'size'], sum: ['valueCents'] }],
    }
    const store = await mongoStore(url, [keyed], { report: () => {} })
    const sized = (id: number) => store.commit([patch(keyed, id, { set: { size: 5 }, when: eq('size', null) })])
    t.true((await sized(1)).ok)
    t.deepEqual(await sized(2), { ok: false, conflict: { collection: 'test.things', key: 'size' } })
    const groups = await store.group(groupOf(keyed, { where: eq('shopId', 'loja'), by: ['size'], sum: [] }))
    t.deepEqual(sortedRows(groups), [
      { by: { size: null }, count: 1, sums: {} },
      { by: { size: 5 }, count: 1, sums: {} },
    ])
    await store.close()
  })

  test('a key can be added to an empty collection, but the kind of ids cannot change', async (t) => {
    const url = server.url()
    await (await mongoStore(url, [claims])).close()
    const keyed: Collection<Claim> = { ...claims, keys: { note: ({ note }) => note } }
    const store = await mongoStore(url, [keyed], { report: () => {} })
    t.true((await store.commit([insert(claims, claim('a', { note: 'x' }))])).ok)
    t.is((await store.find(byKey(keyed, 'note', 'x')))?.id, 'a')
    await store.close()
    await t.throwsAsync(mongoStore(url, [{ ...keyed, ids: 'integer' }]), { message: /has text ids in the database/ })
  })
}

const unusableServers = (): void => {
  test('rejects a standalone server with one line that explains how to start a replica set', async (t) => {
    const mongod = await startMongod({ replSet: false })
    t.teardown(mongod.remove)
    const error = await t.throwsAsync(mongoStore(mongod.url('x'), thingCollections))
    t.is(
      error?.message,
      `MongoDB at 127.0.0.1:${mongod.port} is a standalone server, which has no transactions: start it with --replSet rs0 and run rs.initiate() once, even if it is the only server`,
    )
  })

  test('rejects a member that was never initiated with one line', async (t) => {
    const mongod = await startMongod({ initiate: false })
    t.teardown(mongod.remove)
    const expected = { message: `MongoDB at 127.0.0.1:${mongod.port} is not initiated: run rs.initiate() once` }
    await t.throwsAsync(mongoStore(mongod.url('x'), thingCollections), expected)
    const discovering = `mongodb://127.0.0.1:${mongod.port}/x?serverSelectionTimeoutMS=3000`
    await t.throwsAsync(mongoStore(discovering, thingCollections), expected)
  })
}

onReplicaSet(test, (server) => {
  connections(server)
  indexes(server)
  upgrades(server)
  unusableServers()
})
