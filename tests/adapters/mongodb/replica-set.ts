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

/** One for all test files of a process. */
let started: Promise<MongoMemoryReplSet> | null = null
let running: MongoMemoryReplSet | null = null
let client: MongoClient | null = null

const stopAll = async (): Promise<void> => {
  const set = running
  running = null
  if (set) await stop(set)
  void client?.close()
}

const uri = (database?: string): string => {
  if (!running) throw new Error('the replica set was not started')
  return running.getUri(database)
}

/**
 * Registers the tests of a file on a replica set of one member that is started for them. Where no binary is named there
 * is one test instead, which says so.
 */
export const onReplicaSet = (test: TestFn, register: (server: ReplicaSet) => void): void => {
  if (!hasBinary(test)) return
  // A client whose server was killed may keep a socket that nobody closes any more: the tests are over all the same.
  registerCompletionHandler(() => process.exit())
  test.before(async (t) => {
    t.timeout(60_000)
    started ??= MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
    running = await started
  })
  test.after.always(stopAll)
  register({
    url: () => {
      databases += 1
      return uri(`test${databases}`)
    },
    client: async () => {
      client ??= await MongoClient.connect(uri())
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
