import { deepEqual } from 'node:assert/strict'
import test from 'ava'
import { queryCache } from '../../../adapters/sqlite/cache.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { insert, patch, remove } from '../../../core/kernel/records/change.ts'
import { always, eq } from '../../../core/kernel/records/where.ts'
import { byId, byKey, groupOf, listOf, type Store } from '../../../core/ports/store.ts'
import { anyBatches } from '../../contracts/random/batches.ts'
import { claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'
import { someFile } from './file.ts'

/** Two stores on one file. */
const twoStores = async () => {
  const { path, remove: removeFile } = await someFile()
  const stores = [await sqliteStore(path, thingCollections), await sqliteStore(path, thingCollections)] as const
  const end = async () => {
    for (const store of stores) await store.close()
    await removeFile()
  }
  return { stores, end }
}

/** One that both write in turns, and that both are asked for: what each has kept is what the other has left. */
const together = ([one, other]: readonly [Store, Store]): Store => {
  let turn = 0
  const next = (): Store => {
    turn += 1
    return turn % 2 === 0 ? one : other
  }
  const both = async <A>(ask: (store: Store) => Promise<A>): Promise<A> => {
    const answer = await ask(one)
    deepEqual(await ask(other), answer)
    return answer
  }
  return {
    ...one,
    find: (asked) => both((store) => store.find(asked)),
    list: (asked) => both((store) => store.list(asked)),
    group: (asked) => both((store) => store.group(asked)),
    read: (asked) => both((store) => store.read(asked)),
    commit: (changes, hook) => next().commit(changes, hook),
    reserve: (collection, count) => next().reserve(collection, count),
  }
}

test('whatever two stores on one file write, each is told what is there', async (t) => {
  const { stores, end } = await twoStores()
  await anyBatches(together(stores))
  await end()
  t.pass()
})

test('what is kept of a record, of a key, of a list and of what was counted is told anew once it was written', async (t) => {
  const { stores, end } = await twoStores()
  const [own, others] = stores
  const mine = listOf(things, { where: eq('shopId', 'a'), limit: 10, total: true })
  const seen = async () => {
    const { one, keyed, page, counted } = await own.read({
      one: byId(things, 1),
      keyed: byKey(things, 'document', 'a|1'),
      page: mine,
      counted: groupOf(things, { where: always, by: ['shopId'], sum: ['valueCents'] }),
    })
    return [one?.name ?? null, keyed?.id ?? null, page.total, page.records.map(({ name }) => name), counted]
  }
  for (const writer of [own, others]) {
    t.true(
      (await writer.commit([insert(things, thing(1, { shopId: 'a', document: '1', name: 'um', valueCents: 1 }))])).ok,
    )
    const first = await seen()
    t.deepEqual(await seen(), first)
    t.deepEqual(first.slice(0, 4), ['um', 1, 1, ['um']])
    t.true((await writer.commit([patch(things, 1, { set: { name: 'dois', document: '2' }, when: always })])).ok)
    t.deepEqual((await seen()).slice(0, 4), ['dois', null, 1, ['dois']])
    t.true((await writer.commit([remove(things, 1, always)])).ok)
    t.deepEqual(await seen(), [null, null, 0, [], []])
  }
  await end()
})

test('a commit that breaks changes nothing of what is told', async (t) => {
  const { stores, end } = await twoStores()
  const [store] = stores
  t.true((await store.commit([insert(claims, claim('a', { note: 'first' }))])).ok)
  t.is((await store.find(byId(claims, 'a')))?.note, 'first')
  const broken = [patch(claims, 'a', { set: { note: 'second' }, when: always }), insert(claims, claim('a'))]
  t.false((await store.commit(broken)).ok)
  t.is((await store.find(byId(claims, 'a')))?.note, 'first')
  t.is(await store.find(byId(claims, 'b')), null)
  t.true((await store.commit([insert(claims, claim('b'))])).ok)
  t.is((await store.find(byId(claims, 'b')))?.id, 'b')
  await end()
})

test('what is asked for counts as what is answered: long words for what there is not are not kept for ever', (t) => {
  const cache = queryCache({ dataVersion: () => 1 })
  const word = (at: number) => `${at}`.padStart(10_000, '-')
  const asks = [
    (at: number) => byKey(things, 'document', word(at)),
    (at: number) => byId(claims, word(at)),
    (at: number) => listOf(things, { where: eq('shopId', word(at)), limit: 10 }),
  ]
  for (const ask of asks) {
    cache.clear()
    for (let at = 0; at < 1_000; at += 1)
      cache.put(ask(at), ask(at).kind === 'list' ? { records: [], total: null } : null, 0)
    t.is(cache.get(ask(0)), undefined)
    t.not(cache.get(ask(999)), undefined)
    cache.put(ask(0), ask(0).kind === 'list' ? { records: [], total: null } : null, 0)
    t.not(cache.get(ask(0)), undefined)
  }
  const endless = byId(claims, '-'.repeat(100_000))
  cache.put(endless, null, 0)
  t.is(cache.get(endless), undefined)
})
