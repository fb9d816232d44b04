import { invalid, isLeft, issue, left, right } from '../../failure.ts'
import { pick } from '../../kernel/input/mod.ts'
import type { Change } from '../../kernel/records/record.ts'
import {
  accept,
  type FactsOf,
  type Fresh,
  operationUseCase,
  type UseCase,
  unavailable,
} from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { MAX_WAITING_WITHDRAWALS } from '../../limits.ts'
import type { Bank, CompletedPayOut, PayOutOrder } from '../../ports/bank.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, checkActive } from '../accounts/account.ts'
import { beginOperation, NO_ANSWER, type StartedBankOperation, subjectOf } from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import { boundedCounts, releasePlace } from '../bounded-count.ts'
import { type Challenge, findConfirmation, useConfirmation } from '../challenges/challenge.ts'
import { bookOf } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { lookupCountId } from './key-lookup.ts'
import {
  countInWindows,
  countWaiting,
  type LimitWindows,
  leftInWindows,
  limitWindowsOf,
  payingAccount,
  payOutSums,
  reserve,
  sentId,
  sentWithdrawals,
  type WindowSums,
  waitingSumId,
  windowSumIds,
  windowSumQueries,
} from './limits.ts'
import { decideLatePayOut, decidePayOut, type PayOutCode, type PayOutSubject } from './outcome.ts'
import { paidParties, recipientKey, recipients } from './recipients.ts'
import { type WithdrawalDetail, withEntry } from './views.ts'
import {
  NO_WITHDRAWAL,
  receiverOf,
  searchOf,
  type ValuedWithdrawal,
  type Withdrawal,
  type WithdrawalPayer,
  withdrawals,
} from './withdrawal.ts'

type PayOutRequest = Pick<ValuedWithdrawal, 'destination' | 'valueCents'>

export const payOutQueries = (
  ports: Pick<PaymentsPorts, 'digest'>,
  payer: WithdrawalPayer,
  request: PayOutRequest,
  windows: LimitWindows,
) => {
  const { accountId } = payer
  return {
    account: byId(accounts, accountId),
    book: bookOf(accountId),
    ...windowSumQueries(windowSumIds(accountId, windows)),
    waiting: byId(payOutSums, waitingSumId(accountId)),
    sent: byId(sentWithdrawals.collection, sentId({ accountId, ...request })),
    // Counts the key look-ups without a confirmed withdrawal.
    lookups: byId(boundedCounts, lookupCountId(accountId)),
    ...findConfirmation(ports, payer),
  }
}

export const readPayOutFacts = async (
  ports: Pick<PaymentsPorts, 'clock' | 'digest'>,
  store: Store,
  payer: WithdrawalPayer,
  request: PayOutRequest,
) => {
  const windows = limitWindowsOf(ports.clock.steady())
  return { ...(await store.read(payOutQueries(ports, payer, request, windows))), windows }
}

/** The facts on which a pay-out is decided. */
export type PayOutFacts = FactsOf<typeof readPayOutFacts>

/**
 * Checks whether a value may be paid out, in this order: the account, its limits, a repeat of an earlier withdrawal,
 * the balance with the fee, and the number of withdrawals that wait for the bank. Returns the account and its fee.
 */
export const checkPayOut = (facts: PayOutFacts, valueCents: number, now: Instant) => {
  const { book, windows, waiting, sent } = facts
  const active = payingAccount(facts.account)
  if (isLeft(active)) return active
  const account = active.right
  const { pixOutPerTransactionCents: perTransaction } = account.limits
  if (perTransaction !== null && valueCents > perTransaction) return wrongValue('withdrawal.limit', perTransaction)
  const leftCents = leftInWindows(account.limits, windows, facts)
  if (leftCents !== null && valueCents > leftCents) return wrongValue('withdrawal.limit-left', leftCents)
  if (sentWithdrawals.isDuplicate(sent, now)) return wrongValue('withdrawal.repeated')
  const feeCents = account.taxes.pixOutCents
  if ((book?.availableCents ?? 0) < valueCents + feeCents) return wrongValue('balance.insufficient')
  if ((waiting?.amount ?? 0) >= MAX_WAITING_WITHDRAWALS) return left(unavailable('withdrawals.waiting'))
  return right({ account, feeCents })
}

const wrongValue = <const C extends string>(code: C, maxCents?: number) =>
  left(invalid([issue('valueCents', code, maxCents === undefined ? undefined : { max: formatReais(maxCents) })]))

/** Sends orders to a bank, and finds them by our id. */
export const payOutCalls = ({ payOuts }: Bank) => ({
  send: async (order: PayOutOrder) => (await payOuts?.payOut(order)) ?? NO_ANSWER,
  find: async ({ id }: PayOutOrder) => (await payOuts?.findPayOut(id)) ?? NO_ANSWER,
})

/** The common part of the bank operations that send money once: withdrawals and transfers. */
export const SEND_ONCE = {
  atOnce: 8,
  /** Exceeds the longest call of the bank. */
  leaseSeconds: 60,
  firstWaitSeconds: 2,
  longestWaitSeconds: 60,
  // A confirmed payment cannot be cancelled.
  isWanted: () => true,
  send: null,
  // An order that the bank does not have after 60 s has failed; for 3 h more it is looked up, since it may arrive late.
  once: { lostAfterSeconds: 60, lateCheckSeconds: 3 * 3_600 },
} as const

const PAY_OUT = { kind: 'pay-out', ...SEND_ONCE } as const

/**
 * Starts a pay-out that passes `checkPayOut`: reserves the money, counts the value in the limits, reserves the
 * duplicate window, stops counting the key look-up, and stores the bank operation. `write` stores the withdrawal.
 */
export const startPayOut = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  facts: PayOutFacts,
  awaiting: ValuedWithdrawal,
  fresh: Fresh,
  write: (withdrawal: ValuedWithdrawal) => Change,
) => {
  const { id, accountId, valueCents, lookupSince } = awaiting
  const checked = checkPayOut(facts, valueCents, fresh.steady)
  if (isLeft(checked)) return checked
  const { account, feeCents } = checked.right
  const confirmed = confirmValue(account, valueCents, awaiting.userId, facts, fresh)
  if (isLeft(confirmed)) return confirmed
  const operationId = fresh.uuid()
  const withdrawal: ValuedWithdrawal = {
    ...awaiting,
    status: 'pending',
    feeCents,
    operationId,
    failure: null,
    ...windowSumIds(accountId, facts.windows),
    lookupSince: null,
    // Computed again, because releases before 0.14.0 stored the whole document of a person in it.
    search: searchOf(awaiting),
    handedAt: fresh.now,
    updatedAt: fresh.now,
  }
  const input = { id: operationId, accountId, subject: subjectOf(withdrawals, id), order: orderOf(withdrawal, account) }
  const { started, change } = beginOperation(cipher, PAY_OUT, input, fresh)
  return accept<StartedPayOut>(
    { ...started, committed: withdrawal },
    checkActive(accountId),
    write(withdrawal),
    reserve(withdrawal),
    ...countInWindows(accountId, facts.windows, confirmed.right.limits, valueCents, fresh),
    ...countWaiting(accountId),
    ...sentWithdrawals.reserve(withdrawal, fresh.steady),
    ...releasePlace(facts.lookups, lookupSince, fresh.steady),
    ...confirmed.right.changes,
    change,
  )
}

/**
 * Uses the confirmation by the second factor if the account requires one for the value, or for the sum of the day.
 * Returns the limits in which the value is counted: without a confirmation, the sum of the day must stay below the
 * threshold, also if other payments start at the same instant. Fails: `second-factor.required`.
 */
export const confirmValue = (
  {
    limits,
    secondFactorFromCents: from,
    secondFactorDayFromCents: dayFrom,
  }: Pick<Account, 'limits' | 'secondFactorFromCents' | 'secondFactorDayFromCents'>,
  valueCents: number,
  userId: number,
  { confirmation, daySum }: Pick<WindowSums, 'daySum'> & { readonly confirmation?: Challenge | null },
  fresh: Pick<Fresh, 'now' | 'steady'>,
) => {
  const dayCents = (daySum?.amount ?? 0) + valueCents
  if ((from === null || valueCents < from) && (dayFrom === null || dayCents < dayFrom)) {
    const daily = Math.min(limits.pixOutDailyCents ?? Infinity, (dayFrom ?? Infinity) - 1)
    return right({ changes: [], limits: { ...limits, pixOutDailyCents: daily === Infinity ? null : daily } })
  }
  const used = useConfirmation(confirmation, userId, fresh)
  return isLeft(used) ? used : right({ changes: [used.right], limits })
}

export type StartedPayOut = StartedBankOperation<PayOutOrder, ValuedWithdrawal>

const orderOf = (withdrawal: ValuedWithdrawal, account: Account): PayOutOrder => {
  const { txid, valueCents, message } = withdrawal
  const { key, ...holder } = receiverOf(withdrawal)
  return { id: txid, from: payerOf(account), to: key === null ? { holder } : { key }, valueCents, message }
}

/** Returns the account to debit, in the form of an order. */
export const payerOf = (payer: Account): PayOutOrder['from'] =>
  pick(payer, 'name', 'document', 'agency', 'account', 'pixKey')

/** Starts a withdrawal, sends it to the bank and returns its result. */
export const payOutUseCase = <C extends string, I extends string>(
  ports: PaymentsPorts,
  start: UseCase<StartedPayOut, C, I>,
) =>
  operationUseCase(
    start,
    (started) => {
      const { orPending, send } = payOutOperations(ports)
      return orPending(started.intent, send(started, payOutCalls(ports.bank).send))
    },
    resumePayOut(ports),
  )

export const resumePayOut = (ports: PaymentsPorts) => (intent: string) => {
  const { orPending, repeat } = payOutOperations(ports)
  return orPending(intent, repeat(intent))
}

/** The bank operations of withdrawals. Each is sent once; its outcome is requested by the withdrawal's txid. */
export const payOutOperations = (ports: PaymentsPorts) =>
  operationsOf<PayOutSubject | null, PayOutOrder, CompletedPayOut, WithdrawalDetail, PayOutCode, Withdrawal>(ports, {
    read: async (store, { subject: [, id] }, committed) =>
      readSubject(store, committed ?? (await store.find(byId(withdrawals, Number(id))))),
    find: payOutCalls(ports.bank).find,
    decide: decidePayOut,
    ended: decideLatePayOut,
    unknown: NO_WITHDRAWAL,
    ...PAY_OUT,
  })

const readSubject = async (store: Store, withdrawal: Withdrawal | null): Promise<PayOutSubject | null> => {
  if (!withdrawal || !isValued(withdrawal)) return null
  const { accountId, destination, document } = withdrawal
  const { account, ...facts } = await store.read({
    account: byId(accounts, accountId),
    ...windowSumQueries(withdrawal),
    waiting: byId(payOutSums, waitingSumId(accountId)),
    recipient: byKey(recipients, 'destination', recipientKey(accountId, destination)),
    party: byKey(paidParties, 'document', recipientKey(accountId, document)),
  })
  if (!account) return null
  const isFailed = withdrawal.status === 'failed'
  const sent = isFailed ? await store.find(byId(sentWithdrawals.collection, sentId(withdrawal))) : null
  const { entry } = await withEntry(store, withdrawal)
  return { withdrawal, entry, account, ...facts, sent }
}

const isValued = (withdrawal: Withdrawal): withdrawal is ValuedWithdrawal => withdrawal.valueCents !== null
