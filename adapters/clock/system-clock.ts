import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../core/ports/runtime.ts'
import { warningLog } from '../telemetry/log.ts'

/** A larger jump ahead is followed only after `CONFIRMED_AFTER_MS`. */
const MAX_AHEAD_MS = 60_000
const CONFIRMED_AFTER_MS = 600_000

/** The wall clock and a monotonic clock at one moment. */
export interface ClockReading {
  readonly wallMs: number
  readonly monotonicMs: number
}

/** The steady time at a reading, and a jump of the wall clock that is not confirmed yet. */
export interface SteadyState extends ClockReading {
  readonly steadyMs: number
  /** The monotonic time of the jump; null while the steady time follows the wall clock. */
  readonly jumpedAtMs: number | null
}

// Field by field instead of a spread: every request reads the time several times.
const followWallClock = ({ wallMs, monotonicMs }: ClockReading): SteadyState => ({
  wallMs,
  monotonicMs,
  steadyMs: wallMs,
  jumpedAtMs: null,
})

/**
 * Returns the steady time at a reading after another; `null` for the first one. The steady time follows a wall clock
 * that keeps pace, slews or was set back, so slow drift does not add up. A jump ahead must hold for
 * `CONFIRMED_AFTER_MS`.
 */
export const steadyAt = (before: SteadyState | null, reading: ClockReading): SteadyState => {
  if (before === null) return followWallClock(reading)
  const passedMs = reading.monotonicMs - before.monotonicMs
  const steadyMs = before.steadyMs + passedMs
  if (reading.wallMs - steadyMs <= MAX_AHEAD_MS) return followWallClock(reading)
  // Another jump starts the confirmation again.
  const isSteadyJump = Math.abs(reading.wallMs - before.wallMs - passedMs) <= MAX_AHEAD_MS
  const jumpedAtMs = before.jumpedAtMs !== null && isSteadyJump ? before.jumpedAtMs : reading.monotonicMs
  if (reading.monotonicMs - jumpedAtMs >= CONFIRMED_AFTER_MS) return followWallClock(reading)
  return { ...reading, steadyMs, jumpedAtMs }
}

type Report = (line: string) => void

const jumpWarning = ({ wallMs, steadyMs }: SteadyState): string =>
  `the clock of this machine jumped ahead by ${Math.round((wallMs - steadyMs) / 1_000)} s: ` +
  `due times, expiries and the date ignore the jump until it has held for ${CONFIRMED_AFTER_MS / 60_000} minutes`

/** Creates the times of a clock from its readings. `report` receives one line for each jump ahead. */
export const steadyTime = (read: () => ClockReading, report: Report = () => {}): Pick<Clock, 'now' | 'steady'> => {
  let state = steadyAt(null, read())
  const textOf = cachedFormat()
  return {
    now: () => textOf(read().wallMs),
    steady: () => {
      const before = state
      state = steadyAt(before, read())
      if (state.jumpedAtMs !== null && state.jumpedAtMs !== before.jumpedAtMs) report(jumpWarning(state))
      return textOf(state.steadyMs)
    },
  }
}

/** Formats an instant. Consecutive calls are often in one millisecond, so the last text is cached. */
const cachedFormat = (): ((ms: number) => string) => {
  let last = Number.NaN
  let text = ''
  return (ms) => {
    if (ms === last) return text
    last = ms
    text = new Date(ms).toISOString()
    return text
  }
}

const readMachine = (): ClockReading => ({ wallMs: Date.now(), monotonicMs: performance.now() })

/** The times of this machine. */
const machineTime = (report?: Report): Pick<Clock, 'now' | 'steady'> => steadyTime(readMachine, report)

/** The clock of this machine. A jump is logged as a warning of the process. */
export const systemClock: Clock = { ...machineTime(warningLog.warn), wait: (milliseconds) => sleep(milliseconds) }

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
