import { addDays, type Day, type Instant, localDateTime } from '../../../kernel/values/day.ts'

/** The hours of São Paulo from which it is night, and day. Source: decisions.md §1, Account fields. */
const NIGHT_FROM = 20
const DAY_FROM = 6

/** A stretch of time that has a limit of its own: the hours of a day, or the night that begins on it. */
export interface LimitWindow {
  readonly is: 'day' | 'night'
  readonly day: Day
}

/** Where an instant falls: 20:00 is night, 06:00 is day, and a night is one across midnight. */
export const limitWindowOf = (now: Instant): LimitWindow => {
  const local = localDateTime(now)
  const [day, hour] = [local.slice(0, 10), Number(local.slice(11, 13))]
  if (hour >= NIGHT_FROM) return { is: 'night', day }
  return hour < DAY_FROM ? { is: 'night', day: addDays(day, -1) } : { is: 'day', day }
}
