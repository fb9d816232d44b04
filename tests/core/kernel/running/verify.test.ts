import test from 'ava'
import { memoryRecords, memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { always, insert, patch, remove } from '../../../../core/kernel/records/record.ts'
import { verifyKeys } from '../../../../core/kernel/running/verify.ts'
import { byKey, type Store } from '../../../../core/ports/store.ts'
import { claims, thing, things } from '../../../fixtures/things.ts'

const collections = [things, claims]
const code = (id: number, value: string | null) => patch(things, id, { set: { code: value }, when: always })

/** Three records of one code, of before it was unique. */
const collided = async (): Promise<Store> => {
  const records = memoryRecords()
  const before = memoryStore([{ ...things, keys: {} }], { records })
  await before.commit([3, 1, 2].map((id) => insert(things, thing(id, { code: 'Ana Souza', document: `${id}` }))))
  await before.close()
  return memoryStore(collections, { records })
}

test("records with a duplicate key are reported by names and ids, without the key's text", async (t) => {
  const store = await collided()
  t.deepEqual(await verifyKeys(store, collections), {
    area: 'keys',
    figures: { keys: 2, texts: 6 },
    faults: [2, 3].map(
      (id) =>
        `test.things/${id}: its code is also that of test.things/1, which is found by it: change or remove one of them`,
    ),
  })
})

test('a duplicate is reported until one record alone has the key and is found by it', async (t) => {
  const store = await collided()
  const faults = async () => (await verifyKeys(store, collections)).faults
  await store.commit([code(1, 'b'), remove(things, 3, always)])
  t.deepEqual(await faults(), ['test.things/2: no record is found by its code: change the code and set it again'])
  await store.commit([code(2, null), code(2, 'Ana Souza')])
  t.deepEqual(await faults(), [])
})

test('a key that moves during the verification is no fault', async (t) => {
  const store = memoryStore(collections)
  await store.commit([insert(things, thing(1, { code: 'a' })), insert(things, thing(2))])
  let looked = 0
  const find: Store['find'] = async (ask) => {
    looked += 1
    await store.commit([code(1, null), code(2, 'a')])
    return store.find(ask)
  }
  t.deepEqual((await verifyKeys({ ...store, find }, collections)).faults, [])
  t.is(looked, 1)
  t.is((await store.find(byKey(things, 'code', 'a')))?.id, 2)
})
