import { type ExecutionContext, registerCompletionHandler, type TestFn } from 'ava'
import { type Db, MongoClient } from 'mongodb'
import type { MongoMemoryReplSet } from 'mongodb-memory-server'
import { databaseOf } from '../../../adapters/mongodb/connection.ts'
import { type MongoOptions, type MongoStore, mongoStore } from '../../../adapters/mongodb/mod.ts'
import type { AnyCollection } from '../../../core/kernel/records/record.ts'
import { thingCollections } from '../../fixtures/things.ts'
import { hasMongod, startReplicaSet, stop } from './server.ts'

export interface ReplicaSet {
  url(): string
  client(): Promise<MongoClient>
  db(url: string): Promise<Db>
}

/** Opens a store until the end of the test. */
export const openUntilEnd = async (
  t: ExecutionContext,
  url: string,
  collections: readonly AnyCollection[] = thingCollections,
  options?: MongoOptions,
): Promise<MongoStore> => {
  const store = await mongoStore(url, collections, options)
  t.teardown(() => store.close())
  return store
}

let databases = 0

/** Shared by all test files of a process. */
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
 * Starts a replica set of one member and registers tests on it. Without a binary, registers one test that logs this.
 */
export const onReplicaSet = (test: TestFn, register: (server: ReplicaSet) => void): void => {
  if (!hasBinary(test)) return
  // A client of a killed server may keep a socket open, which must not delay the end of the process.
  registerCompletionHandler(() => process.exit())
  test.before(async (t) => {
    t.timeout(60_000)
    started ??= startReplicaSet()
    running = await started
  })
  test.after.always(stopAll)
  const connected = async (): Promise<MongoClient> => {
    client ??= await MongoClient.connect(uri())
    return client
  }
  register({
    url: () => {
      databases += 1
      return uri(`test${databases}`)
    },
    client: connected,
    db: async (url) => (await connected()).db(databaseOf(url)),
  })
}

/** Reports whether there is a binary. Without one, registers a test that logs this. */
export const hasBinary = (test: TestFn): boolean => {
  if (hasMongod()) return true
  test('mongodb: skipped, MONGOMS_SYSTEM_BINARY names no binary', (t) => {
    t.log('SKIPPED: no mongod binary: MONGOMS_SYSTEM_BINARY=/path/to/mongod runs these tests')
    t.pass()
  })
  return false
}
