import { addDays, type Day, type Instant, localDateTime } from '../../../kernel/values/day.ts'

/** The hours of São Paulo from which it is night, and day. Source: decisions.md §1, Account fields. */
const NIGHT_FROM = 20
const DAY_FROM = 6

/** The stretches of time that have a limit of their own: a whole day, and the night that begins on a day. */
export interface LimitWindows {
  readonly day: Day
  /** Null by day. */
  readonly night: Day | null
}

/** Where an instant falls: 20:00 is night, 06:00 is not, and a night is one across midnight. Source: decisions.md §5. */
export const limitWindowsOf = (now: Instant): LimitWindows => {
  const local = localDateTime(now)
  const [day, hour] = [local.slice(0, 10), Number(local.slice(11, 13))]
  if (hour >= NIGHT_FROM) return { day, night: day }
  return { day, night: hour < DAY_FROM ? addDays(day, -1) : null }
}
