import { existsSync } from 'node:fs'
import { MongoMemoryReplSet } from 'mongodb-memory-server'

const binary = process.env.MONGOMS_SYSTEM_BINARY

export const hasMongod = (): boolean => binary !== undefined && existsSync(binary)

export const startReplicaSet = (): Promise<MongoMemoryReplSet> =>
  MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })

/**
 * Kills the servers and stops the set. Its own `stop` sends a command to the server, and can hang if the connection
 * ends at the same time.
 */
export const stop = async (set: MongoMemoryReplSet): Promise<void> => {
  for (const { instanceInfo } of set.servers) {
    const child = instanceInfo?.instance.mongodProcess
    if (!child) continue
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  await set.stop()
}

/** Runs a function with a new replica set; returns null without a `mongod`. */
export const withReplicaSet = async <A>(act: (set: MongoMemoryReplSet) => Promise<A>): Promise<A | null> => {
  if (!hasMongod()) return null
  const set = await startReplicaSet()
  try {
    return await act(set)
  } finally {
    await stop(set)
  }
}
