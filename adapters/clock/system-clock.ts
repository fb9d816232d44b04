import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../core/ports/runtime.ts'
import { warningLog } from '../telemetry/log.ts'
import { machineTime } from './steady-time.ts'

/** The clock of this machine. A jump is logged as a warning of the process. */
export const systemClock: Clock = {
  ...machineTime(warningLog.warn),
  wait: (milliseconds) => sleep(milliseconds),
}

/** A clock whose waits can be abandoned, so that they do not delay the end of the process. */
export interface ClosingClock extends Clock {
  /** Abandons all waits: their promises never settle. */
  close(): void
}

/** The clock of this machine while a server runs. `report` receives one line for each jump ahead. */
export const closingClock = (report?: (line: string) => void): ClosingClock => {
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false
  return {
    ...machineTime(report),
    wait: (milliseconds) =>
      new Promise((resolve) => {
        if (isClosed) return
        const timer = setTimeout(() => {
          timers.delete(timer)
          resolve()
        }, milliseconds)
        timers.add(timer)
      }),
    close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
