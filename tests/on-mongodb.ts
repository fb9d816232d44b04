import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { MongoMemoryReplSet } from 'mongodb-memory-server'
import { stop } from './adapters/mongodb/stop.ts'

// Runs every HTTP test of the payments app again over MongoDB, and every row once, or the files that are named: one replica
// set for all of them, a database for each test.
const USUAL = ['tests/apps/payments/**/*.test.ts', 'tests/apps/rows/success.test.ts']
const named = process.argv.slice(2)
const FILES = named.length > 0 ? named : USUAL

const binary = process.env.MONGOMS_SYSTEM_BINARY
if (binary === undefined || !existsSync(binary)) {
  console.log('SKIPPED: the HTTP tests over MongoDB, since MONGOMS_SYSTEM_BINARY names no mongod')
} else {
  const server = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  const ava = spawn('npx', ['--no-install', 'ava', ...FILES], {
    stdio: 'inherit',
    env: { ...process.env, TEST_MONGODB_URL: server.getUri() },
  })
  process.exitCode = await new Promise<number>((resolve) => ava.on('close', (code) => resolve(code ?? 1)))
  await stop(server)
}
