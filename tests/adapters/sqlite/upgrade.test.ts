import { deepEqual, equal } from 'node:assert/strict'
import test from 'ava'
import { type OpenDatabase, openDatabase } from '../../../adapters/sqlite/connection.ts'
import { type SqliteStore, sqliteStore } from '../../../adapters/sqlite/store.ts'
import {
  type AnyCollection,
  all,
  always,
  type Collection,
  eq,
  gt,
  insert,
  t as io,
  orNull,
  patch,
  record,
} from '../../../core/kernel/records/record.ts'
import { verifyTallies } from '../../../core/kernel/running/verify.ts'
import { byId, byKey, groupOf, listOf, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { claim, claims, older, olderThings, type Thing, thing, things } from '../../fixtures/things.ts'
import { fileFor } from './file.ts'

const laterCodec = record({
  id: io.Int,
  shopId: orNull(io.string),
  name: orNull(io.string),
  weight: orNull(io.number),
  address: orNull(record({ city: io.string })),
  removedAt: orNull(io.string),
  grade: io.string,
  heavy: io.boolean,
  rank: orNull(io.Int),
})
type Later = io.OutputOf<typeof laterCodec>

const WEIGHTS = 100
const A_COMMIT = 1_000

/** The collection of `olderThings` in a later release: filled fields, a key that records violate, and more. */
const laterThings: Collection<Later> = {
  ...olderThings,
  codec: laterCodec as Collection<Later>['codec'],
  upgrades: {
    grade: ({ weight }) => ((weight ?? 0) >= 50 ? 'much' : 'little'),
    heavy: ({ weight }) => (weight ?? 0) >= 50,
  },
  conditions: { live: eq('removedAt', null), heavy: all(eq('removedAt', null), eq('heavy', true)) },
  keys: { name: ({ shopId, name }) => (name === null ? null : `${shopId}|${name}`) },
  indexes: [{ sort: 'name' }, { eq: 'grade', sort: 'weight' }, { sort: 'rank', when: 'heavy' }],
  tallies: [
    { by: ['shopId', 'grade', 'heavy'], sum: ['rank'] },
    { by: ['shopId'], sum: [], when: 'heavy' },
  ],
}

/** So many things of the older release; the second half give the names of the first once more. */
const leaveOlder = async (path: string, count: number): Promise<void> => {
  const store = await sqliteStore(path, [olderThings])
  for (let from = 1; from <= count; from += A_COMMIT) {
    const some = Array.from({ length: Math.min(A_COMMIT, count - from + 1) }, (_, at) => at + from)
    await store.commit(
      some.map((id) =>
        insert(olderThings, older(thing(id, { name: `n${id % Math.ceil(count / 2)}`, weight: id % WEIGHTS }))),
      ),
    )
  }
  await store.close()
}

const later = (id: number, fields: Partial<Later> = {}): Later => ({
  ...older(thing(id)),
  grade: 'none',
  heavy: false,
  rank: null,
  ...fields,
})

const byGrade = listOf(laterThings, {
  where: all(eq('shopId', 'loja'), eq('grade', 'much')),
  sort: { by: 'weight', dir: 'asc' },
  limit: 5,
  total: true,
})

/** All of it is made: in the records, in the keys, in the indexes and in the tallies. */
const allMade = async (path: string, store: SqliteStore, count: number): Promise<void> => {
  const database = await openDatabase(path)
  equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
  const lacking = `SELECT count(*) AS n FROM "test.things" WHERE json_type(doc, '$.grade') IS NULL`
  equal(database.prepare(lacking).get()?.n, 0)
  database.close()
  deepEqual((await verifyTallies(store, [laterThings])).faults, [])
  const page = await store.list(byGrade)
  equal(page.total, Math.floor(count / WEIGHTS) * (WEIGHTS / 2))
  deepEqual(page.records[0], { ...later(50), name: 'n50', weight: 50, grade: 'much', heavy: true })
  const plan = await store.explain(byGrade)
  equal(plan.includes('USING INDEX test.things_index_grade_weight__'), true, plan)
  equal(plan.includes('test.things_tally_0'), true, plan)
  const half = Math.ceil(count / 2)
  for (const id of [1, 2, half - 1]) equal((await store.find(byKey(laterThings, 'name', `loja|n${id}`)))?.id, id)
  equal((await store.find(byKey(laterThings, 'name', 'loja|n0')))?.id, half)
}

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
  const store = await sqliteStore(path, [things, claims])
  t.deepEqual(await recordsOf(store), made)
  await store.close()
  t.deepEqual(await laid(path), before)
})

test('rebuilds changed parts and drops former ones', async (t) => {
  const path = await fileFor(t)
  await filled(path, [things])
  const changed: Collection<Thing> = {
    ...bare,
    conditions: { live: gt('valueCents', 6) },
    indexes: [{ sort: 'id', when: 'live' }],
    tallies: [{ by: ['status'], sum: [], when: 'live' }],
    keys: { status: ({ id, status }) => `${id} ${status}` },
  }
  const store = await sqliteStore(path, [changed])
  t.deepEqual(await store.group(groupOf(changed, { where: always, when: 'live', by: ['status'], sum: [] })), [
    { by: { status: 'paid' }, count: 1, sums: {} },
  ])
  const page = listOf(changed, { where: eq('shopId', 'loja'), when: 'live', limit: 9 })
  t.true((await store.explain(page)).includes('test.things_index__id__live'))
  t.deepEqual((await store.list(page)).records, [made[1]])
  t.deepEqual(await store.find(byKey(changed, 'status', '3 open')), made[2] ?? null)
  await store.close()
  const { names } = await laid(path)
  t.deepEqual(names, ['test.things', 'test.things_index__id__live', 'test.things_key_status', 'test.things_tally_3'])

  await (await sqliteStore(path, [bare])).close()
  t.deepEqual((await laid(path)).names, ['test.things'])
  const back = await sqliteStore(path, [things])
  t.deepEqual(await recordsOf(back), made)
  await back.close()
})

test('refuses another kind of ids and leaves the file as it was', async (t) => {
  const path = await fileFor(t)
  await filled(path, [bare])
  const before = await laid(path)
  await t.throwsAsync(sqliteStore(path, [{ ...bare, indexes: [{ sort: 'name' }], ids: 'text' }]), {
    message: /integer ids/,
  })
  t.deepEqual(await laid(path), before)
  await (await sqliteStore(path, [bare])).close()
})

test('leaves the collections of another program on the same file alone', async (t) => {
  const path = await fileFor(t)
  const ours = await sqliteStore(path, [things])
  t.true((await ours.commit([insert(things, thing(1))])).ok)
  const theirs = await sqliteStore(path, [claims])
  t.true((await theirs.commit([insert(claims, claim('x'))])).ok)
  t.true((await ours.commit([insert(things, thing(2))])).ok)
  t.is((await ours.find(byId(things, 1)))?.id, 1)
  await Promise.all([ours.close(), theirs.close()])
})

test('a process of the former release writes no more after a breaking upgrade, and is told once', async (t) => {
  const path = await fileFor(t)
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

test('a process of the former release that writes nothing is told too', async (t) => {
  const path = await fileFor(t)
  let superseded: (line: string) => void = () => {}
  const line = new Promise<string>((resolve) => {
    superseded = resolve
  })
  const older = await sqliteStore(path, [things], { superseded: (text) => superseded(text) })
  const newer = await sqliteStore(path, [bare])
  // The timer of the store keeps no process alive.
  const alive = setInterval(() => {}, 1_000)
  t.regex(await line, /another release/)
  clearInterval(alive)
  await Promise.all([older.close(), newer.close()])
})

test('a process of the former release serves on beside an upgrade that adds fields and indexes', async (t) => {
  const path = await fileFor(t)
  const lines: string[] = []
  const former = await sqliteStore(path, [olderThings], { superseded: (line) => lines.push(line) })
  t.true((await former.commit([insert(olderThings, older(thing(1)))])).ok)
  const extended: Collection<Thing> = {
    ...olderThings,
    codec: things.codec,
    indexes: [...(olderThings.indexes ?? []), { sort: 'size' }],
  } as never
  const store = await sqliteStore(path, [extended])
  t.true((await store.commit([patch(extended, 1, { set: { size: 7 }, when: always })])).ok)
  t.true((await former.commit([patch(olderThings, 1, { set: { name: 'a' }, when: always })])).ok)
  t.true((await former.commit([insert(olderThings, older(thing(2)))])).ok)
  const page = listOf(extended, { where: eq('shopId', 'loja'), sort: { by: 'size', dir: 'asc' }, limit: 9 })
  t.true((await store.explain(page)).includes('test.things_index__size__'))
  t.deepEqual(
    (await store.list(page)).records.map(({ id, size, name }) => [id, size, name]),
    [
      [2, null, null],
      [1, 7, 'a'],
    ],
  )
  t.deepEqual(lines, [])
  await t.throwsAsync(sqliteStore(path, [olderThings]), { message: /a newer release has written this store/ })
  await Promise.all([former.close(), store.close()])
})

test('a return to a former release ends processes of the one that had added an index', async (t) => {
  const path = await fileFor(t)
  const indexed: Collection<Thing> = { ...bare, indexes: [{ sort: 'name' }] }
  await filled(path, [bare])
  const lines: string[] = []
  const newer = await sqliteStore(path, [indexed], { superseded: (line) => lines.push(line) })
  const former = await sqliteStore(path, [bare])
  await t.throwsAsync(newer.commit([insert(things, thing(9))]), { instanceOf: StoreUnavailable })
  t.is(lines.length, 1)
  await Promise.all([newer.close(), former.close()])
})

test('fills upgraded fields, also in their columns, and gives each text of a new key to the first record', async (t) => {
  const path = await fileFor(t)
  await leaveOlder(path, 2_300)
  const store = await sqliteStore(path, [laterThings])
  await allMade(path, store, 2_300)
  t.true((await store.commit([insert(laterThings, later(5_000, { name: 'new' }))])).ok)
  await store.close()
  const { upgrades: _u, keys: _k, ...earlier } = laterThings
  const columns = await fileFor(t)
  const before = await sqliteStore(columns, [earlier])
  await before.commit([1, 2].map((id) => insert(earlier, later(id, { weight: 60, name: `n${id}` }))))
  await before.close()
  const database = await openDatabase(columns)
  database
    .prepare(
      `UPDATE "test.things" SET doc = json_remove(doc, '$.grade', '$.heavy'), f_grade = NULL, f_heavy = NULL WHERE id < 2`,
    )
    .run()
  database.close()
  const filled = await sqliteStore(columns, [{ ...earlier, upgrades: laterThings.upgrades ?? {} }])
  const much = listOf(earlier, { where: eq('grade', 'much'), when: 'heavy', limit: 9, total: true })
  t.like(await filled.list(much), {
    total: 1,
    records: [later(1, { weight: 60, name: 'n1', grade: 'much', heavy: true })],
  })
  await filled.close()
})

test('a process that is killed during the upgrade leaves the file as it was', async (t) => {
  const path = await fileFor(t)
  await leaveOlder(path, 2_300)
  const before = await laid(path)
  let updates = 0
  const failing: OpenDatabase = async (file) => {
    const database = await openDatabase(file)
    const prepare: typeof database.prepare = (sql) => {
      if (!sql.startsWith('UPDATE "test.things"')) return database.prepare(sql)
      updates += 1
      throw new Error('killed')
    }
    return { prepare, close: () => database.close() }
  }
  await t.throwsAsync(sqliteStore(path, [laterThings], { open: failing }), { message: 'killed' })
  t.is(updates, 1)
  t.deepEqual(await laid(path), before)
  const store = await sqliteStore(path, [laterThings])
  await allMade(path, store, 2_300)
  await store.close()
})

test('an index over a field that the release between did not name is built again', async (t) => {
  const path = await fileFor(t)
  const named = { ...things, tallies: [], indexes: [{ sort: 'name' }] } as const
  for (const [at, collection] of [named, { ...named, indexes: [] }, named].entries()) {
    const store = await sqliteStore(path, [collection])
    await store.commit([insert(collection, thing(at, { name: `n${at}` }))])
    await store.close()
  }
  const store = await sqliteStore(path, [named])
  const page = listOf(things, { where: eq('shopId', 'loja'), sort: { by: 'name', dir: 'desc' }, limit: 9 })
  t.true((await store.explain(page)).includes('test.things_index__name__'))
  t.deepEqual(
    (await store.list(page)).records.map(({ name }) => name),
    ['n2', 'n1', 'n0'],
  )
  await store.close()
})

test('refuses a store that a release before the oldest has written', async (t) => {
  const path = await fileFor(t)
  await filled(path, [bare])
  const message =
    /^a release before 0\.10\.0 has written this store \(test\.things\): open it with release 0\.10\.0 until/
  for (const oldest of [{ upgrades: ['size'] as const }, { indexes: [{ sort: 'size' }] as const }])
    await t.throwsAsync(sqliteStore(path, [{ ...bare, oldest }]), { message })
  const database = await openDatabase(path)
  database.prepare('UPDATE _shapes SET shape = ?').run(JSON.stringify({ ids: 'integer', fields: [], tallies: {} }))
  database.close()
  await t.throwsAsync(sqliteStore(path, [bare]), { message })
})
