import type { MongoMemoryReplSet } from 'mongodb-memory-server'

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
