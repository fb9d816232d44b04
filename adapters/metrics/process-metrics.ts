import { collectDefaultMetrics, Registry } from 'prom-client'

const LOOP_DELAY_EVERY_MS = 20

let known: Registry | null = null

/**
 * What a process tells of itself: processor time, memory, open files, collections of garbage, and the delay of the event
 * loop since anybody last asked. One for all that a process runs: its observers cannot be taken off again.
 */
export const processMetrics = (): Registry => {
  if (known) return known
  known = new Registry()
  collectDefaultMetrics({ register: known, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS })
  return known
}
