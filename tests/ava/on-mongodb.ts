import { withReplicaSet } from '../adapters/mongodb/server.ts'
import { type Outcome, runAva } from './run.ts'
import { marked } from './selection.ts'

/**
 * Runs again over MongoDB where money is raced for, or what is named as for `npm run ava`. One replica set for all of
 * them, a database for each test. Tables of cases are tried on SQLite; all else of a store is in its contract, and what
 * statements say of a ledger in `adapters/mongodb/money.test.ts`.
 */
export const runOnMongodb = async (named: readonly string[]): Promise<Outcome> => {
  const outcome = await withReplicaSet((server) => ranOn(server.getUri(), named))
  if (outcome) return outcome
  console.log('SKIPPED: the HTTP tests over MongoDB, since MONGOMS_SYSTEM_BINARY names no mongod')
  return { code: 0, passed: 0, failed: 0, flaky: [] }
}

const ranOn = (url: string, named: readonly string[]): Promise<Outcome> => {
  const env = { ...process.env, TEST_MONGODB_URL: url }
  if (named.length === 0)
    console.log(
      `SKIPPED: ${marked('longMongodb').length} files more over MongoDB: \`npm run test:long -- mongodb\` runs them`,
    )
  // One after another within a file, each takes the database that the one before has emptied: to make all tables takes
  // longer.
  return runAva([...(named.length > 0 ? named : marked('mongodb')), '--serial'], env)
}
