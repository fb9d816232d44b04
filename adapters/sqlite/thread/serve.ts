import { workerData } from 'node:worker_threads'
import { serveThread } from '../../threads/serve-thread.ts'
import { type Connection, connect } from '../file/connection.ts'
import { openDatabase } from '../file/driver.ts'
import { BUSY_WAIT_MS, patiently } from '../file/patience.ts'

/** The other end of a side thread that has a connection of its own. */
export const serve = async <Work, Result>(
  start: (connection: Connection) => (work: Work) => Promise<Result>,
): Promise<void> => {
  const database = await openDatabase(workerData)
  const connection = await patiently(() => connect(database), BUSY_WAIT_MS)
  serveThread(start(connection), () => connection.close())
}
