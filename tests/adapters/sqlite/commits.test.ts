import test from 'ava'
import { type Database, openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { always, insert } from '../../../core/kernel/records/record.ts'
import { listOf } from '../../../core/ports/store.ts'
import { claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'
import { fileFor } from './file.ts'

const counting = () => {
  const counted = { transactions: 0 }
  const open = async (path: string): Promise<Database> => {
    const database = await openDatabase(path)
    const prepare = (sql: string) => {
      const statement = database.prepare(sql)
      if (sql !== 'BEGIN IMMEDIATE') return statement
      const run = () => {
        counted.transactions += 1
        return statement.run()
      }
      return { run, get: statement.get.bind(statement), all: statement.all.bind(statement) }
    }
    return { prepare, close: () => database.close() }
  }
  return { counted, open }
}

test('commits of one turn of the event loop share one transaction', async (t) => {
  const path = await fileFor(t)
  const { counted, open } = counting()
  const store = await sqliteStore(path, thingCollections, { open })
  const before = counted.transactions
  const outcomes = await Promise.all([
    ...Array.from({ length: 64 }, (_, index) => store.commit([insert(claims, claim(`${index}`))])),
    store.commit([insert(claims, claim('5'))]),
    store.reserve(things.name, 3),
  ])
  t.is(counted.transactions - before, 1)
  t.deepEqual(outcomes[64], { ok: false, conflict: { collection: claims.name, key: 'id' } })
  t.is(outcomes[65], 1)
  await store.close()
})

test('a transaction has a limited number of changes', async (t) => {
  const path = await fileFor(t)
  const { counted, open } = counting()
  const store = await sqliteStore(path, thingCollections, { open })
  const before = counted.transactions
  const commits = Array.from({ length: 4 }, (_, commit) =>
    store.commit(Array.from({ length: 400 }, (_, index) => insert(things, thing(commit * 400 + index)))),
  )
  for (const outcome of await Promise.all(commits)) t.true(outcome.ok)
  t.is(counted.transactions - before, 2)
  t.is((await store.list(listOf(things, { where: always, limit: 1, total: true }))).total, 1_600)
  await store.close()
})

test('closing finishes the waiting commits', async (t) => {
  const path = await fileFor(t)
  const store = await sqliteStore(path, thingCollections)
  const waiting = Array.from({ length: 20 }, (_, index) => store.commit([insert(claims, claim(`${index}`))]))
  await Promise.all([store.close(), store.close()])
  for (const outcome of await Promise.all(waiting)) t.true(outcome.ok)
  const again = await sqliteStore(path, thingCollections)
  t.is((await again.list(listOf(claims, { where: always, limit: 1, total: true }))).total, 20)
  await again.close()
})
