import { setImmediate } from 'node:timers'
import type { Clock } from '../../core/ports/clock.ts'

/** A clock that stands still until it is moved, or until somebody waits for it. */
export interface SetClock extends Clock {
  /** Moves by so many seconds, back where negative; fractions count down to the millisecond. */
  advance(seconds: number): void
  /** Moves to an instant; throws a RangeError where the text is none. */
  set(instant: string): void
}

/**
 * A clock for tests and simulations, standing at `start` (ISO 8601 with offset). A wait takes no real time: in the next
 * turn of the event loop the wait that ends first moves the clock to its end, so that nothing hangs on a still clock and
 * waits at the same time overlap.
 */
export const setClock = (start: string): SetClock => {
  let presentMs = Date.parse(new Date(start).toISOString())
  const waits: { readonly endMs: number; readonly done: () => void }[] = []
  const endFirst = () => {
    const first = waits.reduce((best, wait, at) => (wait.endMs < (waits[best]?.endMs ?? 0) ? at : best), 0)
    const [wait] = waits.splice(first, 1)
    if (!wait) return
    presentMs = Math.max(presentMs, wait.endMs)
    wait.done()
  }
  return {
    now: () => new Date(presentMs).toISOString(),
    wait: (milliseconds) =>
      new Promise((done) => {
        waits.push({ endMs: presentMs + Math.ceil(milliseconds), done })
        setImmediate(endFirst)
      }),
    advance: (seconds) => {
      presentMs += Math.round(seconds * 1000)
    },
    set: (instant) => {
      presentMs = Date.parse(new Date(instant).toISOString())
    },
  }
}
