/** The time. Every instant of the core comes from here, so that tests and simulations own it. */
export interface Clock {
  /** The present instant, ISO 8601 in UTC with milliseconds: `2026-11-21T13:05:09.123Z`. */
  now(): string
  /** Resolves after so many milliseconds of this clock. */
  wait(milliseconds: number): Promise<void>
}
