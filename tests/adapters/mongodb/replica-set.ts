import { existsSync } from 'node:fs'
import { registerCompletionHandler, type TestFn } from 'ava'
import { MongoClient } from 'mongodb'
import { MongoMemoryReplSet } from 'mongodb-memory-server'
import { stop } from './stop.ts'

export interface ReplicaSet {
  /** The URL of a database of its own. */
  url(): string
  /** A client of its own, for what the store itself does not do. */
  client(): Promise<MongoClient>
}

const binary = process.env.MONGOMS_SYSTEM_BINARY
let databases = 0

/**
 * Registers the tests of a file on a replica set of one member that is started for it. Where no binary is named there
 * is one test instead, which says so.
 */
export const onReplicaSet = (test: TestFn, register: (server: ReplicaSet) => void): void => {
  if (!hasBinary(test)) return
  // A client whose server was killed may keep a socket that nobody closes any more: the tests are over all the same.
  registerCompletionHandler(() => process.exit())
  let started: MongoMemoryReplSet | null = null
  let client: MongoClient | null = null
  const running = (): MongoMemoryReplSet => {
    if (!started) throw new Error('the replica set was not started')
    return started
  }
  test.before(async (t) => {
    t.timeout(60_000)
    started = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  })
  test.after.always(async () => {
    if (started) await stop(started)
    void client?.close()
  })
  register({
    url: () => {
      databases += 1
      return running().getUri(`test${databases}`)
    },
    client: async () => {
      client ??= await MongoClient.connect(running().getUri())
      return client
    },
  })
}

/** Whether there is a binary to test with; registers a test that says so where there is none. */
export const hasBinary = (test: TestFn): boolean => {
  if (binary !== undefined && existsSync(binary)) return true
  test('mongodb: skipped, MONGOMS_SYSTEM_BINARY names no binary', (t) => {
    t.log('SKIPPED: no mongod binary: MONGOMS_SYSTEM_BINARY=/path/to/mongod runs these tests')
    t.pass()
  })
  return false
}
