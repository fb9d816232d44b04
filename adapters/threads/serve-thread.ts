import { parentPort } from 'node:worker_threads'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { FromThread, ToThread } from './messages.ts'

/** The other end of a side thread: one answer for each piece of work, and an end when it is told to close. */
export const serveThread = <Work, Result>(
  carryOut: (work: Work) => Promise<Result>,
  close: () => void = () => {},
): void => {
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
      close()
      parentPort?.postMessage('closed')
    }
  })
  // Deno drops what comes before somebody listens.
  parentPort?.postMessage('ready')
}
