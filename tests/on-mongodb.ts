import { existsSync } from 'node:fs'
import { MongoMemoryReplSet } from 'mongodb-memory-server'
import { stop } from './adapters/mongodb/stop.ts'
import { runAva } from './ava/run.ts'

// Runs again over MongoDB what is about money, every row once, and whether a store knows its key; or what is named as for
// `npm run ava`. One replica set for all of them, a database for each test. All else of a store is in its contract.
const USUAL = [
  ...['accounts', 'bank', 'charges', 'statements', 'webhooks'].map((room) => `tests/apps/payments/${room}`),
  'tests/apps/rows/success.test.ts',
  'tests/apps/host/data-key.test.ts',
]
const named = process.argv.slice(2)

const binary = process.env.MONGOMS_SYSTEM_BINARY
if (binary === undefined || !existsSync(binary)) {
  console.log('SKIPPED: the HTTP tests over MongoDB, since MONGOMS_SYSTEM_BINARY names no mongod')
} else {
  const server = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  const env = { ...process.env, TEST_MONGODB_URL: server.getUri() }
  process.exitCode = await runAva(named.length > 0 ? named : USUAL, env)
  await stop(server)
}
