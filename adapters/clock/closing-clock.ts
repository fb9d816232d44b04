import type { Clock } from '../../core/ports/runtime.ts'
import { machineTime } from './steady-time.ts'

/** A clock whose waits can be let go of, so that none holds up the end of its process. */
export interface ClosingClock extends Clock {
  /** Whoever still waits waits for ever: what they would do next has no place any more. */
  close(): void
}

/** The machine's own clock, for as long as a process serves. `report` is told in one line that it jumped ahead. */
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
