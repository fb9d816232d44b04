/** The time. Every instant of the core comes from here, so that tests and simulations own it. */
export interface Clock {
  /**
   * The present instant as the machine shows it, ISO 8601 in UTC with milliseconds: `2026-11-21T13:05:09.123Z`. By it is
   * stamped what people see, signed what others check, and leased what is in hand.
   */
  now(): string
  /**
   * The present instant by which the passing of time is judged: what is due, what has run out, which day it is. The same as
   * `now`, but where that has jumped ahead of what has passed: then it follows only when the jump has held for a while.
   */
  steady(): string
  /** Resolves after so many milliseconds of this clock. */
  wait(milliseconds: number): Promise<void>
}
