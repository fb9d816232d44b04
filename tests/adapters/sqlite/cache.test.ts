import { deepEqual } from 'node:assert/strict'
import test, { type ExecutionContext } from 'ava'
import { queryCache } from '../../../adapters/sqlite/cache.ts'
import { always, eq, insert, patch, remove } from '../../../core/kernel/records/record.ts'
import { byId, byKey, groupOf, listOf, type Store } from '../../../core/ports/store.ts'
import { anyBatches } from '../../contracts/random/batches.ts'
import { claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'
import { fileFor, openingThrough, openUntilEnd } from './file.ts'

const twoStores = async (t: ExecutionContext) => {
  const path = await fileFor(t)
  return [await openUntilEnd(t, path), await openUntilEnd(t, path)] as const
}

/** A store that writes through both in turns, and queries both, which must return the same result. */
const asOneStore = ([one, other]: readonly [Store, Store]): Store => {
  let turn = 0
  const next = (): Store => {
    turn += 1
    return turn % 2 === 0 ? one : other
  }
  const both = async <A>(query: (store: Store) => Promise<A>): Promise<A> => {
    const result = await query(one)
    deepEqual(await query(other), result)
    return result
  }
  return {
    ...one,
    find: (wanted) => both((store) => store.find(wanted)),
    list: (wanted) => both((store) => store.list(wanted)),
    group: (wanted) => both((store) => store.group(wanted)),
    read: (wanted) => both((store) => store.read(wanted)),
    commit: (changes, hook) => next().commit(changes, hook),
    reserve: (collection, count) => next().reserve(collection, count),
  }
}

test('two stores on one file return the same results, whichever of them writes', async (t) => {
  await anyBatches(asOneStore(await twoStores(t)))
  t.pass()
})

test('a cached record, key, list and group is read again after a write', async (t) => {
  const [own, others] = await twoStores(t)
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
})

test('a failed commit does not change cached results', async (t) => {
  const [store] = await twoStores(t)
  t.true((await store.commit([insert(claims, claim('a', { note: 'first' }))])).ok)
  t.is((await store.find(byId(claims, 'a')))?.note, 'first')
  const broken = [patch(claims, 'a', { set: { note: 'second' }, when: always }), insert(claims, claim('a'))]
  t.false((await store.commit(broken)).ok)
  t.is((await store.find(byId(claims, 'a')))?.note, 'first')
  t.is(await store.find(byId(claims, 'b')), null)
  t.true((await store.commit([insert(claims, claim('b'))])).ok)
  t.is((await store.find(byId(claims, 'b')))?.id, 'b')
})

test('a record is read again after a commit that failed although it was stored', async (t) => {
  let isFailing = false
  const open = openingThrough((sql, run) => {
    const result = run()
    if (isFailing && sql === 'COMMIT') throw new Error('disk I/O error')
    return result
  })
  const store = await openUntilEnd(t, await fileFor(t), thingCollections, { open })
  await store.commit([insert(claims, claim('a', { note: 'first' }))])
  t.is((await store.find(byId(claims, 'a')))?.note, 'first')
  await new Promise((resolve) => setImmediate(resolve))
  isFailing = true
  await t.throwsAsync(store.commit([patch(claims, 'a', { set: { note: 'second' }, when: always })]))
  isFailing = false
  t.is((await store.find(byId(claims, 'a')))?.note, 'second')
})

test('the keys of cached results count for the limit, also if nothing is found', (t) => {
  const cache = queryCache({ dataVersion: () => 1 })
  const longText = (at: number) => `${at}`.padStart(10_000, '-')
  const queries = [
    (at: number) => byKey(things, 'document', longText(at)),
    (at: number) => byId(claims, longText(at)),
    (at: number) => listOf(things, { where: eq('shopId', longText(at)), limit: 10 }),
  ]
  for (const query of queries) {
    cache.clear()
    for (let at = 0; at < 1_000; at += 1)
      cache.put(query(at), query(at).kind === 'list' ? { records: [], total: null } : null, 0)
    t.is(cache.get(query(0)), undefined)
    t.not(cache.get(query(999)), undefined)
    cache.put(query(0), query(0).kind === 'list' ? { records: [], total: null } : null, 0)
    t.not(cache.get(query(0)), undefined)
  }
  const endless = byId(claims, '-'.repeat(100_000))
  cache.put(endless, null, 0)
  t.is(cache.get(endless), undefined)
})
