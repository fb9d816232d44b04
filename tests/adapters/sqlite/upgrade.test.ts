import test from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { type AnyCollection, always, type Collection, eq, gt, insert } from '../../../core/kernel/records/record.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { claim, claims, type Thing, thing, thingCollections, things } from '../../fixtures/things.ts'
import { newerCollections, newerThings } from '../mongodb/newer-things.ts'
import { newer, stands, upgradeTests } from '../upgrade-tests.ts'
import { fileFor, openingThrough, openUntilEnd } from './file.ts'

upgradeTests('sqlite', async (t) => {
  const path = await fileFor(t)
  return (collections, superseded = () => {}) => openUntilEnd(t, path, collections, { superseded })
})

const { conditions: _c, keys: _k, indexes: _i, tallies: _t, ...plain } = things
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

const recordsOf = async (store: Store) => (await store.list(listOf(things, { where: always, limit: 9 }))).records

/** Returns the version of the file, and the names of its tables and indexes. */
const laid = async (path: string) => {
  const database = await openDatabase(path)
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  const names = database.prepare(`SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`).all()
  database.close()
  return { version, names: names.map(({ name }) => String(name)).filter((name) => name.startsWith('test.')) }
}

test('changes nothing if the file is up to date', async (t) => {
  const path = await fileFor(t)
  await filled(path, [things, claims])
  const before = await laid(path)
  const store = await openUntilEnd(t, path, [things, claims])
  t.deepEqual(await recordsOf(store), made)
  t.deepEqual(await laid(path), before)
})

test('drops former indexes, keys and tallies', async (t) => {
  const path = await fileFor(t)
  await filled(path, [things])
  const changed: Collection<Thing> = {
    ...bare,
    conditions: { live: gt('valueCents', 6) },
    indexes: [{ sort: 'id', when: 'live' }],
    tallies: [{ by: ['status'], sum: [], when: 'live' }],
    keys: { status: ({ id, status }) => `${id} ${status}` },
  }
  await (await sqliteStore(path, [changed])).close()
  const { names } = await laid(path)
  t.deepEqual(names, ['test.things', 'test.things_index__id__live', 'test.things_key_status', 'test.things_tally_3'])
  await (await sqliteStore(path, [bare])).close()
  t.deepEqual((await laid(path)).names, ['test.things'])
})

test('leaves the collections of another program on the same file alone', async (t) => {
  const path = await fileFor(t)
  const ours = await openUntilEnd(t, path, [things])
  t.true((await ours.commit([insert(things, thing(1))])).ok)
  const theirs = await openUntilEnd(t, path, [claims])
  t.true((await theirs.commit([insert(claims, claim('x'))])).ok)
  t.true((await ours.commit([insert(things, thing(2))])).ok)
  t.is((await ours.find(byId(things, 1)))?.id, 1)
})

test('after a breaking upgrade a former process reserves no ids and reads no dropped index', async (t) => {
  const path = await fileFor(t)
  const older = await openUntilEnd(t, path, [things], { superseded: () => {} })
  t.true((await older.commit([insert(things, thing(1))])).ok)
  await (await sqliteStore(path, [bare])).close()
  const refused = { instanceOf: StoreUnavailable, message: /another release/ }
  await t.throwsAsync(older.reserve(things.name, 1), refused)
  t.is((await older.find(byId(things, 1)))?.id, 1)
  const page = listOf(things, { where: eq('shopId', 'loja'), sort: { by: 'name', dir: 'asc' }, limit: 1 })
  await t.throwsAsync(older.list(page), refused)
})

test('a process of the former release that writes nothing is told too', async (t) => {
  const path = await fileFor(t)
  let superseded: (line: string) => void = () => {}
  const line = new Promise<string>((resolve) => {
    superseded = resolve
  })
  await openUntilEnd(t, path, [things], { superseded: (text) => superseded(text) })
  await openUntilEnd(t, path, [bare])
  // The timer of the store keeps no process alive.
  const alive = setInterval(() => {}, 1_000)
  t.regex(await line, /another release/)
  clearInterval(alive)
})

test('a return to a former release ends processes of the one that had added an index', async (t) => {
  const path = await fileFor(t)
  const indexed: Collection<Thing> = { ...bare, indexes: [{ sort: 'name' }] }
  await filled(path, [bare])
  const lines: string[] = []
  const newer = await openUntilEnd(t, path, [indexed], { superseded: (line) => lines.push(line) })
  await openUntilEnd(t, path, [bare])
  await t.throwsAsync(newer.commit([insert(things, thing(9))]), { instanceOf: StoreUnavailable })
  t.is(lines.length, 1)
})

test('fills an upgraded field in its column', async (t) => {
  const path = await fileFor(t)
  const { upgrades: _, ...unfilled } = newerThings
  const before = await sqliteStore(path, [unfilled])
  await before.commit([newer(1), newer(2)])
  await before.close()
  const database = await openDatabase(path)
  database.prepare(`UPDATE "test.things" SET doc = json_remove(doc, '$.shelf'), f_shelf = NULL WHERE id < 2`).run()
  database.close()
  await stands(t, await openUntilEnd(t, path, newerCollections), [1, 2])
})

test('a process that is killed during the upgrade leaves the file as it was', async (t) => {
  const path = await fileFor(t)
  await filled(path, thingCollections)
  const before = await laid(path)
  const failing = openingThrough((sql, run) => {
    if (sql.startsWith('UPDATE "test.things"')) throw new Error('killed')
    return run()
  })
  await t.throwsAsync(sqliteStore(path, newerCollections, { open: failing }), { message: 'killed' })
  t.deepEqual(await laid(path), before)
  await stands(t, await openUntilEnd(t, path, newerCollections), [1, 2, 3])
})

test('an index over a field that the release between did not name is built again', async (t) => {
  const path = await fileFor(t)
  const named = { ...things, tallies: [], indexes: [{ sort: 'name' }] } as const
  for (const [at, collection] of [named, { ...named, indexes: [] }, named].entries()) {
    const store = await sqliteStore(path, [collection])
    await store.commit([insert(collection, thing(at, { name: `n${at}` }))])
    await store.close()
  }
  const store = await openUntilEnd(t, path, [named])
  const page = listOf(things, { where: eq('shopId', 'loja'), sort: { by: 'name', dir: 'desc' }, limit: 9 })
  t.true((await store.explain(page)).includes('test.things_index__name__'))
  const listed = (await store.list(page)).records.map(({ name }) => name)
  t.deepEqual(listed, ['n2', 'n1', 'n0'])
})

test('refuses a store that a release before the oldest has written', async (t) => {
  const path = await fileFor(t)
  await filled(path, [bare])
  const message =
    /^a release before 0\.10\.0 has written this store \(test\.things\): open it with release 0\.10\.0 until/
  const database = await openDatabase(path)
  database.prepare('UPDATE _shapes SET shape = ?').run(JSON.stringify({ ids: 'integer', fields: [], tallies: {} }))
  database.close()
  await t.throwsAsync(sqliteStore(path, [bare]), { message })
})
