import { type Change, type Collection, insert, orNull, record, t, word } from '../../kernel/records/record.ts'
import { nextRun } from '../../kernel/running/jobs.ts'
import { queueParts } from '../../kernel/running/queue.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf, type Instant } from '../../kernel/values/day.ts'
import type { PaymentsSettings } from '../payments-ports.ts'
import type { NotificationRule, NotificationRules } from './account.ts'

/** The rules around the due date, in the order of a day's run. */
export const DUE_RULES = ['before_due', 'on_due', 'after_due'] as const
export type DueRule = (typeof DUE_RULES)[number]

const reminder = record({
  id: t.number,
  /** The time of the next slice: the hour of the daily schedules, or at once within a day's run; null for none. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The São Paulo day of the last run. */
  day: orNull(t.string),
  /** The current rule of that run; null once it is done. */
  rule: orNull(word(...DUE_RULES)),
  /** The id of the last processed charge of that rule. */
  afterId: t.number,
})

/** The progress of an account's reminders. Each account that ever had a rule around the due date has one. */
export type Reminders = t.TypeOf<typeof reminder>

export const reminders: Collection<Reminders> = {
  name: 'payments.reminders',
  ids: 'integer',
  codec: reminder,
  owner: null,
  ...queueParts(),
}

/**
 * Returns the changes that start the reminders of an account with its first rule around the due date, from the next
 * hour of the daily schedules on. `found` is the stored progress.
 */
export const startReminders = (
  { alertsAt }: Pick<PaymentsSettings, 'alertsAt'>,
  { steady }: Pick<Fresh, 'steady'>,
  accountId: number,
  rules: NotificationRules | null,
  found: Reminders | null,
): readonly Change[] => {
  if (found || !DUE_RULES.some((name) => rules?.[name]?.enabled)) return []
  const dueAt = nextRun({ at: alertsAt }, steady)
  return [insert(reminders, { id: accountId, dueAt, attempts: 0, day: null, rule: null, afterId: 0 })]
}

/** The position in the charges of a day's reminders. */
export interface ReminderPosition {
  readonly day: Day
  readonly rule: DueRule
  readonly afterId: number
}

/**
 * Returns the position to continue from, or the time before which nothing is due. A day on which no process ran until
 * midnight is skipped: a notice that a charge is due today would be false tomorrow.
 */
export const nextReminderPosition = (
  { day, rule, afterId }: Pick<Reminders, 'day' | 'rule' | 'afterId'>,
  alertsAt: string,
  now: Instant,
): ReminderPosition | { readonly notBefore: Instant } => {
  const today = dayOf(now)
  const notBefore = nextRun({ at: alertsAt }, now)
  if (dayOf(notBefore) === today) return { notBefore }
  if (day !== today) return { day: today, rule: DUE_RULES[0], afterId: 0 }
  return rule === null ? { notBefore } : { day, rule, afterId }
}

const DEFAULT_DAYS = 1

/** Returns the due date of the charges that a rule concerns on a day. `on_due` is the day itself and ignores `days`. */
export const dueDateFor = (name: DueRule, { days }: Pick<NotificationRule, 'days'>, day: Day): Day => {
  if (name === 'on_due') return day
  return addDays(day, (name === 'before_due' ? 1 : -1) * (days ?? DEFAULT_DAYS))
}
