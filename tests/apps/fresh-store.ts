import { rmSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
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

/** A place with the tables of both businesses and nothing in them. */
export interface FreshStore {
  readonly url: string
  /** Opens it as usual, where nobody has; who closes it lets go of it alone. */
  open(): Promise<Store>
  /** Lets go of the place once nobody uses it any more. */
  remove(): Promise<void>
}

/**
 * The store that an HTTP test runs on: a SQLite file below the test's folder, or a database of the replica set that
 * `TEST_MONGODB_URL` names (`npm run test:mongodb` starts one and runs HTTP tests again). To make its tables takes longer than
 * most tests: a file is copied, and a database is used again by whoever comes next, open as it is.
 */
export const freshStore = async (directory: string): Promise<FreshStore> => {
  const server = process.env.TEST_MONGODB_URL
  if (server) return freshDatabase(server)
  const url = await emptyFile(join(directory, 'portico.db'))
  return { url, open: () => openStore(url, tables()), remove: async () => {} }
}

const tables = () => collectionsOf([payments, realEstate])

interface KeptDatabase {
  readonly url: string
  readonly store: Promise<Store>
  /** Closes it where nobody comes for it any more: a process that has one open does not end. */
  readonly closing: NodeJS.Timeout
}

const KEPT_MS = 500
const idle: KeptDatabase[] = []

const keep = (url: string, store: Promise<Store>): void => {
  const closing = setTimeout(async () => {
    idle.splice(idle.indexOf(kept), 1)
    await (await store).close()
  }, KEPT_MS)
  const kept = { url, store, closing }
  idle.push(kept)
}

const freshDatabase = async (server: string): Promise<FreshStore> => {
  const kept = idle.pop()
  clearTimeout(kept?.closing)
  const url = kept?.url ?? databaseUrl(server)
  let { store } = kept ?? {}
  return {
    url,
    async open() {
      store ??= openStore(url, tables())
      return { ...(await store), close: async () => {} }
    },
    async remove() {
      await emptyDatabase(url)
      if (store) keep(url, store)
    },
  }
}

/** A new file with the tables; its URL. */
export const emptyFile = async (path: string): Promise<string> => {
  template ??= makeTemplate()
  await copyFile(await template, path)
  return `sqlite:${path}`
}

let template: Promise<string> | undefined

const makeTemplate = async (): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'portico-template-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  const path = join(home, 'portico.db')
  const store = await openStore(`sqlite:${path}`, tables())
  await store.close()
  return path
}

/** Leaves of a database its tables alone. */
export const emptyDatabase = async (url: string): Promise<void> => {
  // A connection is longer to make than to wait for.
  const client = await MongoClient.connect(url, { maxPoolSize: 1 })
  try {
    const db = client.db()
    const known = await db.listCollections({}, { nameOnly: true }).toArray()
    // For which its indexes were made is still true.
    const filled = await withRecords(
      db,
      known.map(({ name }) => name).filter((name) => name !== SHAPES),
    )
    await Promise.all(filled.map((name) => db.collection(name).deleteMany({})))
  } finally {
    await client.close()
  }
}

/** Those of these collections that have something in them, asked at once: most of many have not. */
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
