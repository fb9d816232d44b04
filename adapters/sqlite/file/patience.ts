import { setTimeout as sleep } from 'node:timers/promises'
import { callersError, isBusy } from './driver.ts'

/** How long a call waits for another process that holds the file. */
export const BUSY_WAIT_MS = 5_000
const LONGEST_PAUSE_MS = 8

/** Does the work, again while another process is in its way, leaving the loop free meanwhile; then `StoreUnavailable`. */
export const patiently = async <T>(work: () => T, waitMs: number): Promise<T> => {
  const end = performance.now() + waitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw callersError(error)
    }
    // At random, so that two processes do not keep meeting.
    await sleep(pauseMs * Math.random() + 0.5)
  }
}
