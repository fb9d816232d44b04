import { addSeconds, type Instant } from '../../kernel/values/day.ts'

/** Seconds between one failed try and the next: ten tries in three days. Source: decisions.md §3, Events. */
export const RETRY_STEPS_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/**
 * When to try again after so many tries, or null to give up. What the receiver asked for (`retryAfterSeconds`) counts
 * where it is longer than the next step.
 */
export const nextTry = (attempts: number, now: Instant, retryAfterSeconds: number | null): Instant | null => {
  const stepSeconds = RETRY_STEPS_SECONDS[attempts - 1]
  if (stepSeconds === undefined) return null
  return addSeconds(now, Math.max(stepSeconds, retryAfterSeconds ?? 0))
}
