import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { MongoClient } from 'mongodb'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import type { PendingCommit } from '../../../core/kernel/records/apply-commits.ts'
import { always, type Change, check, eq, insert, patch, type Rec, remove } from '../../../core/kernel/records/record.ts'
import { verifyTallies } from '../../../core/kernel/running/verify.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import { placeOf, randomBatches } from '../../contracts/random/changes.ts'
import { faultOf, posting, statement } from '../../contracts/store/commits.ts'
import { account, accounts, claim, claims, entries, thing, thingCollections, things } from '../../fixtures/things.ts'
import { FULL } from '../../size.ts'
import { onReplicaSet, openUntilEnd, type ReplicaSet } from './replica-set.ts'

const revsOf = async (server: ReplicaSet, url: string, collection: string): Promise<Set<string>> => {
  const stored = await (await server.db(url)).collection(collection).find().toArray()
  return new Set(stored.map(({ _rev }) => String(_rev)))
}

const batches = (server: ReplicaSet): void => {
  test('waiting commits share one transaction, also with failed ones', async (t) => {
    const url = server.url()
    const store = await openUntilEnd(t, url)
    const ids = [...Array.from({ length: 64 }, (_, index) => `${index}`), '5']
    const outcomes = await Promise.all(ids.map((id) => store.commit([insert(claims, claim(id))])))
    t.is(outcomes.filter(({ ok }) => ok).length, 64)
    t.is((await revsOf(server, url, claims.name)).size, 1)
  })

  test('postings that arrive during a commit of their account share the next batch', async (t) => {
    const url = server.url()
    const store = await openUntilEnd(t, url)
    await store.commit([insert(accounts, account('a'))])
    const done = [store.commit(posting('a', 1, 1))]
    await new Promise((resolve) => setImmediate(resolve))
    for (let id = 2; id <= 60; id += 1) done.push(store.commit(posting('a', id, id)))
    await Promise.all(done)
    t.is(faultOf(await statement(store, 'a')), null)
    t.true((await revsOf(server, url, entries.name)).size < 60)
  })

  test('a commit that the database rejects does not fail the others of its batch', async (t) => {
    const store = await openUntilEnd(t, server.url())
    const tooLarge = 'x'.repeat(17_000_000)
    const settled = await Promise.allSettled([
      store.commit([insert(claims, claim('a'))]),
      store.commit([insert(claims, claim('b', { note: tooLarge }))]),
      store.commit([insert(claims, claim('c'))]),
    ])
    const statuses = settled.map(({ status }) => status)
    t.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled'])
    t.is(await store.find(byId(claims, 'b')), null)
    t.not(await store.find(byId(claims, 'c')), null)
  })
}

const assumptions = (server: ReplicaSet): void => {
  test('a record that a commit inserts and removes must have been absent', async (t) => {
    const store = await openUntilEnd(t, server.url())
    await store.commit([insert(claims, claim('a')), insert(things, thing(1, { code: 'x' }))])
    const outcome = await store.commit([insert(claims, claim('a')), remove(claims, 'a', always)])
    t.deepEqual(outcome, { ok: false, conflict: { collection: claims.name, key: 'id' } })
    const borrowed = await store.commit([insert(things, thing(2, { code: 'x' })), remove(things, 2, always)])
    t.deepEqual(borrowed, { ok: false, conflict: { collection: things.name, key: 'code' } })
    t.true((await store.commit([insert(claims, claim('b')), remove(claims, 'b', always)])).ok)
    t.not(await store.find(byId(claims, 'a')), null)
  })

  test('of two commits that each guard the record of the other, one fails', async (t) => {
    const url = server.url()
    const [one, other] = [await openUntilEnd(t, url), await openUntilEnd(t, url)]
    for (let round = 0; round < 20; round += 1) {
      const [a, b] = [`a${round}`, `b${round}`]
      await one.commit([a, b].map((id) => insert(accounts, account(id, { usesLeft: 1 }))))
      const leave = (id: string, guarded: string): Change[] => [
        check(accounts, guarded, eq('usesLeft', 1)),
        patch(accounts, id, { set: { usesLeft: 0 }, when: always }),
      ]
      const outcomes = await Promise.all([one.commit(leave(a, b)), other.commit(leave(b, a))])
      t.is(outcomes.filter(({ ok }) => ok).length, 1)
    }
  })
}

const withoutReads = (server: ReplicaSet): void => {
  const openCounting = async (t: ExecutionContext, url: string) => {
    const commands: string[] = []
    const { connect } = MongoClient.prototype
    MongoClient.prototype.connect = function (this: MongoClient) {
      this.on('commandStarted', ({ commandName, command }) => {
        if (`${command[commandName]}`.startsWith('test.')) commands.push(commandName)
      })
      return connect.call(this)
    }
    try {
      return { store: await openUntilEnd(t, `${url}&monitorCommands=true`), commands }
    } finally {
      MongoClient.prototype.connect = connect
    }
  }
  const rename = (id: string, note: string, was: string | null) => [
    patch(claims, id, { set: { note }, when: eq('note', was) }),
  ]

  test.serial('writes records that it has inserted or found without reading them again', async (t) => {
    const url = server.url()
    const [{ store, commands }, other] = [await openCounting(t, url), await openUntilEnd(t, url)]
    await store.commit([insert(claims, claim('a', { note: 'x' }))])
    commands.length = 0
    t.true((await store.commit(rename('a', 'y', 'x'))).ok)
    t.deepEqual(commands, ['update'])

    t.is((await store.find(byId(claims, 'a')))?.note, 'y')
    commands.length = 0
    const outcomes = [store.commit(rename('a', 'z', 'y')), store.commit([insert(things, thing(1))])]
    for (const outcome of await Promise.all(outcomes)) t.true(outcome.ok)
    t.false(commands.includes('find') || commands.includes('aggregate'))

    t.is((await store.find(byId(claims, 'a')))?.note, 'z')
    t.true((await other.commit(rename('a', 'theirs', 'z'))).ok)
    commands.length = 0
    t.deepEqual(await store.commit(rename('a', 'ours', 'z')), { ok: false, stale: [claims.name, 'a'] })
    t.true((await store.commit(rename('a', 'ours', 'theirs'))).ok)
    t.is((await other.find(byId(claims, 'a')))?.note, 'ours')
  })

  test('rejects no commit by a record that another process has changed since it was found', async (t) => {
    const url = server.url()
    const [one, other] = [await openUntilEnd(t, url), await openUntilEnd(t, url)]
    await one.commit([insert(claims, claim('a', { note: 'x' }))])
    t.true((await other.commit(rename('a', 'y', 'x'))).ok)
    t.true((await one.commit(rename('a', 'z', 'y'))).ok)
    await other.commit([remove(claims, 'a', always)])
    t.true((await one.commit([insert(claims, claim('a', { note: 'new' }))])).ok)
  })
}

const audit = async (t: ExecutionContext, store: Store): Promise<void> => {
  for (const from of thingCollections) {
    const records: Rec[] = []
    for await (const record of store.scan<Rec>(from, always)) records.push(record)
    for (const [key, textOf] of Object.entries(from.keys ?? {})) {
      const texts = records.map(textOf).filter((text) => text !== null)
      t.is(new Set(texts).size, texts.length)
      for (const record of records) {
        const is = textOf(record)
        if (is !== null) t.deepEqual(await store.find<Rec>({ kind: 'find', from, by: { key, is } }), record)
      }
    }
  }
  t.deepEqual((await verifyTallies(store, thingCollections)).faults, [])
}

/** The number of random commits for each of three places, and of batches for each of three stores. */
const [SINGLE, BESIDE] = FULL ? [120, 50] : [25, 12]

const properties = (server: ReplicaSet): void => {
  test('any single commit has the result of the interpreter', async (t) => {
    const url = server.url()
    const store = await openUntilEnd(t, url)
    const model = memoryStore(thingCollections)
    const drawn = fc.tuple(...[0, 1, 2].map((index) => randomBatches(placeOf(index), SINGLE, 1)))
    const property = fc.asyncProperty(drawn, async (places) => {
      const commit = (on: Store, { changes, hook }: PendingCommit) =>
        on.commit(changes, hook).then(
          (outcome) => ({ ...outcome, taken: null }),
          () => 'rejected',
        )
      for (const [pending] of places.flat()) {
        if (!pending) continue
        t.deepEqual(await commit(store, pending), await commit(model, pending), JSON.stringify(pending))
      }
    })
    await fc.assert(property, { numRuns: 1, endOnFailure: true })
    for (const from of thingCollections) {
      const all = { kind: 'list', from, where: always, limit: 500 } as const
      t.deepEqual(await store.list<Rec>(all), await model.list<Rec>(all))
    }
    await audit(t, store)
  })

  test('keys and tallies agree with the records after random commits of three stores', async (t) => {
    const url = server.url()
    const stores = [await openUntilEnd(t, url), await openUntilEnd(t, url), await openUntilEnd(t, url)]
    const drawn = fc.tuple(...[0, 1, 2].map(() => randomBatches(placeOf(0), BESIDE, 3)))
    const property = fc.asyncProperty(drawn, async (each) => {
      await Promise.all(
        each.map(async (batches, index) => {
          for (const batch of batches)
            await Promise.allSettled(batch.map(({ changes, hook }) => stores[index]?.commit(changes, hook)))
        }),
      )
    })
    await fc.assert(property, { numRuns: 1, endOnFailure: true })
    for (const store of stores) await audit(t, store)
  })
}

onReplicaSet(test, (server) => {
  batches(server)
  assumptions(server)
  withoutReads(server)
  properties(server)
})
