import test from 'ava'
import { mongoStore } from '../../../adapters/mongodb/mod.ts'
import { type AnyCollection, insert } from '../../../core/kernel/records/record.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'
import { freePort } from '../../listening.ts'
import { startMongod } from './mongod.ts'
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

  test('a store that must exist is not created in a database without one', async (t) => {
    const url = server.url()
    const missing = { message: /^the database \S+ has no store$/ }
    await t.throwsAsync(mongoStore(url, thingCollections, { mustExist: true }), missing)
    t.deepEqual(await (await server.db(url)).listCollections().toArray(), [])
    await (await mongoStore(url, thingCollections)).close()
    await (await mongoStore(url, thingCollections, { mustExist: true })).close()
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
    const collection = (await server.db(url)).collection(things.name)
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
    const collection = (await server.db(url)).collection(things.name)
    await collection.dropIndex('key code')
    await collection.createIndex({ '_keys.code': 1 }, { name: 'key code' })
    const error = await t.throwsAsync(open(thingCollections))
    t.regex(error?.message ?? '', /^MongoDB: the index "key code" of test\.things is .* and should be .*"unique":true/)
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
  unusableServers()
})
