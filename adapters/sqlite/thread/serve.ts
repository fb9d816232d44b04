import { parentPort, workerData } from 'node:worker_threads'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { type Connection, connect } from '../file/connection.ts'
import { openDatabase } from '../file/driver.ts'
import { BUSY_WAIT_MS, patiently } from '../file/patience.ts'
import type { FromThread, ToThread } from './messages.ts'

/** The other end of a side thread: its own connection, one piece of work after the other. */
export const serve = async <Work, Result>(
  start: (connection: Connection) => (work: Work) => Promise<Result>,
): Promise<void> => {
  const database = await openDatabase(workerData)
  const connection = await patiently(() => connect(database), BUSY_WAIT_MS)
  const carryOut = start(connection)

  const answer = async ({ number, work }: Exclude<ToThread<Work>, 'close'>): Promise<FromThread<Result>> => {
    try {
      return { number, result: await carryOut(work) }
    } catch (error) {
      return { number, failure: String(error), isUnavailable: error instanceof StoreUnavailable }
    }
  }

  parentPort?.on('message', async (message: ToThread<Work>) => {
    if (message !== 'close') parentPort?.postMessage(await answer(message))
    else {
      connection.close()
      parentPort?.postMessage('closed')
    }
  })
  // Deno drops what comes before somebody listens.
  parentPort?.postMessage('ready')
}
