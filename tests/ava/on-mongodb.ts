import { existsSync } from 'node:fs'
import { MongoMemoryReplSet } from 'mongodb-memory-server'
import { stop } from '../adapters/mongodb/stop.ts'
import { SEED } from '../size.ts'
import { type Outcome, runAva } from './run.ts'
import { marked } from './selection.ts'

/**
 * Runs again over MongoDB where money is raced for, some rows, and whether a store knows its key; or what is named as for
 * `npm run ava`. One replica set for all of them, a database for each test. Tables of cases are tried on SQLite; all else of a
 * store is in its contract, and what statements say of a ledger in `adapters/mongodb/money.test.ts`.
 */
export const runOnMongodb = async (named: readonly string[]): Promise<Outcome> => {
  const binary = process.env.MONGOMS_SYSTEM_BINARY
  if (binary === undefined || !existsSync(binary)) {
    console.log('SKIPPED: the HTTP tests over MongoDB, since MONGOMS_SYSTEM_BINARY names no mongod')
    return { code: 0, passed: 0, failed: 0, flaky: [] }
  }
  const server = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  // Of the rows some are drawn: the long run names their files, and so has them all.
  const rows = named.length === 0 ? { TEST_ROWS: 'some', PORTICO_SEED: `${SEED}` } : {}
  const env = { ...process.env, ...rows, TEST_MONGODB_URL: server.getUri() }
  if (named.length === 0)
    console.log(
      `SKIPPED: ${marked('longMongodb').length} files more over MongoDB: \`npm run test:long -- mongodb\` runs them`,
    )
  // One after another within a file, each takes the database that the one before has emptied: to make all tables takes longer.
  const outcome = await runAva([...(named.length > 0 ? named : marked('mongodb')), '--serial'], env)
  await stop(server)
  return outcome
}
