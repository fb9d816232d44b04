import { MOST_SKEW_MS } from '../environment/agenda.ts'
import type { Invariant } from './judged.ts'

/** Nothing is dated or over before its time, whatever somebody has set a clock to for a while. */
export const inTime: Invariant = ({ held, environment }) => {
  const latest = new Date(environment.agenda.nowMs() + MOST_SKEW_MS).toISOString()
  return [
    ...held.entries.filter(({ datetime }) => datetime > latest).map(({ id }) => `entry ${id} is dated ahead`),
    ...held.charges
      .filter(({ status, lapsesAt }) => status === 'expired' && (lapsesAt ?? latest) > latest)
      .map(({ id }) => `charge ${id} expired before its time`),
  ]
}
