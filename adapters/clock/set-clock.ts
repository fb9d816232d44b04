import { setImmediate } from 'node:timers'
import type { Clock } from '../../core/ports/runtime.ts'
import { steadyTime } from './steady-time.ts'

/** A clock that stands still until it is moved, or until somebody waits for it. */
export interface SetClock extends Clock {
  /** Moves by so many seconds, back where negative; fractions count down to the millisecond. */
  advance(seconds: number): void
  /** Moves to an instant; throws a RangeError where the text is none. */
  set(instant: string): void
  /** Sets what it shows ahead by so many seconds in which no time passes, back where negative. */
  jump(seconds: number): void
}

/**
 * A clock for tests and simulations, standing at `start` (ISO 8601 with offset). A wait takes no real time: in the next
 * turn of the event loop the wait that ends first moves the clock to its end, so that nothing hangs on a still clock and
 * waits at the same time overlap.
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
