import { setImmediate } from 'node:timers'
import type { Clock } from '../../core/ports/runtime.ts'
import { steadyTime } from './system-clock.ts'

/** A clock that moves only when it is set, or by a wait. */
export interface SetClock extends Clock {
  /** Moves by seconds, with fractions to the millisecond; back if negative. */
  advance(seconds: number): void
  /** Moves to an instant. Throws a RangeError for any other text. */
  set(instant: string): void
  /** Moves the wall clock by seconds without passing time; back if negative. */
  jump(seconds: number): void
}

/**
 * Creates a clock for tests and simulations at `start` (ISO 8601 with offset). A wait takes no real time: in the next
 * turn of the event loop, the wait that ends first moves the clock to its end. Concurrent waits overlap.
 */
export const setClock = (start: string): SetClock => {
  let wallMs = Date.parse(new Date(start).toISOString())
  let monotonicMs = 0
  const move = (milliseconds: number): void => {
    wallMs += milliseconds
    monotonicMs += Math.max(0, milliseconds)
  }
  const waits: { readonly endMs: number; readonly done: () => void }[] = []
  const endFirst = () => {
    const first = waits.reduce((best, wait, at) => (wait.endMs < (waits[best]?.endMs ?? 0) ? at : best), 0)
    const [wait] = waits.splice(first, 1)
    if (!wait) return
    move(Math.max(0, wait.endMs - monotonicMs))
    wait.done()
  }
  return {
    ...steadyTime(() => ({ wallMs, monotonicMs })),
    wait: (milliseconds) =>
      new Promise((done) => {
        waits.push({ endMs: monotonicMs + Math.ceil(milliseconds), done })
        setImmediate(endFirst)
      }),
    advance: (seconds) => move(Math.round(seconds * 1000)),
    set: (instant) => move(Date.parse(new Date(instant).toISOString()) - wallMs),
    jump: (seconds) => {
      wallMs += Math.round(seconds * 1000)
    },
  }
}
