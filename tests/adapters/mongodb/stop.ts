import type { MongoMemoryReplSet } from 'mongodb-memory-server'

/**
 * The set's own stop asks the server to end through a client, which, where its connection ends just then, may never
 * close. The data is thrown away, so the server is killed.
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
