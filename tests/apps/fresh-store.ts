import { existsSync, rmSync } from 'node:fs'
import { copyFile, mkdtemp, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, MongoClient } from 'mongodb'
import { SHAPES } from '../../adapters/mongodb/layout/shape.ts'
import { collectionsOf } from '../../apps/host/host.ts'
import { openStore } from '../../apps/host/open-store.ts'
import { payments } from '../../apps/payments/app.ts'
import { realEstate } from '../../apps/real-estate/app.ts'
import type { Store } from '../../core/ports/store.ts'
import { databaseUrl } from './store-url.ts'

/** A store with the empty tables of both businesses. */
export interface FreshStore {
  readonly url: string
  /** Opens the store. A database stays open when it is closed, for the next test. */
  open(): Promise<Store>
  /** Releases the store at the end of a test. */
  remove(): Promise<void>
}

/**
 * The store that an HTTP test runs on: a SQLite file below the test's folder, or a database of the replica set that
 * `TEST_MONGODB_URL` names (`npm run test:mongodb` starts one and runs HTTP tests again). Creating tables takes longer
 * than most tests: a file is copied from a template, and a database is emptied and reused while it is open.
 */
export const freshStore = async (directory: string): Promise<FreshStore> => {
  const server = process.env.TEST_MONGODB_URL
  if (server) return freshDatabase(server)
  const url = await emptyFile(join(directory, 'portico.db'))
  return { url, open: () => openStore(url, tables()), remove: async () => {} }
}

const tables = () => collectionsOf([payments, realEstate])

interface IdleDatabase {
  readonly url: string
  readonly store: Promise<Store>
  /** Closes an unused database, since a process with an open one does not end. */
  readonly closing: NodeJS.Timeout
}

const IDLE_MS = 500
const idle: IdleDatabase[] = []

const makeIdle = (url: string, store: Promise<Store>): void => {
  const closing = setTimeout(async () => {
    idle.splice(idle.indexOf(own), 1)
    await (await store).close()
  }, IDLE_MS)
  const own = { url, store, closing }
  idle.push(own)
}

const freshDatabase = async (server: string): Promise<FreshStore> => {
  const reused = idle.pop()
  clearTimeout(reused?.closing)
  const url = reused?.url ?? databaseUrl(server)
  let { store } = reused ?? {}
  return {
    url,
    async open() {
      store ??= openStore(url, tables())
      return { ...(await store), close: async () => {} }
    },
    async remove() {
      await emptyDatabase(url)
      if (store) makeIdle(url, store)
    },
  }
}

/** Creates a file with empty tables and returns its URL. */
export const emptyFile = async (path: string): Promise<string> => {
  template ??= makeTemplate()
  await copyFile(await template, path)
  return `sqlite:${path}`
}

let template: Promise<string> | undefined

/** Shared by the processes of a test run. */
const SHARED = process.env.TEST_PROGRAMS && join(process.env.TEST_PROGRAMS, 'empty.db')

const makeTemplate = async (): Promise<string> => {
  if (SHARED && existsSync(SHARED)) return SHARED
  const home = await mkdtemp(join(tmpdir(), 'portico-template-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  const path = join(home, 'portico.db')
  const store = await openStore(`sqlite:${path}`, tables())
  await store.close()
  // If another process was first, its template is equal.
  if (SHARED) await copyFile(path, `${SHARED}-${process.pid}`).then(() => rename(`${SHARED}-${process.pid}`, SHARED))
  return path
}

/** Deletes the records of a database. */
export const emptyDatabase = async (url: string): Promise<void> => {
  // Opening a second connection would take longer than waiting for the first.
  const client = await MongoClient.connect(url, { maxPoolSize: 1 })
  try {
    const db = client.db()
    const known = await db.listCollections({}, { nameOnly: true }).toArray()
    // Its record of indexes is still true.
    const filled = await withRecords(
      db,
      known.map(({ name }) => name).filter((name) => name !== SHAPES),
    )
    await Promise.all(filled.map((name) => db.collection(name).deleteMany({})))
  } finally {
    await client.close()
  }
}

/** Returns the collections with records, in one query: most are empty. */
const withRecords = async (db: Db, [first, ...others]: readonly string[]): Promise<readonly string[]> => {
  if (first === undefined) return []
  const named = (name: string) => [{ $limit: 1 }, { $project: { _id: 0, name: { $literal: name } } }]
  const further = others.map((coll) => ({ $unionWith: { coll, pipeline: named(coll) } }))
  const found = await db
    .collection(first)
    .aggregate<{ name: string }>([...named(first), ...further])
    .toArray()
  return found.map(({ name }) => name)
}
