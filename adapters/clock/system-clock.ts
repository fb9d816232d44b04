import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../core/ports/clock.ts'

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  wait: (milliseconds) => setTimeout(milliseconds),
}
