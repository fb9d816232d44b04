import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { MongoMemoryReplSet } from 'mongodb-memory-server'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { collectionsOf } from '../../../apps/host/host.ts'
import { VERSION } from '../../../apps/host/version.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { stop } from '../../adapters/mongodb/stop.ts'
import { STORE_SECRETS } from '../store-url.ts'
import { dumped, type Fixture, folderOf, type KeptStore } from './fixtures.ts'
import { storyOf } from './story/story.ts'

// `npm run fixture` stores what this release leaves in a file and in a database, as a fixture for later releases;
// `npm run fixture -- FOLDER` writes it to another folder.

const folder = process.argv[2] ?? folderOf(VERSION)
if (existsSync(folder)) throw new Error(`${folder} exists: the fixture of a release is not written again`)
if (!process.env.MONGOMS_SYSTEM_BINARY)
  throw new Error('MONGOMS_SYSTEM_BINARY is not set: the fixture contains a MongoDB store')

const PLACE = { PUBLIC_URL: 'https://pay.example.com' }

/** Writes the file with its `DATA_DIR`, which contains the secrets created by the start. */
const keepSqlite = async (draft: string) => {
  const env = { ...PLACE, DATA_DIR: join(draft, 'sqlite') }
  const unset = { JWT_SECRET: '', DATA_KEY: '' }
  const file = join(env.DATA_DIR, 'portico.db')
  const told = await storyOf({ ...env, ...unset, STORE_URL: `sqlite:${file}` })
  await checkpoint(file)
  return { now: told.now, kept: { env: PLACE, known: told.known } satisfies KeptStore }
}

const checkpoint = async (file: string): Promise<void> => {
  const database = await openDatabase(file)
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
  database.close()
  if (busy !== 0) throw new Error(`${file} could not be checkpointed`)
  for (const more of ['-wal', '-shm']) await rm(file + more)
}

const keepMongo = async (draft: string): Promise<KeptStore> => {
  const env = { ...PLACE, ...STORE_SECRETS }
  const server = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  const client = await MongoClient.connect(server.getUri())
  try {
    const DATA_DIR = join(draft, 'mongodb')
    const { known } = await storyOf({ ...env, DATA_DIR, STORE_URL: server.getUri('kept') })
    await mkdir(join(DATA_DIR, 'dump'), { recursive: true })
    for (const [name, text] of await dumped(client.db('kept'))) await writeFile(join(DATA_DIR, 'dump', name), text)
    return { env, known }
  } finally {
    await client.close()
    await stop(server)
  }
}

const draft = await mkdtemp(join(tmpdir(), 'portico-release-'))
try {
  const { now, kept } = await keepSqlite(draft)
  const collections = collectionsOf([payments, realEstate]).map(({ name }) => name)
  const fixture: Fixture = { release: VERSION, now, collections, sqlite: kept, mongodb: await keepMongo(draft) }
  await writeFile(join(draft, 'fixture.json'), `${JSON.stringify(fixture, null, 1)}\n`)
  await cp(draft, folder, { recursive: true })
} finally {
  await rm(draft, { recursive: true, force: true })
}
