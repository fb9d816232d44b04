import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { type SqliteOptions, sqliteStore } from '../../../adapters/sqlite/store.ts'
import { always, insert } from '../../../core/kernel/records/record.ts'
import { byId, groupOf, type Store, StoreUnavailable, StoreUnwritable } from '../../../core/ports/store.ts'
import { claim, claims, entries, entry, thing, thingCollections, things } from '../../fixtures/things.ts'
import { fileFor, openingThrough, openUntilEnd } from './file.ts'

const setUp = async (t: ExecutionContext, options: SqliteOptions = {}) => {
  const path = await fileFor(t)
  const own = await openDatabase(path)
  const store = await openUntilEnd(t, path, thingCollections, { ...options, open: async () => own })
  const other = await openDatabase(path)
  t.teardown(() => other.close())
  return { path, store, other, runSql: (sql: string) => own.prepare(sql).get() }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const countOf = async (store: Store): Promise<number | undefined> =>
  (await store.group(groupOf(entries, { where: always, by: [], sum: [] })))[0]?.count

test('a commit waits while another process has locked the file, without blocking the event loop', async (t) => {
  const { store, other } = await setUp(t)
  other.prepare('BEGIN IMMEDIATE').run()
  let isSettled = false
  const commit = store.commit([insert(claims, claim('x'))]).finally(() => {
    isSettled = true
  })
  const reserved = store.reserve(things.name, 2)
  for (let turns = 0; turns < 1_000; turns += 1) await turn()
  t.is(await store.find(byId(claims, 'x')), null)
  t.false(isSettled)
  other.prepare('COMMIT').run()
  t.true((await commit).ok)
  t.is(await reserved, 1)
  t.is((await store.find(byId(claims, 'x')))?.id, 'x')
})

test('a file that is locked for too long is unavailable until it is unlocked', async (t) => {
  const { path, store, other } = await setUp(t, { busyWaitMs: 20 })
  other.prepare('BEGIN IMMEDIATE').run()
  const commits = [store.commit([insert(claims, claim('x'))]), store.commit([insert(claims, claim('y'))])]
  for (const commit of commits) {
    const error = await t.throwsAsync(commit, { instanceOf: StoreUnavailable })
    t.false(error instanceof StoreUnwritable)
  }
  await t.throwsAsync(store.reserve(things.name, 1), { instanceOf: StoreUnavailable })
  await t.throwsAsync(sqliteStore(path, thingCollections, { busyWaitMs: 20 }), { instanceOf: StoreUnavailable })
  other.prepare('ROLLBACK').run()
  t.true((await store.commit([insert(claims, claim('x'))])).ok)
  t.is(await store.find(byId(claims, 'y')), null)
  t.is(await store.reserve(things.name, 1), 1)
})

test('a full disk rejects whole commits; reads continue, and commits do when there is space', async (t) => {
  const { store, runSql } = await setUp(t)
  await store.commit([insert(entries, entry(1, 'a', { valueCents: 3 }))])
  runSql(`PRAGMA max_page_count = ${Number(runSql('PRAGMA page_count')?.page_count) + 30}`)
  const note = 'x'.repeat(3_000)
  const fill = (round: number) =>
    Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        store.commit([
          insert(entries, entry(round * 10 + index, 'a', { seq: round * 10 + index })),
          insert(claims, claim(`${round} ${index}`, { note })),
        ]),
      ),
    )
  // A batch is stored or rejected as a whole. A few batches reach the limit of pages.
  let [round, stored] = [1, 1]
  for (; ; round += 1) {
    const outcomes = await fill(round)
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of failed) t.true(reason instanceof StoreUnwritable)
    if (failed.length > 0) {
      t.is(failed.length, 8)
      break
    }
    t.true(outcomes.every((outcome) => outcome.status === 'fulfilled' && outcome.value.ok))
    stored += 8
  }
  t.true(round > 1)
  t.is(await countOf(store), stored)
  t.is(await store.find(byId(entries, round * 10)), null)
  t.is(await store.find(byId(claims, `${round} 7`)), null)
  t.is((await store.find(byId(entries, 1)))?.valueCents, 3)
  runSql('PRAGMA max_page_count = 1000000')
  for (const outcome of await fill(round)) t.true(outcome.status === 'fulfilled' && outcome.value.ok)
  t.is(await countOf(store), stored + 8)
})

test('a read-only store rejects commits only', async (t) => {
  const { store, runSql } = await setUp(t)
  await store.commit([insert(things, thing(1))])
  runSql('PRAGMA query_only = 1')
  await t.throwsAsync(store.commit([insert(things, thing(2))]), { instanceOf: StoreUnwritable })
  t.is((await store.find(byId(things, 1)))?.id, 1)
  runSql('PRAGMA query_only = 0')
  t.true((await store.commit([insert(things, thing(2))])).ok)
})

test('a closed file has every record in itself, without its log', async (t) => {
  const path = await fileFor(t)
  const store = await sqliteStore(path, thingCollections)
  await store.commit([insert(things, thing(1))])
  await store.close()
  await copyFile(path, `${path}.copy`)
  const copy = await openUntilEnd(t, `${path}.copy`)
  t.is((await copy.find(byId(things, 1)))?.id, 1)
})

test('a path that is not a file is unavailable', async (t) => {
  const path = await fileFor(t)
  await mkdir(path)
  await t.throwsAsync(sqliteStore(path, thingCollections), { instanceOf: StoreUnavailable })
})

test('creates the missing folder of the file', async (t) => {
  const path = await fileFor(t)
  const store = await openUntilEnd(t, `${path}/a/b/store.db`)
  t.true((await store.commit([insert(claims, claim('x'))])).ok)
})

test('leaves no empty file if the database cannot be created', async (t) => {
  const path = await fileFor(t)
  const open = openingThrough((sql, run) => {
    if (sql.includes('journal_mode')) throw new Error('database or disk is full')
    return run()
  })
  const fault = { instanceOf: StoreUnavailable, message: `${path} cannot be opened: database or disk is full` }
  await t.throwsAsync(sqliteStore(path, thingCollections, { open }), fault)
  t.deepEqual(await readdir(dirname(path)), [])
})
