import { existsSync, appendFileSync } from 'node:fs'
const L = (s: string) => appendFileSync('/tmp/mb/stop.log', process.pid + ' ' + s + '\n')
import type { TestFn } from 'ava'
import { MongoClient } from 'mongodb'
import { MongoMemoryReplSet } from 'mongodb-memory-server'

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
    L('closing'); await client?.close(); L('closed')
    if (started) await stop(started)
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

/**
 * The set's own stop waits for its connection to close, which, where it ends just then, the driver may never tell: so
 * the server is asked first and waited for as a process.
 */
const stop = async (set: MongoMemoryReplSet): Promise<void> => {
  const client = new MongoClient(set.getUri())
  for (const { instanceInfo } of set.servers) {
    const child = instanceInfo?.instance.mongodProcess
    if (!child) continue
    const ended = new Promise((resolve) => child.once('exit', resolve))
    void client
      .db('admin')
      .command({ shutdown: 1, force: true, timeoutSecs: 1 })
      .catch(() => {})
    L('asked'); await ended; L('ended')
  }
  void client.close()
  await set.stop(); L('stopped')
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
