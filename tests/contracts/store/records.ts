import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { always, at, eq, gte, insert, patch, remove } from '../../../core/kernel/records/record.ts'
import { byId, byKey, groupOf, listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { account, accounts, claim, claims, type Thing, thing, thingCollections, things } from '../../fixtures/things.ts'
import type { Case } from './store-contract.ts'

const full: Thing = {
  id: 7,
  shopId: 'café',
  name: 'São João 😀 \u{FFFD} "aspas" it\'s \\ % _',
  status: '',
  document: '123',
  code: ' ',
  valueCents: Number.MAX_SAFE_INTEGER,
  size: Number.MIN_SAFE_INTEGER,
  weight: 0.1,
  active: false,
  createdDay: '2026-11-21',
  labels: ['b', 'a', 'ção', '😀'],
  points: [3, 0, -1.5],
  address: { city: 'Paraná', number: null },
  search: 'linha\nlinha\ttab',
  removedAt: null,
}

/** Rules of stored values, patches, guards and removals. */
export const storeRecords = (check: Case): void => {
  kept(check)
  patches(check)
  life(check)
}

const kept = (check: Case): void => {
  check('lists its collections, if it does', async ({ collections }) => {
    if (collections) deepEqual([...collections].sort(), thingCollections.map(({ name }) => name).sort())
  })

  check('stores every kind of value unchanged', async (store) => {
    const empty = thing(8, { shopId: null, labels: [], points: [], weight: 1e21 })
    ok((await store.commit([insert(things, full), insert(things, empty)])).ok)
    deepEqual(await store.find(byId(things, 7)), full)
    deepEqual(await store.find(byId(things, 8)), empty)
    deepEqual(await store.find(byKey(things, 'document', 'café|123')), full)
    equal(await store.find(byId(things, 9)), null)
    equal(await store.find(byKey(things, 'document', 'cafe|123')), null)
  })

  check('distinguishes text ids from numbers, and similar ids', async (store) => {
    const ids = ['7', '07', '7 ', 'é', 'e', 'É', '😀', 'a/b', 'a.b', '$a', '', '%', "o'"]
    ok((await store.commit(ids.map((id) => insert(claims, claim(id, { note: `of ${id}` }))))).ok)
    for (const id of ids) equal((await store.find(byId(claims, id)))?.note, `of ${id}`)
    equal(await store.find(byId(claims, 7)), null)
    ok((await store.commit([insert(things, thing(7))])).ok)
    equal(await store.find(byId(things, '7')), null)
  })

  check('stores only the fields of the codec', async (store) => {
    ok((await store.commit([insert(things, { ...thing(1), extra: 'x' } as Thing)])).ok)
    deepEqual(await store.find(byId(things, 1)), thing(1))
  })

  check('returns read-only results: no caller changes a stored record or a later result', async (store) => {
    const given = structuredClone(full)
    ok((await store.commit([insert(things, given)])).ok)
    spoil(given)
    const queries = {
      found: byId(things, 7),
      keyed: byKey(things, 'document', `${full.shopId}|${full.document}`),
      page: listOf(things, { where: always, limit: 1, total: true }),
      counted: groupOf(things, { where: always, by: ['shopId'], sum: ['valueCents'] }),
    }
    const first = await store.read(queries)
    deepEqual(first.found, full)
    deepEqual(first.page.records, [full])
    const expected = structuredClone(first)
    for (const result of [first, await store.read(queries), await store.find(queries.found)]) spoil(result)
    deepEqual(await store.read(queries), expected)
    ok((await store.commit([patch(things, 7, { set: { size: 1 }, when: always })])).ok)
    spoil(await store.find(queries.found))
    deepEqual(await store.find(queries.found), { ...full, size: 1 })
  })

  check('has the committed records after it is opened again', async (store, opened) => {
    ok((await store.commit([insert(things, full), insert(accounts, account('a'))])).ok)
    ok((await store.commit([patch(accounts, 'a', { add: { seq: 2 }, when: always })])).ok)
    const again = (await opened.reopen?.()) ?? store
    deepEqual(await again.find(byId(things, 7)), full)
    equal((await again.find(byId(accounts, 'a')))?.seq, 2)
    const outcome = await again.commit([insert(things, thing(8, { shopId: 'café', document: '123' }))])
    deepEqual(outcome, { ok: false, conflict: { collection: things.name, key: 'document' } })
  })

  check('closing finishes the waiting commits', async (store, opened) => {
    const waiting = Array.from({ length: 160 }, (_, id) =>
      store.commit([insert(claims, claim(`${id}`)), insert(things, thing(id))]),
    )
    await Promise.all([store.close(), store.close()])
    for (const outcome of await Promise.all(waiting)) ok(outcome.ok)
    const again = await opened.reopen?.()
    if (again) equal((await again.list(listOf(claims, { where: always, limit: 1, total: true }))).total, 160)
  })

  check('is unavailable once it is closed', async (store) => {
    await store.close()
    await rejects(store.commit([insert(claims, claim('x'))]), StoreUnavailable)
    await rejects(store.find(byId(claims, 'x')), StoreUnavailable)
  })
}

/** Changes all that can be changed: a store returns copies or frozen values. */
const spoil = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(spoil)
  for (const field of Object.keys(value)) Reflect.set(value, field, 'spoilt')
  Reflect.set(value, 'spoilt', true)
}

const patches = (check: Case): void => {
  check('patches set, add and max', async (store) => {
    await store.commit([insert(things, full)])
    const set = { name: null, active: true, labels: ['novo'], address: { city: 'Itu', number: 5 }, size: 10 }
    const outcome = await store.commit([
      patch(things, 7, { set, add: { valueCents: -1, size: 5 }, max: { createdDay: '2026-11-30' }, when: always }),
    ])
    ok(outcome.ok)
    const patched = { ...full, ...set, size: 15, valueCents: Number.MAX_SAFE_INTEGER - 1, createdDay: '2026-11-30' }
    deepEqual(await store.find(byId(things, 7)), patched)
  })

  check('add and max treat null as absent', async (store) => {
    await store.commit([insert(things, thing(1)), insert(things, thing(2, { size: 5 }))])
    const change = { add: { valueCents: -30 }, max: { size: -5, name: '' }, when: always }
    ok((await store.commit([patch(things, 1, change)])).ok)
    ok((await store.commit([patch(things, 2, { max: { size: 4 }, when: always })])).ok)
    deepEqual(await store.find(byId(things, 1)), thing(1, { valueCents: -30, size: -5, name: '' }))
    equal((await store.find(byId(things, 2)))?.size, 5)
  })

  check('max compares texts by code point', async (store) => {
    await store.commit([insert(things, thing(1, { name: '\u{FFFD}', search: 'z' }))])
    ok((await store.commit([patch(things, 1, { max: { name: '😀', search: 'Z' }, when: always })])).ok)
    deepEqual(await store.find(byId(things, 1)), thing(1, { name: '😀', search: 'z' }))
  })

  check('applies the changes of a commit in order', async (store) => {
    const outcome = await store.commit([
      insert(things, thing(1, { size: 1 })),
      patch(things, 1, { add: { size: 4 }, when: eq('size', 1) }),
      patch(things, 1, { add: { size: 5 }, when: eq('size', 5) }),
      insert(things, thing(2)),
      remove(things, 2, always),
      insert(claims, claim('c', { note: 'one' })),
      remove(claims, 'c', eq('note', 'one')),
      insert(claims, claim('c', { note: 'two' })),
    ])
    ok(outcome.ok)
    equal((await store.find(byId(things, 1)))?.size, 10)
    equal(await store.find(byId(things, 2)), null)
    equal((await store.find(byId(claims, 'c')))?.note, 'two')
  })
}

const life = (check: Case): void => {
  check('a guard fails on the stored record, and Stale names it', async (store) => {
    await store.commit([insert(things, thing(1, { size: 3 }))])
    const when = gte('size', 4)
    const stale = { ok: false, stale: at(things, 1) }
    deepEqual(await store.commit([patch(things, 1, { set: { name: 'x' }, when })]), stale)
    deepEqual(await store.commit([{ kind: 'check', at: at(things, 1), when }]), stale)
    deepEqual(await store.commit([remove(things, 1, when)]), stale)
    const absent = { ok: false, stale: at(claims, 'none') }
    deepEqual(await store.commit([patch(claims, 'none', { set: { note: 'x' }, when: always })]), absent)
    deepEqual(await store.commit([{ kind: 'check', at: at(claims, 'none'), when: always }]), absent)
    deepEqual(await store.commit([remove(claims, 'none', always)]), absent)
    deepEqual(await store.find(byId(things, 1)), thing(1, { size: 3 }))
    equal(await store.find(byId(claims, 'none')), null)
  })

  check('a guard on a null field is true only for `eq` null and `not`', async (store) => {
    await store.commit([insert(things, thing(1))])
    equal((await store.commit([{ kind: 'check', at: at(things, 1), when: gte('size', -9) }])).ok, false)
    ok((await store.commit([{ kind: 'check', at: at(things, 1), when: { not: gte('size', -9) } }])).ok)
    ok((await store.commit([patch(things, 1, { set: { size: 1 }, when: eq('size', null) })])).ok)
    equal((await store.commit([patch(things, 1, { set: { size: 2 }, when: eq('size', null) })])).ok, false)
  })

  check('a removed id can be inserted again', async (store) => {
    await store.commit([insert(things, full)])
    deepEqual(await store.commit([insert(things, thing(7))]), {
      ok: false,
      conflict: { collection: things.name, key: 'id' },
    })
    ok((await store.commit([remove(things, 7, always)])).ok)
    equal(await store.find(byId(things, 7)), null)
    equal(await store.find(byKey(things, 'document', 'café|123')), null)
    ok((await store.commit([insert(things, thing(7))])).ok)
    deepEqual(await store.find(byId(things, 7)), thing(7))
  })

  check('an empty commit succeeds', async (store) => {
    ok((await store.commit([])).ok)
  })
}
