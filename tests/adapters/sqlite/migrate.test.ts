import test from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { type SqliteStore, sqliteStore } from '../../../adapters/sqlite/store.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import type { AnyCollection, Collection } from '../../../core/kernel/records/collection.ts'
import { all, always, eq, gt } from '../../../core/kernel/records/where.ts'
import { byId, byKey, groupOf, listOf, StoreUnavailable } from '../../../core/ports/store.ts'
import { claim, claims, older, olderThings, type Thing, thing, things } from '../../fixtures/things.ts'
import { someFile } from './file.ts'

const { conditions: _c, keys: _k, indexes: _i, tallies: _t, ...plain } = things
/** The same records with nothing beside them. */
const bare: Collection<Thing> = plain

const made = [
  thing(1, { status: 'open', valueCents: 5, active: true, document: 'a' }),
  thing(2, { status: 'paid', valueCents: 7, active: false, document: 'b', removedAt: '2026-01-01' }),
  thing(3, { status: 'open', valueCents: null, active: null }),
]

const filled = async (path: string, collections: readonly AnyCollection[]): Promise<void> => {
  const store = await sqliteStore(path, collections)
  await store.commit(made.map((one) => insert(things, one)))
  await store.close()
}

const settledStore = async (path: string, collections: readonly AnyCollection[]): Promise<SqliteStore> => {
  const store = await sqliteStore(path, collections)
  await store.settled()
  return store
}

const heard = <T>() => {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** What lies in the file: its version, and what it holds beside the records. */
const laid = async (path: string) => {
  const database = await openDatabase(path)
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  const names = database.prepare(`SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`).all()
  database.close()
  return { version, names: names.map(({ name }) => String(name)).filter((name) => name.startsWith('test.')) }
}

test('opening the same again changes nothing', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await filled(path, [things, claims])
  const before = await laid(path)
  const store = await sqliteStore(path, [things, claims])
  t.deepEqual((await store.list(listOf(things, { where: always, limit: 9 }))).records, made)
  await store.close()
  t.deepEqual(await laid(path), before)
})

test('what is new is made from the records that are there', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await filled(path, [bare])
  const store = await settledStore(path, [things])
  t.deepEqual((await store.list(listOf(things, { where: always, limit: 9 }))).records, made)
  const page = listOf(things, {
    where: all(eq('shopId', 'loja'), eq('active', true)),
    limit: 9,
    sort: { by: 'valueCents', dir: 'asc' },
  })
  t.true((await store.explain(page)).includes('test.things_index_active_valueCents__'))
  t.deepEqual((await store.list(page)).records, [made[0]])
  const byStatus = groupOf(things, { where: eq('shopId', 'loja'), when: 'live', by: ['status'], sum: ['valueCents'] })
  t.true((await store.explain(byStatus)).includes('test.things_tally_0'))
  t.deepEqual(await store.group(byStatus), [{ by: { status: 'open' }, count: 2, sums: { valueCents: 5 } }])
  t.deepEqual(await store.find(byKey(things, 'document', 'loja|a')), made[0] ?? null)
  t.is(await store.find(byKey(things, 'document', 'loja|b')), null)
  const twice = await store.commit([insert(things, thing(4, { document: 'a' }))])
  t.deepEqual(twice, { ok: false, conflict: { collection: 'test.things', key: 'document' } })
  await store.close()
})

test('a key, an index and a tally over a field that older records lack take it for null', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const before = await sqliteStore(path, [olderThings])
  await before.commit([1, 2].map((id) => insert(olderThings, older(thing(id)))))
  await before.close()
  const keyed: Collection<Thing> = {
    ...things,
    keys: { size: ({ shopId, size }) => (size === null ? null : `${shopId}|${size}`) },
    indexes: [{ sort: 'size' }],
    tallies: [{ by: ['shopId', 'size'], sum: ['valueCents'] }],
  }
  const store = await settledStore(path, [keyed])
  const sized = (id: number) => store.commit([patch(keyed, id, { set: { size: 5 }, when: eq('size', null) })])
  t.true((await sized(1)).ok)
  t.deepEqual(await sized(2), { ok: false, conflict: { collection: 'test.things', key: 'size' } })
  const bySize = groupOf(keyed, { where: eq('shopId', 'loja'), by: ['size'], sum: ['valueCents'] })
  t.true((await store.explain(bySize)).includes('test.things_tally_0'))
  t.deepEqual(await store.group(bySize), [
    { by: { size: null }, count: 1, sums: { valueCents: 0 } },
    { by: { size: 5 }, count: 1, sums: { valueCents: 0 } },
  ])
  const sorted = listOf(keyed, { where: eq('shopId', 'loja'), sort: { by: 'size', dir: 'desc' }, limit: 9 })
  t.deepEqual((await store.list(sorted)).records, [thing(1, { size: 5 }), thing(2)])
  await store.close()
})

test('what has changed is made anew, and what is gone is dropped', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await filled(path, [things])
  const changed: Collection<Thing> = {
    ...bare,
    conditions: { live: gt('valueCents', 6) },
    indexes: [{ sort: 'id', when: 'live' }],
    tallies: [{ by: ['status'], sum: [], when: 'live' }],
    keys: { status: ({ id, status }) => `${id} ${status}` },
  }
  const store = await settledStore(path, [changed])
  t.deepEqual(await store.group(groupOf(changed, { where: always, when: 'live', by: ['status'], sum: [] })), [
    { by: { status: 'paid' }, count: 1, sums: {} },
  ])
  const page = listOf(changed, { where: eq('shopId', 'loja'), when: 'live', limit: 9 })
  t.true((await store.explain(page)).includes('test.things_index__id__live'))
  t.deepEqual((await store.list(page)).records, [made[1]])
  t.deepEqual(await store.find(byKey(changed, 'status', '3 open')), made[2] ?? null)
  await store.close()
  const { names } = await laid(path)
  t.deepEqual(names, ['test.things', 'test.things_index__id__live', 'test.things_key_status', 'test.things_tally_0'])

  await (await sqliteStore(path, [bare])).close()
  t.deepEqual((await laid(path)).names, ['test.things'])
  const back = await settledStore(path, [things])
  t.deepEqual((await back.list(listOf(things, { where: always, limit: 9 }))).records, made)
  await back.close()
})

test('ids of another kind keep the program from starting, and the file as it was', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await filled(path, [bare])
  const before = await laid(path)
  await t.throwsAsync(sqliteStore(path, [{ ...bare, indexes: [{ sort: 'name' }], ids: 'text' }]), {
    message: /integer ids/,
  })
  t.deepEqual(await laid(path), before)
  await (await sqliteStore(path, [bare])).close()
})

test('another program on the same file brings its own collections and leaves ours alone', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const ours = await sqliteStore(path, [things])
  t.true((await ours.commit([insert(things, thing(1))])).ok)
  const theirs = await sqliteStore(path, [claims])
  t.true((await theirs.commit([insert(claims, claim('x'))])).ok)
  t.true((await ours.commit([insert(things, thing(2))])).ok)
  t.is((await ours.find(byId(things, 1)))?.id, 1)
  await Promise.all([ours.close(), theirs.close()])
})

test('an older program writes no more once a newer one has changed its tables, and is told so', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const lines: string[] = []
  const older = await sqliteStore(path, [things], { superseded: (line) => lines.push(line) })
  t.true((await older.commit([insert(things, thing(1))])).ok)
  const newer = await sqliteStore(path, [{ ...things, tallies: [{ by: ['status'], sum: [] }] }])
  t.true((await newer.commit([insert(things, thing(3))])).ok)
  const refused = { instanceOf: StoreUnavailable, message: /another release/ }
  await t.throwsAsync(older.commit([insert(things, thing(2))]), refused)
  await t.throwsAsync(older.reserve(things.name, 1), refused)
  t.is((await older.find(byId(things, 1)))?.id, 1)
  const dropped = await sqliteStore(path, [bare])
  const page = listOf(things, { where: eq('shopId', 'loja'), sort: { by: 'name', dir: 'asc' }, limit: 1 })
  await t.throwsAsync(older.list(page), refused)
  await dropped.close()
  t.deepEqual(lines, [`${path}: another release has taken the store over`])
  await Promise.all([older.close(), newer.close()])
})

test('an older program that writes nothing is told as well', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const told = heard<string>()
  const older = await sqliteStore(path, [things], { superseded: told.resolve })
  const newer = await sqliteStore(path, [bare])
  t.regex(await told.promise, /another release/)
  await Promise.all([older.close(), newer.close()])
})
