import { t } from '../../fp.ts'
import { type Change, ensure, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { always, lt, lte } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { addDays, addSeconds, type Day, type Instant, localDateTime } from '../../kernel/values/day.ts'
import { MAX_WAITING_WITHDRAWALS } from '../../limits.ts'
import type { AccountLimits } from '../accounts/account.ts'
import { duplicateWindow } from '../duplicate-window.ts'
import type { Withdrawal } from './withdrawal.ts'

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

const sum = record({
  /** `7|day|2026-11-23` and `7|night|2026-11-23`, in cents; `7|waiting`, how many the bank has not answered. */
  id: t.string,
  accountId: t.number,
  amount: t.number,
  expiresAt: orNull(t.string),
})

/**
 * A sum over an account's withdrawals and internal transfers: each one that starts adds to it, and each one that fails gives its
 * amount back.
 */
export type PayOutSum = t.TypeOf<typeof sum>

export const payOutSums: Collection<PayOutSum> = {
  name: 'payments.pay-out-sums',
  ids: 'text',
  codec: sum,
  owner: 'accountId',
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** Longer than a bank may be silent about a withdrawal that gives back. */
const KEPT_SECONDS = 60 * 86_400

/** The sums in which money that leaves counts: of its day, and by night of that night too. */
export const windowSumIds = (accountId: number, { day, night }: LimitWindows) => ({
  sumId: `${accountId}|day|${day}`,
  nightSumId: night === null ? null : `${accountId}|night|${night}`,
})
export const waitingSumId = (accountId: number): string => `${accountId}|waiting`

/** The sums of the limits as they stand; null where nothing counts in one. */
export interface WindowSums {
  readonly daySum: PayOutSum | null
  readonly nightSum: PayOutSum | null
}

/** What may still leave; null is any amount. */
export const leftInWindows = (
  limits: AccountLimits,
  { night }: LimitWindows,
  { daySum, nightSum }: WindowSums,
): number | null => {
  const left = [
    leftOf(limits.pixOutDailyCents, daySum),
    ...(night === null ? [] : [leftOf(limits.pixOutNightlyCents, nightSum)]),
  ].filter((each) => each !== null)
  return left.length === 0 ? null : Math.max(0, Math.min(...left))
}

const leftOf = (limitCents: number | null, sumOf: PayOutSum | null): number | null =>
  limitCents === null ? null : limitCents - (sumOf?.amount ?? 0)

/** Counts money that leaves in its windows, if their limits leave room; without limits, whatever the sums hold. */
export const countInWindows = (
  accountId: number,
  windows: LimitWindows,
  limits: AccountLimits | null,
  valueCents: number,
  { steady }: Pick<Fresh, 'steady'>,
): readonly Change[] => {
  const counted = (id: string, limitCents: number | null): readonly Change[] => [
    ensure(payOutSums, { id, accountId, amount: 0, expiresAt: addSeconds(steady, KEPT_SECONDS) }),
    patch(payOutSums, id, {
      add: { amount: valueCents },
      when: limitCents === null ? always : lte<'amount'>('amount', limitCents - valueCents),
    }),
  ]
  const { sumId, nightSumId } = windowSumIds(accountId, windows)
  return [
    ...counted(sumId, limits?.pixOutDailyCents ?? null),
    ...(nightSumId === null ? [] : counted(nightSumId, limits?.pixOutNightlyCents ?? null)),
  ]
}

/** Counts one more that waits for the bank, where there is room. */
export const countWaiting = (accountId: number): readonly Change[] => {
  const id = waitingSumId(accountId)
  return [
    ensure(payOutSums, { id, accountId, amount: 0, expiresAt: null }),
    patch(payOutSums, id, { add: { amount: 1 }, when: lt('amount', MAX_WAITING_WITHDRAWALS) }),
  ]
}

/** Gives back what was counted, where the sum is still there. */
export const uncount = (sumOf: PayOutSum | null, amount: number): readonly Change[] =>
  sumOf ? [patch(payOutSums, sumOf.id, { add: { amount: -amount }, when: always })] : []

/** What makes a withdrawal the same as another. */
type Same = Pick<Withdrawal, 'id' | 'accountId' | 'destination' | 'valueCents'>

/** How long the same again is a mistake. Source: 02-billing.md, Limits. */
export const REPEAT_SECONDS = 3_600

/** What is the same: an account's value to one place; without a value `-`. */
export const sentId = ({ accountId, destination, valueCents }: Omit<Same, 'id'>): string =>
  `${accountId}|${valueCents ?? '-'}|${destination}`

/** Withdrawals of a value to one place, each once in an hour. */
export const sentWithdrawals = duplicateWindow<Same>('payments.sent-withdrawals', REPEAT_SECONDS, sentId)
