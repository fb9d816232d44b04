import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import {
  all,
  always,
  eq,
  gt,
  check as guard,
  insert,
  isIn,
  not,
  patch,
  remove,
  type Where,
} from '../../../core/kernel/records/record.ts'
import { groupRecords } from '../../../core/kernel/records/tally.ts'
import { byId, byKey, groupOf, listOf, type Store } from '../../../core/ports/store.ts'
import { older, olderThings, strictThings, type Thing, thing, thingCollections, things } from '../../fixtures/things.ts'
import { assertNulls } from './queries.ts'
import type { Case, OpenedStore } from './store-contract.ts'
import { sortedRows } from './tallies.ts'

/** Rules of records of an older release: a missing field is null. */
export const storeOlderRecords = (check: Case): void => {
  reads(check)
  conditions(check)
  changes(check)
  guards(check)
}

const reads = (check: Case): void => {
  check('every reads returns null for a missing field', async (_store, opened) => {
    const made = [thing(1, { name: 'a', address: { city: 'Itu', number: 5 } }), thing(2, { shopId: null })]
    const store = await writtenBefore(opened, made)
    const expected = made.map(asRead)
    deepEqual(expected[0]?.address, { city: 'Itu', number: null })
    deepEqual(await store.find(byId(things, 1)), expected[0] ?? null)
    deepEqual((await store.list(listOf(things, { where: always, limit: 9 }))).records, expected)
    const { one, some } = await store.read({
      one: byId(things, 2),
      some: listOf(things, { where: eq('name', 'a'), limit: 9 }),
    })
    deepEqual([one, some.records], [expected[1] ?? null, [expected[0] as Thing]])
    const scanned: Thing[] = []
    for await (const record of store.scan(things, isIn('id', [1, 2]))) scanned.push(record)
    for await (const record of store.scan(things, eq('shopId', 'loja'))) scanned.push(record)
    deepEqual(scanned, [...expected, expected[0] as Thing])
  })
}

const conditions = (check: Case): void => {
  check('a condition takes a missing field as null', async (_store, opened) =>
    assertNulls(await writtenBefore(opened, [thing(1)])),
  )
}

const changes = (check: Case): void => {
  check('a record with missing fields is patched, counted, taken from and removed', async (_store, opened) => {
    const store = await writtenBefore(
      opened,
      [1, 2, 3, 4].map((id) => thing(id, { name: `n${id}` })),
    )
    const outcome = await store.commit([
      patch(things, 1, { set: { name: 'x' }, when: eq('size', null) }),
      patch(things, 2, {
        set: { status: 'open', labels: ['a'] },
        add: { size: 5 },
        max: { valueCents: -3 },
        when: always,
      }),
      insert(things, thing(5), { size: [[things.name, 2], 'size'], status: [[things.name, 1], 'status'] }),
      remove(things, 3, all(eq('active', null), not(eq('createdDay', '2026-01-01')))),
    ])
    ok(outcome.ok)
    const known = [
      thing(1, { name: 'x' }),
      thing(2, { name: 'n2', status: 'open', labels: ['a'], size: 5, valueCents: -3 }),
      thing(4, { name: 'n4' }),
      thing(5, { size: 5 }),
    ]
    deepEqual((await store.list(listOf(things, { where: always, limit: 9 }))).records, known)
    await groupsAlike(store, known)
  })

  check('a unique key of a missing field is null until the field is set', async (_store, opened) => {
    const store = await writtenBefore(opened, [thing(1), thing(2), thing(3, { shopId: null })])
    const name = (id: number, document: string) =>
      patch(things, id, { set: { document, code: `c${id}` }, when: always })
    ok((await store.commit([name(1, 'd'), name(3, 'd')])).ok)
    deepEqual(await store.commit([name(2, 'd')]), {
      ok: false,
      conflict: { collection: things.name, key: 'document' },
    })
    equal((await store.find(byKey(things, 'document', 'loja|d')))?.id, 1)
    equal(await store.find(byKey(things, 'code', 'c2')), null)
    ok((await store.commit([remove(things, 1, always), name(2, 'd')])).ok)
    equal((await store.find(byKey(things, 'document', 'loja|d')))?.id, 2)
  })
}

const guards = (check: Case): void => {
  check('a guard takes a missing field as null', async (_store, opened) => {
    const store = await writtenBefore(opened, [thing(1)])
    const stale = { ok: false, stale: [things.name, 1] }
    ok((await store.commit([guard(things, 1, all(eq('size', null), eq('labels', null)))])).ok)
    deepEqual(await store.commit([guard(things, 1, gt('size', 0))]), stale)
    deepEqual(await store.commit([patch(things, 1, { set: { name: 'x' }, when: not(eq('size', null)) })]), stale)
    deepEqual(await store.find(byId(things, 1)), thing(1))
  })

  check('a patch must set a missing field that cannot be null', async (_store, opened) => {
    await writtenBefore(opened, [thing(1)])
    const store = await opened.as([strictThings])
    const unnamed = patch(things, 1, { set: { name: 'x' }, when: always })
    await rejects(store.commit([unnamed]), { message: 'test.things/1 does not decode: .status' })
    ok((await store.commit([patch(things, 1, { set: { status: 'open' }, when: always })])).ok)
  })
}

/** Returns a thing as reads after an older release wrote it. */
export const asRead = (made: Thing): Thing => {
  const { address, ...fields } = older(made)
  return thing(made.id, { ...fields, address: address && { ...address, number: null } })
}

/** Writes things as an older release, and opens the store of this one. */
export const writtenBefore = async (opened: OpenedStore, made: readonly Thing[]): Promise<Store> => {
  ok((await opened.store.commit(made.map((one) => insert(olderThings, older(one))))).ok)
  return opened.as(thingCollections)
}

/** Asserts groups by fields that some records lack, from tallies and from records. */
export const groupsAlike = async (store: Store, known: readonly Thing[]): Promise<void> => {
  const live = known.filter(({ removedAt }) => removedAt === null)
  const byRecords: Where<keyof Thing> = not(eq('id', -1))
  for (const where of [always, byRecords]) {
    for (const by of [['status'], ['active'], ['shopId', 'status', 'createdDay'], ['size', 'name']] as const) {
      const ask = { where, by: [...by], sum: ['valueCents'] as const }
      const all = await store.group(groupOf(things, ask))
      deepEqual(sortedRows(all), sortedRows(groupRecords(known, by, ['valueCents'])), by.join())
      const some = await store.group(groupOf(things, { ...ask, when: 'live' }))
      deepEqual(sortedRows(some), sortedRows(groupRecords(live, by, ['valueCents'])), `live ${by.join()}`)
    }
  }
}
