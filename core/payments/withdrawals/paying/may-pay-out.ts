import { failure, invalid, issue } from '../../../failure.ts'
import { left, right } from '../../../fp.ts'
import { unavailable } from '../../../kernel/running/use-case.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import { formatReais } from '../../../kernel/values/money.ts'
import { MAX_WAITING_WITHDRAWALS } from '../../../limits.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { type BoundedCount, boundedCounts } from '../../bounded-count.ts'
import type { Sent } from '../../duplicate-window.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'
import { type LimitWindows, limitWindowsOf } from '../keepers/limit-window.ts'
import {
  leftInWindows,
  type PayOutSum,
  payOutSums,
  type WindowSums,
  waitingSumId,
  windowSumIds,
} from '../keepers/pay-out-sum.ts'
import { sentId, sentWithdrawals } from '../keepers/sent-withdrawal.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { lookupCountId } from './ask-key.ts'

/** What money that leaves is decided on, beside what it is. */
export interface PayOutFacts extends WindowSums {
  readonly account: Account | null
  readonly book: LedgerAccount | null
  readonly windows: LimitWindows
  readonly waiting: PayOutSum | null
  readonly sent: Sent | null
  /** The account's look-ups that no withdrawal followed. */
  readonly lookups: BoundedCount | null
}

/** What is asked: so much, to there. */
export type Asked = Pick<Withdrawal, 'destination'> & { readonly valueCents: number }

export const readPayOutFacts = async (
  store: Store,
  accountId: number,
  asked: Asked,
  now: Instant,
): Promise<PayOutFacts> => {
  const windows = limitWindowsOf(now)
  const { sumId, nightSumId } = windowSumIds(accountId, windows)
  const found = await store.read({
    account: byId(accounts, accountId),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
    daySum: byId(payOutSums, sumId),
    nightSum: byId(payOutSums, nightSumId ?? ''),
    waiting: byId(payOutSums, waitingSumId(accountId)),
    sent: byId(sentWithdrawals.collection, sentId({ accountId, ...asked })),
    lookups: byId(boundedCounts, lookupCountId(accountId)),
  })
  return { ...found, windows }
}

const wrongValue = <const C extends string>(code: C, maxCents?: number) =>
  left(invalid([issue('valueCents', code, maxCents === undefined ? undefined : { max: formatReais(maxCents) })]))

/**
 * Whether so much may leave, asked in the order of decisions.md §11: the organization, its limits, what would be sent twice, the
 * balance with the fee, and how many wait for the bank.
 * Fails: `account.unknown`, `organization.inactive`, `fields` (`withdrawal.limit`, `withdrawal.limit-left`,
 * `withdrawal.repeated`, `balance.insufficient`), `withdrawals.waiting`.
 */
export const mayPayOut = (facts: PayOutFacts, { valueCents }: Asked, now: Instant) => {
  const { account, book, windows, waiting, sent } = facts
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
  if (account.status !== 'ACTIVE') return left(failure('forbidden', 'organization.inactive'))
  const { pixOutPerTransactionCents: perTransaction } = account.limits
  if (perTransaction !== null && valueCents > perTransaction) return wrongValue('withdrawal.limit', perTransaction)
  const leftCents = leftInWindows(account.limits, windows, facts)
  if (leftCents !== null && valueCents > leftCents) return wrongValue('withdrawal.limit-left', leftCents)
  if (sentWithdrawals.isRepeat(sent, now)) return wrongValue('withdrawal.repeated')
  const feeCents = account.taxes.pixOutCents
  if ((book?.availableCents ?? 0) < valueCents + feeCents) return wrongValue('balance.insufficient')
  if ((waiting?.amount ?? 0) >= MAX_WAITING_WITHDRAWALS) return left(unavailable('withdrawals.waiting'))
  return right({ account, feeCents })
}
