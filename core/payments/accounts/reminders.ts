import { t } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { nextRun } from '../../kernel/running/jobs.ts'
import { addDays, type Day, dayOf, type Instant } from '../../kernel/values/day.ts'
import type { PaymentsSettings } from '../payments-ports.ts'
import type { NotificationRule, NotificationRules } from './settings.ts'

/** The rules around the due date, in the order in which a day takes them. */
export const DUE_RULES = ['before_due', 'on_due', 'after_due'] as const
export type DueRule = (typeof DUE_RULES)[number]

const reminder = record({
  /** The id of the account. */
  id: t.number,
  /** When its next slice is due: at the hour of the daily schedules, or at once in the middle of a day's; null for none any more. */
  dueAt: orNull(t.string),
  attempts: t.number,
  /** The São Paulo day that was begun last. */
  day: orNull(t.string),
  /** The rule at which that day is; null once it is done. */
  rule: orNull(word(...DUE_RULES)),
  /** The last charge of that rule that was looked at. */
  afterId: t.number,
})

/** How far an account's payers are reminded: there is one for each account that ever had a rule around the due date. */
export type Reminders = t.TypeOf<typeof reminder>

export const reminders: Collection<Reminders> = {
  name: 'payments.reminders',
  ids: 'integer',
  codec: reminder,
  owner: null,
  conditions: { waiting: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: 'waiting', acrossOwners: true }],
}

/**
 * The changes that ride with the new rules of an account: with the first one around the due date its payers are reminded
 * from the next hour of the daily schedules on. `found` is what the account has.
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

/** A place in the charges that a day's reminders are about. */
export interface ReminderPlace {
  readonly day: Day
  readonly rule: DueRule
  readonly afterId: number
}

/**
 * Where to go on now; where there is nothing to be done, when there will be. A day on which no process ran until midnight
 * is not caught up with: that something is due today is no longer true tomorrow.
 */
export const nextReminderPlace = (
  { day, rule, afterId }: Pick<Reminders, 'day' | 'rule' | 'afterId'>,
  alertsAt: string,
  now: Instant,
): ReminderPlace | { readonly notBefore: Instant } => {
  const today = dayOf(now)
  const notBefore = nextRun({ at: alertsAt }, now)
  if (dayOf(notBefore) === today) return { notBefore }
  if (day !== today) return { day: today, rule: DUE_RULES[0], afterId: 0 }
  return rule === null ? { notBefore } : { day, rule, afterId }
}

const DEFAULT_DAYS = 1

/** The due date of the charges that a rule speaks of on a day. `on_due` means the day itself, whatever its `days`. */
export const dueDateFor = (name: DueRule, { days }: Pick<NotificationRule, 'days'>, day: Day): Day => {
  if (name === 'on_due') return day
  return addDays(day, (name === 'before_due' ? 1 : -1) * (days ?? DEFAULT_DAYS))
}
