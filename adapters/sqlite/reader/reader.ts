import { parentPort, workerData } from 'node:worker_threads'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { execute } from '../ask/execute.ts'
import { connect } from '../file/connection.ts'
import { openDatabase } from '../file/driver.ts'
import { BUSY_WAIT_MS, patiently } from '../file/patience.ts'
import type { FromReader, ToReader } from './reader-messages.ts'

// The thread for long walks: its own connection, one question after the other.
const database = await openDatabase(workerData)
const connection = await patiently(() => connect(database), BUSY_WAIT_MS)
connection.get('PRAGMA query_only=1')

const answer = async ({ number, plans }: Exclude<ToReader, 'close'>): Promise<FromReader> => {
  try {
    const read = () => connection.snapshot(() => plans.map((plan) => execute(connection, plan)))
    return { number, raws: await patiently(read, BUSY_WAIT_MS) }
  } catch (error) {
    return { number, failure: String(error), isUnavailable: error instanceof StoreUnavailable }
  }
}

parentPort?.on('message', async (message: ToReader) => {
  if (message !== 'close') parentPort?.postMessage(await answer(message))
  else {
    connection.close()
    parentPort?.postMessage('closed')
  }
})
// Deno drops what comes before somebody listens.
parentPort?.postMessage('ready')
