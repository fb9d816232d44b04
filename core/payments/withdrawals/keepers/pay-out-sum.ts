import { t } from '../../../fp.ts'
import { type Change, ensure, patch } from '../../../kernel/records/change.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record } from '../../../kernel/records/record.ts'
import { always, lt, lte } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import { plusSeconds } from '../../../kernel/values/day.ts'
import { MAX_WAITING_WITHDRAWALS } from '../../../limits.ts'
import type { AccountLimits } from '../../accounts/account.ts'
import type { LimitWindow } from './limit-window.ts'

const sum = record({
  /** `7|day|2026-11-23`, in cents; `7|waiting`, how many the bank has not answered. */
  id: t.string,
  accountId: t.number,
  amount: t.number,
  expiresAt: orNull(t.string),
})

/** What is summed over an account's withdrawals: every one that begins patches it, and gives back what fails. */
export type PayOutSum = t.TypeOf<typeof sum>

export const payOutSums: Collection<PayOutSum> = {
  name: 'payments.pay-out-sums',
  ids: 'text',
  codec: sum,
  owner: 'accountId',
  indexes: [{ sort: 'expiresAt', across: true }],
}

/** Longer than a bank may be silent about a withdrawal that gives back. */
const KEPT_SECONDS = 60 * 86_400

export const windowSumId = (accountId: number, { is, day }: LimitWindow): string => `${accountId}|${is}|${day}`
export const waitingSumId = (accountId: number): string => `${accountId}|waiting`

/** What may leave in a window; null is any amount. */
export const limitIn = (limits: AccountLimits, { is }: LimitWindow): number | null =>
  is === 'night' ? limits.pixOutNightlyCents : limits.pixOutDailyCents

/** Counts a withdrawal in its window, where its limit leaves room. */
export const countInWindow = (
  accountId: number,
  window: LimitWindow,
  limitCents: number | null,
  valueCents: number,
  { steady }: Pick<Fresh, 'steady'>,
): readonly Change[] => {
  const id = windowSumId(accountId, window)
  const when = limitCents === null ? always : lte<'amount'>('amount', limitCents - valueCents)
  return [
    ensure(payOutSums, { id, accountId, amount: 0, expiresAt: plusSeconds(steady, KEPT_SECONDS) }),
    patch(payOutSums, id, { add: { amount: valueCents }, when }),
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
