import { nullable, oneOf, output, timestamp, view } from '../../kernel/input/mod.ts'
import {
  all,
  always,
  any,
  type Change,
  ensure,
  eq,
  expiringCollection,
  insert,
  lt,
  lte,
  orNull,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addDays, addSeconds, type Day, type Instant, localDateTime, startOfDay } from '../../kernel/values/day.ts'
import { MAX_WAITING_WITHDRAWALS } from '../../limits.ts'
import { byId } from '../../ports/store.ts'
import { type Account, type AccountLimits, accounts, activeAccount, isExisting } from '../accounts/account.ts'
import { releaseBalance, reserveBalance } from '../ledger/ledger.ts'
import { accountRead } from '../payments-ports.ts'
import type { Withdrawal } from './withdrawal.ts'

const sent = record({
  /** The account, the destination and the value of the payment. */
  id: t.string,
  accountId: t.number,
  /** The payment that waits for the bank. */
  pendingId: orNull(t.union([t.string, t.number])),
  completedAt: orNull(t.string),
  /** The end of the window; null while a payment waits for the bank. */
  expiresAt: orNull(t.string),
})

/** The guard record against duplicate payments: every payment of a value to one destination patches it. */
export type DuplicateGuard = t.TypeOf<typeof sent>

interface OutgoingPayment {
  readonly id: string | number
  readonly accountId: number
}

/**
 * Creates a guard against duplicate payments: an equal payment is refused while one waits for the bank, and for
 * `seconds` after its completion. `idOf` returns the same id for equal payments.
 */
export const duplicateWindow = <S extends OutgoingPayment>(
  name: string,
  seconds: number,
  idOf: (payment: Omit<S, 'id'>) => string,
) => {
  const collection = expiringCollection(name, sent, 'accountId')
  return {
    collection,
    isDuplicate: (known: Pick<DuplicateGuard, 'pendingId' | 'completedAt'> | null, now: Instant): boolean =>
      known !== null &&
      (known.pendingId !== null || (known.completedAt !== null && now < addSeconds(known.completedAt, seconds))),
    /** Reserves the window for a payment. The commit is stale if another payment has reserved it. */
    reserve: (payment: S, now: Instant): readonly Change[] => {
      const id = idOf(payment)
      const free = all(
        eq('pendingId', null),
        any(eq('completedAt', null), lte('completedAt', addSeconds(now, -seconds))),
      )
      const { accountId, id: pendingId } = payment
      return [
        ensure(collection, { id, accountId, pendingId: null, completedAt: null, expiresAt: null }),
        patch(collection, id, { set: { pendingId, expiresAt: null }, when: free }),
      ]
    },
    /** Starts the window of a failed payment that was completed late, even if another payment waits for the bank. */
    completeLate: (payment: S, known: DuplicateGuard | null, now: Instant): readonly Change[] => {
      const [id, expiresAt] = [idOf(payment), addSeconds(now, seconds)]
      const { accountId } = payment
      if (known === null) return [insert(collection, { id, accountId, pendingId: null, completedAt: now, expiresAt })]
      const { pendingId } = known
      const set = { completedAt: now, expiresAt: pendingId === null ? expiresAt : null }
      return [patch(collection, id, { set, when: eq('pendingId', pendingId) })]
    },
    /** Ends a payment: a completed one starts the window, a failed one may be repeated at once. */
    release: (payment: S, now: Instant, isCompleted: boolean): Change =>
      patch(collection, idOf(payment), {
        set: { pendingId: null, ...(isCompleted ? { completedAt: now } : {}), expiresAt: addSeconds(now, seconds) },
        when: eq('pendingId', payment.id),
      }),
  }
}

/** Returns the account if it may pay out. Fails: `account.unknown` (removed too), `organization.inactive`. */
export const payingAccount = (account: Account | null) => activeAccount(isExisting(account) ? account : null)

interface Debit {
  readonly accountId: number
  readonly valueCents: number
  readonly feeCents?: number
}

/** Reserves value and fee before the bank is called. */
export const reserve = ({ accountId, valueCents, feeCents = 0 }: Debit): Change =>
  reserveBalance(accountId, valueCents + feeCents)

export const release = ({ accountId, valueCents, feeCents = 0 }: Debit): Change =>
  releaseBalance(accountId, valueCents + feeCents)

/** The hours of São Paulo at which night and day begin. */
const NIGHT_FROM = 20
const DAY_FROM = 6

/** The windows with a limit of their own: a whole day, and the night that begins on a day. */
export interface LimitWindows {
  readonly day: Day
  /** Null in the daytime. */
  readonly night: Day | null
}

/** Returns the windows of an instant. 20:00 is night, 06:00 is day; a night continues after midnight. */
export const limitWindowsOf = (now: Instant): LimitWindows => {
  const local = localDateTime(now)
  const [day, hour] = [local.slice(0, 10), Number(local.slice(11, 13))]
  if (hour >= NIGHT_FROM) return { day, night: day }
  return { day, night: hour < DAY_FROM ? addDays(day, -1) : null }
}

/** Returns the ends of the windows; null for the night in the daytime. */
const windowEnds = ({ day, night }: LimitWindows) => ({
  day: startOfDay(addDays(day, 1)),
  night: night === null ? null : addSeconds(startOfDay(addDays(night, 1)), DAY_FROM * 3_600),
})

const sum = record({
  /** `7|day|2026-11-23` and `7|night|2026-11-23`: cents; `7|waiting`: the number of unanswered withdrawals. */
  id: t.string,
  accountId: t.number,
  amount: t.number,
  expiresAt: orNull(t.string),
})

/** A sum over an account's withdrawals and internal transfers: a start adds the amount and a failure subtracts it. */
export type PayOutSum = t.TypeOf<typeof sum>

export const payOutSums = expiringCollection('payments.pay-out-sums', sum, 'accountId')

/** Exceeds the longest time in which a withdrawal can fail and subtract its amount. */
const STORED_SECONDS = 60 * 86_400

/** The ids of the sums in which a payment counts: that of its day, and at night also that of the night. */
export const windowSumIds = (accountId: number, { day, night }: LimitWindows) => ({
  sumId: `${accountId}|day|${day}`,
  nightSumId: night === null ? null : `${accountId}|night|${night}`,
})
export const waitingSumId = (accountId: number): string => `${accountId}|waiting`

export const windowSumQueries = ({ sumId, nightSumId }: Pick<Withdrawal, 'sumId' | 'nightSumId'>) => ({
  daySum: byId(payOutSums, sumId ?? ''),
  nightSum: byId(payOutSums, nightSumId ?? ''),
})

/** The current sums of the limits; null if no payment counts in one. */
export interface WindowSums {
  readonly daySum: PayOutSum | null
  readonly nightSum: PayOutSum | null
}

/** Returns the amount that the limits still allow; null if there is no limit. */
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

/** Returns the rest of a limit, below zero if the limit was lowered; null without a limit. */
const leftOf = (limitCents: number | null, sumOf: PayOutSum | null): number | null =>
  limitCents === null ? null : limitCents - (sumOf?.amount ?? 0)

/** Counts a payment in its windows. The commit fails if a limit would be exceeded; null limits are not checked. */
export const countInWindows = (
  accountId: number,
  windows: LimitWindows,
  limits: AccountLimits | null,
  valueCents: number,
  { steady }: Pick<Fresh, 'steady'>,
): readonly Change[] => {
  const counted = (id: string, limitCents: number | null): readonly Change[] => [
    ensure(payOutSums, { id, accountId, amount: 0, expiresAt: addSeconds(steady, STORED_SECONDS) }),
    patch(payOutSums, id, {
      add: { amount: valueCents },
      when: limitCents === null ? always : lte('amount', limitCents - valueCents),
    }),
  ]
  const { sumId, nightSumId } = windowSumIds(accountId, windows)
  return [
    ...counted(sumId, limits?.pixOutDailyCents ?? null),
    ...(nightSumId === null ? [] : counted(nightSumId, limits?.pixOutNightlyCents ?? null)),
  ]
}

/** Subtracts a failed payment from its windows. */
export const uncountInWindows = ({ daySum, nightSum }: WindowSums, valueCents: number): readonly Change[] => [
  ...uncount(daySum, valueCents),
  ...uncount(nightSum, valueCents),
]

/** Counts one more withdrawal that waits for the bank. The commit fails above `MAX_WAITING_WITHDRAWALS`. */
export const countWaiting = (accountId: number): readonly Change[] => {
  const id = waitingSumId(accountId)
  return [
    ensure(payOutSums, { id, accountId, amount: 0, expiresAt: null }),
    patch(payOutSums, id, { add: { amount: 1 }, when: lt('amount', MAX_WAITING_WITHDRAWALS) }),
  ]
}

/** Subtracts an amount from a sum, if the sum still exists. */
export const uncount = (sumOf: PayOutSum | null, amount: number): readonly Change[] =>
  sumOf ? [patch(payOutSums, sumOf.id, { add: { amount: -amount }, when: always })] : []

/** The fields that identify a withdrawal and its duplicates. */
type DuplicateKey = Pick<Withdrawal, 'id' | 'accountId' | 'destination' | 'valueCents'>

/** The time after a withdrawal in which the same value to the same receiving account is refused as a repeat. */
export const REPEAT_SECONDS = 3_600

export const sentId = ({ accountId, destination, valueCents }: Omit<DuplicateKey, 'id'>): string =>
  `${accountId}|${valueCents ?? '-'}|${destination}`

/** Allows one withdrawal of a value to a receiving account within `REPEAT_SECONDS`. */
export const sentWithdrawals = duplicateWindow<DuplicateKey>('payments.sent-withdrawals', REPEAT_SECONDS, sentId)

const PERIODS = ['transaction', 'day', 'night'] as const

/** A limit on Pix payments and transfers, and the part of it that is used. */
export interface LimitUse {
  readonly period: (typeof PERIODS)[number]
  /** Null without a limit. */
  readonly limitCents: number | null
  /** Null for the limit of one transaction, and for the night in the daytime. */
  readonly usedCents: number | null
  /** Null without a limit. */
  readonly leftCents: number | null
  /** The end of the current period; null for the limit of one transaction, and for the night in the daytime. */
  readonly resetsAt: Instant | null
}

export const readLimits = accountRead(
  'account.unknown',
  async ({ store, clock }, accountId): Promise<readonly LimitUse[] | null> => {
    const windows = limitWindowsOf(clock.steady())
    const queries = { account: byId(accounts, accountId), ...windowSumQueries(windowSumIds(accountId, windows)) }
    const { account, daySum, nightSum } = await store.read(queries)
    if (!isExisting(account)) return null
    const { pixOutPerTransactionCents: each, pixOutDailyCents, pixOutNightlyCents } = account.limits
    const ends = windowEnds(windows)
    const used = (limitCents: number | null, sum: typeof daySum) => {
      const left = leftOf(limitCents, sum)
      return { limitCents, usedCents: sum?.amount ?? 0, leftCents: left === null ? null : Math.max(0, left) }
    }
    return [
      { period: 'transaction', limitCents: each, usedCents: null, leftCents: each, resetsAt: null },
      { period: 'day', ...used(pixOutDailyCents, daySum), resetsAt: ends.day },
      {
        period: 'night',
        ...used(pixOutNightlyCents, nightSum),
        ...(windows.night === null && { usedCents: null }),
        resetsAt: ends.night,
      },
    ]
  },
)

export const limitUseView = view(
  'LimitUse',
  {
    kind: oneOf(['pix_out'], { about: 'O que o limite conta: Pix enviados e transferências, sem tarifas' }),
    period: oneOf(PERIODS, { about: 'Em que período: por transação, no dia, ou na noite, das 20h às 6h' }),
    limitCents: nullable(output.money({ wire: 'limit', about: 'Limite; nulo se não há' })),
    usedCents: nullable(
      output.money({ wire: 'used', about: 'Quanto dele foi usado; nulo por transação, e para a noite durante o dia' }),
    ),
    leftCents: nullable(output.money({ wire: 'left', about: 'Quanto resta dele; nulo se não há limite' })),
    resetsAt: nullable(
      timestamp({ about: 'Quando o período termina; nulo por transação, e para a noite durante o dia' }),
    ),
  },
  (use: LimitUse) => ({ ...use, kind: 'pix_out' as const }),
)
