import { type Either, type Failure, left, right } from '../../failure.ts'
import { SNAKE_CASE } from '../../kernel/input/mod.ts'
import { type Change, eq, patch, type Taken } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import type { CompletedPayOut } from '../../ports/bank.ts'
import { type Account, entryPartyOf } from '../accounts/account.ts'
import {
  BANK_UNAVAILABLE,
  type BankReply,
  type Operation,
  type OperationResult,
  openVerdict,
  payOutFailure,
  UNAVAILABLE,
  type Verdict,
} from '../bank/operation.ts'
import { notifyAdmins, recordEvent } from '../events.ts'
import { type Line, PIX_OUT, PIX_OUT_FEE, post, postedEntries } from '../ledger/ledger.ts'
import {
  countInWindows,
  type DuplicateGuard,
  limitWindowsOf,
  type PayOutSum,
  release,
  sentWithdrawals,
  uncount,
  uncountInWindows,
  type WindowSums,
} from './limits.ts'
import { bankCodeOf, recordRecipient, type StoredRecipient } from './recipients.ts'
import { type WithdrawalDetail, withdrawalView } from './views.ts'
import {
  NO_WITHDRAWAL,
  searchOf,
  shownDocument,
  type ValuedWithdrawal,
  type Withdrawal,
  withdrawals,
} from './withdrawal.ts'

/** The facts on which the outcome of a withdrawal is decided. */
export interface PayOutSubject extends WithdrawalDetail, StoredRecipient, WindowSums {
  readonly withdrawal: ValuedWithdrawal
  readonly account: Account
  readonly waiting: PayOutSum | null
  /** The duplicate guard of a failed withdrawal; not read for others. */
  readonly sent: DuplicateGuard | null
}

export type PayOutCode = 'withdrawal.unknown' | 'bank.refused' | 'bank.unavailable'
type Outcome = Verdict<WithdrawalDetail, PayOutCode>

/** Decides the outcome of a pending withdrawal by the bank's answer. */
export const decidePayOut = (
  operation: Operation,
  subject: PayOutSubject | null,
  reply: BankReply<CompletedPayOut>,
  fresh: Fresh,
): Outcome => {
  if (!subject) return { is: 'withdrawn', value: left(NO_WITHDRAWAL) }
  const { withdrawal, entry } = subject
  const open = openVerdict<WithdrawalDetail>(operation, reply, right({ withdrawal, entry }))
  if (open) return open
  if (reply.outcome === 'done') return complete(operation, subject, reply.value, fresh)
  if (reply.outcome !== 'unavailable') {
    const reason = reply.outcome === 'refused' ? reply.reason : UNAVAILABLE
    return fail(operation, subject, reason, fresh)
  }
  return withdrawal.by === 'account'
    ? fail(operation, subject, UNAVAILABLE, fresh)
    : revertToAwaiting(operation, subject, fresh)
}

/** The result of a completed withdrawal, with the entry as posted by these changes. */
const posted = (withdrawal: Withdrawal, changes: readonly Change[]) => ({
  value: right({ withdrawal, entry: null }),
  valueAtCommit: (taken: Taken) => ({ withdrawal, entry: postedEntries(changes, taken)[0] ?? null }),
})

const complete = (operation: Operation, subject: PayOutSubject, paid: CompletedPayOut, fresh: Fresh): Outcome => {
  const { withdrawal, set, changes } = completionOf(subject, paid, fresh)
  return {
    is: 'done',
    ...posted(withdrawal, changes),
    changes: [
      updateWithdrawal(operation, withdrawal, set),
      release(withdrawal),
      ...uncount(subject.waiting, 1),
      sentWithdrawals.release(withdrawal, fresh.steady, true),
      ...changes,
    ],
  }
}

/**
 * Posts a failed withdrawal that the bank reports as paid. The balance may become negative: its reserve was released.
 */
export const decideLatePayOut = (
  operation: Operation,
  subject: PayOutSubject | null,
  reply: BankReply<CompletedPayOut> | null,
  fresh: Fresh,
): OperationResult<WithdrawalDetail, PayOutCode> => {
  const isLate = subject?.withdrawal.status === 'failed' && reply?.outcome === 'done'
  if (!isLate) return { value: resultOf(operation, subject) }
  const { withdrawal, set, changes } = completionOf(subject, reply.value, fresh)
  const { id, accountId, txid, endToEndId, valueCents } = withdrawal
  const data = { txid, end_to_end_id: endToEndId, value: reaisFromCents(valueCents) }
  return {
    ...posted(withdrawal, changes),
    changes: [
      patch(withdrawals, id, { set, when: eq('status', 'failed') }),
      ...changes,
      ...countInWindows(accountId, limitWindowsOf(withdrawal.handedAt ?? fresh.steady), null, valueCents, fresh),
      ...sentWithdrawals.completeLate(withdrawal, subject.sent, fresh.steady),
      notifyAdmins(fresh, accountId, 'pay_out.late', data),
    ],
  }
}

/** Returns the completed withdrawal, the patch of its record, and the other changes. */
const completionOf = (subject: PayOutSubject, paid: CompletedPayOut, fresh: Fresh) => {
  const { account } = subject
  const { endToEndId } = paid
  const set = {
    status: 'completed',
    endToEndId,
    answer: storedAnswer(subject.withdrawal, paid),
    search: searchOf({ ...subject.withdrawal, endToEndId }),
    failure: null,
    ...NO_LONGER_COUNTED,
    updatedAt: fresh.now,
  } as const
  const withdrawal = { ...subject.withdrawal, ...set }
  const changes = [
    ...postWithdrawal(fresh, withdrawal, account),
    ...recordRecipient(withdrawal.accountId, withdrawal, subject, fresh),
    eventOf(fresh, 'withdraw.completed', withdrawal),
  ]
  return { withdrawal, set, changes }
}

const NO_LONGER_COUNTED = { operationId: null, sumId: null, nightSumId: null, lookedUp: null } as const

const fail = (operation: Operation, subject: PayOutSubject, reason: string, fresh: Fresh): Outcome => {
  const answer = JSON.stringify({ reason })
  const set = { status: 'failed', failure: reason, answer, ...NO_LONGER_COUNTED, updatedAt: fresh.now } as const
  const withdrawal = { ...subject.withdrawal, ...set }
  const changes = [
    updateWithdrawal(operation, withdrawal, set),
    ...releaseAll(subject, fresh),
    eventOf(fresh, 'withdraw.failed', withdrawal),
  ]
  return { is: 'refused', reason, value: left(payOutFailure(reason)), changes }
}

/** Reverts a withdrawal whose order did not reach the bank to its look-up, so that it may be confirmed again. */
const revertToAwaiting = (operation: Operation, subject: PayOutSubject, fresh: Fresh): Outcome => {
  const unsent = { status: 'awaiting', handedAt: null, feeCents: 0, updatedAt: fresh.now } as const
  const set = { ...unsent, ...subject.withdrawal.lookedUp, ...NO_LONGER_COUNTED }
  const changes = [updateWithdrawal(operation, subject.withdrawal, set), ...releaseAll(subject, fresh)]
  return { is: 'refused', reason: UNAVAILABLE, value: left(BANK_UNAVAILABLE), changes }
}

/** Releases the reserved money, the counted amounts and the duplicate guard. */
const releaseAll = ({ withdrawal, waiting, ...sums }: PayOutSubject, { steady }: Fresh): readonly Change[] => [
  release(withdrawal),
  ...uncountInWindows(sums, withdrawal.valueCents),
  ...uncount(waiting, 1),
  sentWithdrawals.release(withdrawal, steady, false),
]

const updateWithdrawal = ({ id: operationId }: Operation, { id }: Withdrawal, set: Partial<Withdrawal>): Change =>
  patch(withdrawals, id, { set, when: eq('operationId', operationId) })

const eventOf = (fresh: Fresh, type: 'withdraw.completed' | 'withdraw.failed', withdrawal: Withdrawal): Change => {
  const data = withdrawalView.on(SNAKE_CASE).encode(withdrawal)
  return recordEvent(fresh, type, { accountId: withdrawal.accountId, subjectId: withdrawal.id, data, urls: [] })
}

const storedAnswer = ({ key }: Withdrawal, { endToEndId, paidAt, receiver }: CompletedPayOut): string => {
  const { name, document, ispb, branch, account, accountType: account_type } = receiver
  const shown = { name, document: shownDocument({ key, document }), ispb, branch, account, account_type }
  return JSON.stringify({ end_to_end_id: endToEndId, paid_at: paidAt, receiver: shown })
}

/** Returns the result of an ended operation. A refused operation whose withdrawal was paid late is a success. */
const resultOf = (
  { state, reason }: Pick<Operation, 'state' | 'reason'>,
  subject: PayOutSubject | null,
): Either<Failure<PayOutCode, never>, WithdrawalDetail> => {
  // There is no subject if the withdrawal was reverted to its look-up and has no value.
  if (state === 'refused' && subject?.withdrawal.status !== 'completed')
    return left(payOutFailure(reason ?? UNAVAILABLE))
  if (!subject) return left(NO_WITHDRAWAL)
  const { withdrawal, entry } = subject
  return right({ withdrawal, entry })
}

/** The cause of a withdrawal's journal, which is posted once. */
export const pixOutCause = (txid: string): string => `pix-out:${txid}`

/** Posts a completed withdrawal and its fee. */
const postWithdrawal = (fresh: Fresh, withdrawal: ValuedWithdrawal, account: Account): readonly Change[] => {
  const { accountId, valueCents, feeCents, txid, endToEndId, name, ispb, branch } = withdrawal
  const fee: readonly Line[] = feeCents > 0 ? [{ type: PIX_OUT_FEE, valueCents: -feeCents, against: 'fees' }] : []
  return post(fresh, {
    accountId,
    kind: 'main',
    cause: pixOutCause(txid),
    lines: [{ type: PIX_OUT, valueCents: -valueCents, against: 'clearing' }, ...fee],
    details: {
      description: withdrawal.message ?? `Pix para ${name}`,
      chargeId: null,
      txid,
      endToEnd: endToEndId,
      payer: entryPartyOf(account),
      receiver: {
        name,
        document: shownDocument(withdrawal),
        bank: bankCodeOf(ispb),
        branch,
        account: withdrawal.account,
      },
    },
  })
}
