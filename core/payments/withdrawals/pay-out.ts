import { failure, invalid, issue } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { type Change, insert } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, finishOperation, unavailable, useCaseOf } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { MAX_WAITING_WITHDRAWALS } from '../../limits.ts'
import type { BankAnswer, CompletedPayOut, PayOutOrder } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, checkActive } from '../accounts/account.ts'
import { SENT_ONCE } from '../bank/notices.ts'
import { bankOperations, newOperation, type Operation, subjectOf } from '../bank/operation.ts'
import { type BegunOperation, operationsOf } from '../bank/run-operation.ts'
import { type BoundedCount, boundedCounts } from '../bounded-count.ts'
import type { Sent } from '../duplicate-window.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { adminsOf } from '../members/membership.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { lookupCountId } from './key-lookup.ts'
import {
  countInWindows,
  countWaiting,
  type LimitWindows,
  leftInWindows,
  limitWindowsOf,
  type PayOutSum,
  payOutSums,
  sentId,
  sentWithdrawals,
  type WindowSums,
  waitingSumId,
  windowSumIds,
} from './limits.ts'
import {
  decideLatePayOut,
  decidePayOut,
  type PayOutCode,
  type PayOutSubject,
  payOutResult,
  reserve,
  type ValuedWithdrawal,
} from './outcome.ts'
import { paidParties, recipientKey, recipients } from './recipients.ts'
import { type WithdrawalDetail, withEntry } from './views.ts'
import { NO_WITHDRAWAL, type Withdrawal, withdrawals } from './withdrawal.ts'

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
export type PayOutRequest = Pick<Withdrawal, 'destination'> & { readonly valueCents: number }

export const readPayOutFacts = async (
  store: Store,
  accountId: number,
  asked: PayOutRequest,
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
export const checkPayOut = (facts: PayOutFacts, { valueCents }: PayOutRequest, now: Instant) => {
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

export const PAY_OUT = 'pay-out'
/** Longer than the bank may take for one call. */
export const PAY_OUT_LEASE_SECONDS = 60

/** Where and by whom a withdrawal may leave: what was asked whether it may. */
export interface PayOutContext {
  readonly account: Account
  readonly feeCents: number
}

/** A withdrawal as it is handed to the bank. */
export const asSubmitted = <W extends ValuedWithdrawal>(
  withdrawal: W,
  { feeCents }: Pick<PayOutContext, 'feeCents'>,
  windows: LimitWindows,
  { now }: Pick<Fresh, 'now'>,
  operationId: string,
): W => ({
  ...withdrawal,
  status: 'pending',
  feeCents,
  operationId,
  failure: null,
  ...windowSumIds(withdrawal.accountId, windows),
  handedAt: now,
  updatedAt: now,
})

export interface StartedPayOut extends BegunOperation<PayOutOrder> {
  readonly withdrawal: ValuedWithdrawal
}

/**
 * What begins a withdrawal, beside its own record: its money is reserved, its limits count it, nothing the same is begun beside
 * it, and the operation stands by which the bank is asked.
 */
export const startPayOut = (
  cipher: Pick<Cipher, 'seal'>,
  withdrawal: ValuedWithdrawal & { readonly operationId: string },
  { account }: PayOutContext,
  windows: LimitWindows,
  fresh: Fresh,
): { readonly begun: StartedPayOut; readonly changes: readonly Change[] } => {
  const { id, accountId, valueCents, operationId } = withdrawal
  const order = orderOf(withdrawal, account)
  const operation: Operation = newOperation<PayOutOrder>(
    cipher,
    {
      id: operationId,
      accountId,
      kind: PAY_OUT,
      subject: subjectOf(withdrawals, id),
      order,
      dueAt: addSeconds(fresh.now, PAY_OUT_LEASE_SECONDS),
    },
    fresh,
  )
  return {
    begun: { intent: operationId, order, operation, withdrawal },
    changes: [
      checkActive(accountId),
      reserve(withdrawal),
      ...countInWindows(accountId, windows, account.limits, valueCents, fresh),
      ...countWaiting(accountId),
      ...sentWithdrawals.hold(withdrawal, fresh.steady),
      insert(bankOperations, operation),
    ],
  }
}

const orderOf = (withdrawal: ValuedWithdrawal, account: Account): PayOutOrder => {
  const { txid, valueCents, message, key, name, document, ispb, branch, accountType } = withdrawal
  return {
    id: txid,
    from: {
      name: account.name,
      document: account.document,
      agency: account.agency,
      account: account.account,
      pixKey: account.pixKey,
    },
    to: key === null ? { holder: { name, document, ispb, branch, account: withdrawal.account, accountType } } : { key },
    valueCents,
    message,
  }
}

const PLACES = 8
/** Source: decisions.md §11, Withdrawals. */
const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 60

/** Withdrawals that the bank is asked for, each once, by its own txid. Source: decisions.md §5. */
export const payOutOperations = (ports: PaymentsPorts) =>
  operationsOf<PayOutSubject | null, PayOutOrder, CompletedPayOut, Withdrawal, PayOutCode>(ports, {
    kind: PAY_OUT,
    places: PLACES,
    leaseSeconds: PAY_OUT_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    longestWaitSeconds: LONGEST_WAIT_SECONDS,
    read: (store, { subject: [, id] }) => readSubject(store, Number(id)),
    // Nobody takes back what was confirmed.
    wanted: () => true,
    send: null,
    once: SENT_ONCE,
    find: async (order) => (await ports.bank.payOuts?.findPayOut(order.id)) ?? AWAY,
    decide: decidePayOut,
    endOpening: decideLatePayOut,
    unknown: NO_WITHDRAWAL,
  })

const AWAY = { outcome: 'unavailable' } as const

const sendPayOut =
  ({ bank }: Pick<PaymentsPorts, 'bank'>) =>
  async (order: PayOutOrder): Promise<BankAnswer<CompletedPayOut>> =>
    (await bank.payOuts?.payOut(order)) ?? AWAY

const isValued = (withdrawal: Withdrawal): withdrawal is ValuedWithdrawal => withdrawal.valueCents !== null

const readSubject = async (store: Store, id: number): Promise<PayOutSubject | null> => {
  const withdrawal = await store.find(byId(withdrawals, id))
  if (!withdrawal || !isValued(withdrawal)) return null
  const { accountId, destination, document, sumId, nightSumId } = withdrawal
  const { account, ...known } = await store.read({
    account: byId(accounts, accountId),
    daySum: byId(payOutSums, sumId ?? ''),
    nightSum: byId(payOutSums, nightSumId ?? ''),
    waiting: byId(payOutSums, waitingSumId(accountId)),
    recipient: byKey(recipients, 'destination', recipientKey(accountId, destination)),
    party: byKey(paidParties, 'document', recipientKey(accountId, document)),
  })
  return (
    account && {
      withdrawal,
      account,
      ...known,
      late: withdrawal.status === 'failed' ? await readLateFacts(store, withdrawal) : null,
    }
  )
}

const readLateFacts = async (store: Store, { id: _, ...sent }: ValuedWithdrawal) => {
  const found = await store.read({
    admins: adminsOf(sent.accountId),
    sent: byId(sentWithdrawals.collection, sentId(sent)),
  })
  return { admins: found.admins.records, sent: found.sent }
}

/** Hands a withdrawal that was begun to the bank, and tells what became of it. */
export const executePayOut = (ports: PaymentsPorts, begun: StartedPayOut) =>
  useCaseOf<WithdrawalDetail>()(async (hooks) => {
    await payOutOperations(ports).first(begun, sendPayOut(ports))()
    return readResult(ports, begun.intent)(hooks)
  })

/**
 * Carries on a withdrawal of which the bank has said nothing yet, by what it was begun as.
 * Fails: `withdrawal.unknown`, `bank.refused`, `bank.unavailable`. Source: decisions.md §5.
 */
export const resumePayOut = (ports: PaymentsPorts) => (intent: string) =>
  useCaseOf<WithdrawalDetail>()(async (hooks) => {
    await payOutOperations(ports).again(intent)()
    return readResult(ports, intent)(hooks)
  })

/** As it stands, with the line of its statement: what is told is kept with the caller's key. */
const readResult = (ports: PaymentsPorts, intent: string) =>
  finishOperation(
    ports,
    async (store) => {
      const operation = await store.find(byId(bankOperations, intent))
      if (operation?.kind !== PAY_OUT) return null
      const withdrawal = await store.find(byId(withdrawals, operation.subject[1]))
      return { operation, detail: withdrawal && (await withEntry(store, withdrawal)) }
    },
    (facts) =>
      facts
        ? accept(payOutResult(facts.operation, facts.detail?.withdrawal ?? null, facts.detail))
        : left(NO_WITHDRAWAL),
  )
