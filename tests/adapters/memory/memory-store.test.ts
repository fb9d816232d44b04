import test from 'ava'
import { type Fault, memoryRecords, memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type AnyCollection, always, at, type Change, eq, insert, patch } from '../../../core/kernel/records/record.ts'
import { MAX_WAITING_COMMITS } from '../../../core/limits.ts'
import { byId, listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { storeContract } from '../../contracts/store/store-contract.ts'
import { claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'
import { contractTests } from '../contract-tests.ts'

const open = async (collections: readonly AnyCollection[]) => {
  const records = memoryRecords()
  let store = memoryStore(collections, { records })
  const as = async (others: readonly AnyCollection[]) => {
    await store.close()
    store = memoryStore(others, { records })
    return store
  }
  return { store, as, reopen: () => as(collections), close: () => store.close() }
}

contractTests(test, 'memory', storeContract({ open, shapes: true }))

test('rejects two collections of one name', (t) => {
  t.throws(() => memoryStore([claims, { ...claims }]), { message: /two collections/ })
})

test('returns deeply frozen records', async (t) => {
  const store = memoryStore(thingCollections)
  await store.commit([insert(things, thing(1, { address: { city: 'a', number: null }, labels: ['x'], size: -0 }))])
  const record = await store.find(byId(things, 1))
  t.true(Object.isFrozen(record) && Object.isFrozen(record?.address) && Object.isFrozen(record?.labels))
  t.is(record?.size, 0)
})

test('a page of an owner follows records that change owners', async (t) => {
  const store = memoryStore(thingCollections)
  await store.commit([1, 2, 3].map((id) => insert(things, thing(id))))
  await store.commit([patch(things, 2, { set: { shopId: 'other' }, when: always })])
  const of = async (shopId: string) =>
    (await store.list(listOf(things, { where: eq('shopId', shopId), limit: 9 }))).records.map(({ id }) => id)
  t.deepEqual([await of('loja'), await of('other'), await of('none')], [[1, 3], [2], []])
})

test('rejects commits beyond the limit of waiting ones, and accepts commits again afterwards', async (t) => {
  const store = memoryStore(thingCollections)
  const settled = await Promise.allSettled(
    Array.from({ length: MAX_WAITING_COMMITS + 1 }, (_, index) => store.commit([insert(claims, claim(`${index}`))])),
  )
  const rejected = settled.flatMap((one, index) => (one.status === 'rejected' ? [index] : []))
  t.deepEqual(rejected, [MAX_WAITING_COMMITS])
  t.true((await store.commit([insert(claims, claim('after'))])).ok)
})

test('a simulation can make a commit fail in four ways', async (t) => {
  const faults: (Fault | null)[] = ['stale', 'conflict', 'crash-before', 'crash-after', null]
  const asked: (readonly Change[])[] = []
  const fault = (changes: readonly Change[]): Fault | null => {
    asked.push(changes)
    return faults[asked.length - 1] ?? null
  }
  const store = memoryStore(thingCollections, { fault })
  const changes = [1, 2, 3, 4, 5].map((id) => [insert(things, thing(id))])
  const [stale, conflict, before, after, fine] = await Promise.allSettled(changes.map((one) => store.commit(one)))
  t.deepEqual(stale, { status: 'fulfilled', value: { ok: false, stale: at(things, 1) } })
  t.deepEqual(conflict, {
    status: 'fulfilled',
    value: { ok: false, conflict: { collection: things.name, key: 'id' } },
  })
  for (const crash of [before, after]) t.true(crash?.status === 'rejected' && crash.reason instanceof StoreUnavailable)
  t.true(fine?.status === 'fulfilled' && fine.value.ok)
  const left = await store.list(listOf(things, { where: always, limit: 9 }))
  const stored = left.records.map(({ id }) => id)
  t.deepEqual(stored, [4, 5])
  t.deepEqual(asked, changes)
})
