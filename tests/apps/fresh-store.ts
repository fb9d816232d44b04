import { rmSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { SHAPES } from '../../adapters/mongodb/layout/shape.ts'
import { collectionsOf } from '../../apps/host/host.ts'
import { openStore } from '../../apps/host/open-store.ts'
import { payments } from '../../apps/payments/startable.ts'
import { databaseUrl } from './store-url.ts'

/** A store with the tables of payments and nothing in them. */
export interface FreshStore {
  readonly url: string
  /** Lets go of it once nobody has it open any more. */
  remove(): Promise<void>
}

/**
 * The store that an HTTP test runs on: a SQLite file below the test's folder, or a database of the replica set that
 * `TEST_MONGODB_URL` names (`npm run test:mongodb` starts one and runs every HTTP test again). To make its tables takes
 * longer than most tests: a file is copied, and a database is used again.
 */
export const freshStore = async (directory: string): Promise<FreshStore> => {
  const server = process.env.TEST_MONGODB_URL
  if (server) return freshDatabase(server)
  return { url: await emptyFile(join(directory, 'portico.db')), remove: async () => {} }
}

const idle: string[] = []

const freshDatabase = async (server: string): Promise<FreshStore> => {
  const url = idle.pop() ?? databaseUrl(server)
  return {
    url,
    async remove() {
      await emptyDatabase(url)
      idle.push(url)
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
  const store = await openStore(`sqlite:${path}`, collectionsOf([payments]))
  await store.close()
  return path
}

/** Leaves of a database its tables alone. */
export const emptyDatabase = async (url: string): Promise<void> => {
  // A connection is longer to make than to wait for.
  const client = await MongoClient.connect(url, { maxPoolSize: 1 })
  try {
    const collections = await client.db().collections()
    // For which its indexes were made is still true.
    const filled = collections.filter(({ collectionName }) => collectionName !== SHAPES)
    await Promise.all(filled.map((collection) => collection.deleteMany({})))
  } finally {
    await client.close()
  }
}
