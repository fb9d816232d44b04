import test from 'ava'
import { connect, openDatabase } from '../../../adapters/sqlite/connection.ts'
import { shapeOf } from '../../../adapters/sqlite/schema.ts'
import { type SqliteStore, sqliteStore } from '../../../adapters/sqlite/store.ts'
import { freshLaid, laidText } from '../../../adapters/sqlite/tables/laid.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { always, eq } from '../../../core/kernel/records/where.ts'
import { byKey, groupOf, listOf } from '../../../core/ports/store.ts'
import { thing, things } from '../../fixtures/things.ts'
import { someFile } from './file.ts'
import { heldOpen } from './held-open.ts'
import { type Later, later, laterThings } from './later-things.ts'

/** Writes down of a collection what 0.1.0 to 0.3.0 wrote, whose tables were those of a file that is begun today. */
const asEarlier = (collection: AnyCollection): string => {
  const { laid, indexes, tallies, keys } = shapeOf(collection, freshLaid(collection))
  return JSON.stringify({
    ids: collection.ids,
    fields: laid.columns,
    indexes: Object.fromEntries(indexes.map(({ name, create }) => [name, create])),
    tallies: Object.fromEntries(tallies.flatMap((one) => (one ? [[one.table, `${one.create}; ${one.fill}`]] : []))),
    keys: [...keys.values()],
  })
}

/** Leaves a file as an earlier release did, once `more` has changed it. */
const leaveEarlier = async (path: string, collection: AnyCollection, more: readonly string[]): Promise<void> => {
  const connection = connect(await openDatabase(path))
  for (const sql of more) connection.run(sql)
  connection.run('UPDATE _shapes SET shape = ? WHERE collection = ?', asEarlier(collection), collection.name)
  connection.run('DROP TABLE _places')
  connection.close()
}

const settled = async (path: string, collection: AnyCollection): Promise<SqliteStore> => {
  const store = await sqliteStore(path, [collection])
  await store.settled()
  return store
}

const byStatus = groupOf(things, { where: eq('shopId', 'loja'), when: 'live', by: ['status'], sum: [] })

test('what 0.3.0 left stands as far as it is the same: it is not made again', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const before = await sqliteStore(path, [things])
  await before.commit([1, 2].map((id) => insert(things, thing(id, { status: 'open', code: `c${id}` }))))
  await before.close()
  // What would not be there if it were counted or gathered once more.
  await leaveEarlier(path, things, [
    'UPDATE "test.things_tally_0" SET count = 90',
    `INSERT INTO "test.things_key_code" VALUES ('odd', 2)`,
  ])
  const [first, second, third] = things.tallies ?? []
  const moved = { ...things, tallies: [second, third, first].filter((row) => row !== undefined) }
  for (const collection of [things, moved]) {
    const store = await settled(path, collection)
    t.is((await store.group(byStatus))[0]?.count, 90)
    t.is((await store.find(byKey(things, 'code', 'odd')))?.id, 2)
    await store.close()
  }
})

test('what 0.3.0 left otherwise is made anew, under numbers that nobody has', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const { keys: _, ...unkeyed } = things
  const earlier: AnyCollection = { ...unkeyed, tallies: [{ by: ['status'], sum: [] }, ...(things.tallies ?? [])] }
  const before = await sqliteStore(path, [earlier])
  await before.commit([insert(things, thing(1, { status: 'open', code: 'c' }))])
  await before.close()
  await leaveEarlier(path, earlier, ['UPDATE "test.things_tally_1" SET count = 90'])
  const store = await settled(path, things)
  t.is((await store.group(byStatus))[0]?.count, 90)
  t.is((await store.find(byKey(things, 'code', 'c')))?.id, 1)
  await store.commit([insert(things, thing(2, { status: 'open' }))])
  t.is((await store.group(byStatus))[0]?.count, 91)
  await store.close()
  const other = await settled(path, { ...things, tallies: [...(things.tallies ?? []), { by: ['status'], sum: [] }] })
  t.is((await other.group(byStatus))[0]?.count, 91)
  t.deepEqual(await other.group(groupOf(things, { where: always, by: ['status'], sum: [] })), [
    { by: { status: 'open' }, count: 2, sums: {} },
  ])
  await other.close()
})

test('0.3.0 does not start on what this release has opened', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await (await sqliteStore(path, [things])).close()
  const connection = connect(await openDatabase(path))
  // It compares this with the ids of its own, before all else, and names it.
  t.is(JSON.parse(laidText(connection, things.name) ?? '').ids, 'later-release')
  connection.close()
})

test('a field that has a column of its own is filled there too, by whoever writes it first', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const { upgrades: _u, keys: _k, ...earlier } = laterThings
  const before = await sqliteStore(path, [earlier])
  await before.commit([1, 2, 3].map((id) => insert(earlier, later(id, { weight: 60, name: `n${id}` }))))
  await before.close()
  await leaveEarlier(path, earlier, [
    `UPDATE "test.things" SET doc = json_remove(doc, '$.grade', '$.heavy'), f_grade = NULL, f_heavy = NULL WHERE id < 3`,
  ])
  const { open, letGo } = heldOpen()
  const store = await sqliteStore(path, [{ ...earlier, upgrades: laterThings.upgrades ?? {} }], { open })
  await store.commit([patch(laterThings, 1, { set: { rank: 1 }, when: always })])
  letGo()
  await store.settled()
  const where = eq('grade', 'much')
  const found = await store.list(listOf(earlier, { where, when: 'heavy', limit: 9, total: true }))
  t.deepEqual<[number | null, Later[]], [number | null, Later[]]>(
    [found.total, [...found.records]],
    [
      2,
      [1, 2].map((id) =>
        later(id, { weight: 60, name: `n${id}`, grade: 'much', heavy: true, rank: id === 1 ? 1 : null }),
      ),
    ],
  )
  t.is((await store.group(groupOf(earlier, { where, by: ['heavy'], sum: ['rank'] })))[0]?.count, 2)
  await store.close()
})

test('a column that one release does not name is there for the next that does', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  const named = { ...things, tallies: [], indexes: [{ sort: 'name' }] } as const
  const unnamed = { ...things, tallies: [], indexes: [] }
  for (const [at, collection] of [named, unnamed, named].entries()) {
    const store = await settled(path, collection)
    await store.commit([insert(collection, thing(at, { name: `n${at}` }))])
    await store.close()
  }
  const store = await settled(path, named)
  const page = listOf(things, { where: eq('shopId', 'loja'), sort: { by: 'name', dir: 'desc' }, limit: 9 })
  t.true((await store.explain(page)).includes('test.things_index__name__'))
  t.deepEqual(
    (await store.list(page)).records.map(({ name }) => name),
    ['n2', 'n1', 'n0'],
  )
  await store.close()
})
