import type { Clock } from '../../core/ports/runtime.ts'

/** A clock that is set ahead by more than this is believed only after a while. Source: decisions.md §12. */
const MAX_AHEAD_MS = 60_000
/** How long a jump must have held. Source: decisions.md §12. */
const CONFIRMED_AFTER_MS = 600_000

/** What two clocks show at once, in milliseconds: one that people set, and one that only counts. */
export interface ClockReading {
  readonly wallMs: number
  readonly monotonicMs: number
}

/** The steady time at a reading, and the jump of the wall clock that is not believed yet. */
export interface SteadyState extends ClockReading {
  readonly steadyMs: number
  /** When it was first seen, by the clock that only counts; null where the wall clock is believed. */
  readonly jumpedAtMs: number | null
}

// Field by field: every request asks for the time more than once.
const followWallClock = ({ wallMs, monotonicMs }: ClockReading): SteadyState => ({
  wallMs,
  monotonicMs,
  steadyMs: wallMs,
  jumpedAtMs: null,
})

/**
 * The steady time at a reading that follows another. A wall clock that keeps pace, that slews, or that was set back is
 * believed at once, and so slow drift never adds up; a start (`null`) believes its clock. Source: decisions.md §12.
 */
export const steadyAt = (before: SteadyState | null, reading: ClockReading): SteadyState => {
  if (before === null) return followWallClock(reading)
  const passedMs = reading.monotonicMs - before.monotonicMs
  const steadyMs = before.steadyMs + passedMs
  if (reading.wallMs - steadyMs <= MAX_AHEAD_MS) return followWallClock(reading)
  // What is set once more, ahead or part of the way back, has to hold anew.
  const isSteadyJump = Math.abs(reading.wallMs - before.wallMs - passedMs) <= MAX_AHEAD_MS
  const jumpedAtMs = before.jumpedAtMs !== null && isSteadyJump ? before.jumpedAtMs : reading.monotonicMs
  if (reading.monotonicMs - jumpedAtMs >= CONFIRMED_AFTER_MS) return followWallClock(reading)
  return { ...reading, steadyMs, jumpedAtMs }
}

type Report = (line: string) => void

const jumpWarning = ({ wallMs, steadyMs }: SteadyState): string =>
  `the clock of this machine jumped ahead by ${Math.round((wallMs - steadyMs) / 1_000)} s: ` +
  `what is due, what runs out and the day go by the time that has passed until it has held for ${CONFIRMED_AFTER_MS / 60_000} minutes`

/** The times of a clock whose readings are these; `report` is told in one line of each jump that is first seen. */
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

/** An instant as text: those of one millisecond are asked for one after the other. */
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
export const machineTime = (report?: Report): Pick<Clock, 'now' | 'steady'> => steadyTime(readMachine, report)
