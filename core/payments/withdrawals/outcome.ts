import type { Failure } from '../../failure.ts'
import { type Either, left, right } from '../../fp.ts'
import { SNAKE_CASE } from '../../kernel/input/field.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import type { Json } from '../../kernel/records/record.ts'
import { always, eq, gte } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import type { CompletedPayOut } from '../../ports/bank.ts'
import type { Account } from '../accounts/account.ts'
import { tellLate } from '../bank/notices.ts'
import type { BankReply, Operation, Told, Verdict } from '../bank/operation.ts'
import { BANK_AWAY, notLeftBy, UNAVAILABLE } from '../bank/operation.ts'
import type { Sent } from '../duplicate-window.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { type Line, post } from '../ledger/post.ts'
import { PIX_OUT, PIX_OUT_FEE } from '../ledger/transaction-type.ts'
import type { Membership } from '../members/membership.ts'
import { recordEvent } from '../office.ts'
import { countInWindows, limitWindowsOf, type PayOutSum, sentWithdrawals, uncount, type WindowSums } from './limits.ts'
import { bankCodeOf, recordRecipient, type StoredRecipient } from './recipients.ts'
import { withdrawalView } from './views.ts'
import { NO_WITHDRAWAL, searchOf, shownDocument, type Withdrawal, withdrawals } from './withdrawal.ts'

/** What the outcome of a withdrawal is decided on. */
export interface PayOutSubject extends StoredRecipient, WindowSums {
  readonly withdrawal: ValuedWithdrawal
  readonly account: Account
  readonly waiting: PayOutSum | null
  /** Who is told, and what was sent meanwhile, where it had failed before; null for any other. */
  readonly late: LateFacts | null
}

interface LateFacts {
  readonly admins: readonly Membership[]
  readonly sent: Sent | null
}

/** With what it can fail. */
export type PayOutCode = 'withdrawal.unknown' | 'bank.refused' | 'bank.unavailable'
type Outcome = Verdict<Withdrawal, PayOutCode>

/** Turns the bank's answer into the end of a withdrawal, once. Source: decisions.md §5 and §11, Withdrawals. */
export const decidePayOut = (
  operation: Operation,
  subject: PayOutSubject | null,
  reply: BankReply<CompletedPayOut>,
  fresh: Fresh,
): Outcome => {
  if (!subject) return { is: 'withdrawn', value: left(NO_WITHDRAWAL) }
  const { withdrawal } = subject
  if (reply.outcome === 'unknown') return { is: 'asking', value: right(withdrawal) }
  if (reply.outcome === 'done') return complete(operation, subject, reply.value, fresh)
  if (reply.outcome !== 'unavailable') {
    const why = reply.outcome === 'refused' ? reply.reason : UNAVAILABLE
    return fail(operation, subject, why, fresh)
  }
  // The first to ask took so long that somebody else asks too: what the bank says to them counts.
  if (operation.attempts > 0) return { is: 'superseded', value: right(withdrawal) }
  return withdrawal.by === 'account'
    ? fail(operation, subject, UNAVAILABLE, fresh)
    : revertToAwaiting(operation, subject, fresh)
}

const complete = (operation: Operation, subject: PayOutSubject, paid: CompletedPayOut, fresh: Fresh): Outcome => {
  const { withdrawal, changes } = completionOf(subject, paid, fresh)
  return {
    is: 'done',
    value: right(withdrawal),
    changes: [
      updateWithdrawal(operation, withdrawal, completedFields(withdrawal)),
      release(withdrawal),
      ...uncount(subject.waiting, 1),
      sentWithdrawals.end(withdrawal, fresh.steady, true),
      ...changes,
    ],
  }
}

/**
 * Where the bank paid all the same what had failed here, that is posted: its word is what happened to the money. All that it
 * held was given back before. Source: decisions.md §11, Withdrawals (a bank's confirmation is never refused).
 */
export const decideLatePayOut = (
  operation: Operation,
  subject: PayOutSubject | null,
  reply: BankReply<CompletedPayOut> | null,
  fresh: Fresh,
): Told<Withdrawal, PayOutCode> => {
  const isLate = subject?.withdrawal.status === 'failed' && reply?.outcome === 'done'
  if (!isLate) return { value: payOutResult(operation, subject?.withdrawal ?? null, subject?.withdrawal ?? null) }
  const { withdrawal, changes } = completionOf(subject, reply.value, fresh)
  const { id, accountId, txid, endToEndId, valueCents } = withdrawal
  const { admins = [], sent = null } = subject.late ?? {}
  return {
    value: right(withdrawal),
    changes: [
      patch(withdrawals, id, { set: completedFields(withdrawal), when: eq('status', 'failed') }),
      ...changes,
      ...countInWindows(accountId, limitWindowsOf(withdrawal.handedAt ?? fresh.steady), null, valueCents, fresh),
      ...sentWithdrawals.endLate(withdrawal, sent, fresh.steady),
      ...tellLate(fresh, admins, accountId, { txid, end_to_end_id: endToEndId, value: reaisFromCents(valueCents) }),
    ],
  }
}

/** A withdrawal that has left, and what is written beside its own record. */
const completionOf = (subject: PayOutSubject, paid: CompletedPayOut, fresh: Fresh) => {
  const { account } = subject
  const { endToEndId } = paid
  const withdrawal = {
    ...subject.withdrawal,
    status: 'completed',
    endToEndId,
    answer: storedAnswer(subject.withdrawal, paid),
    search: searchOf({ ...subject.withdrawal, endToEndId }),
    failure: null,
    ...NO_LONGER_COUNTED,
    updatedAt: fresh.now,
  } as const
  const changes = [
    ...postWithdrawal(fresh, withdrawal, account),
    ...recordRecipient(withdrawal.accountId, withdrawal, subject, fresh),
    eventOf(fresh, 'withdraw.completed', withdrawal),
  ]
  return { withdrawal, changes }
}

/** What becomes of the record of one that has left. */
const completedFields = ({
  status,
  endToEndId,
  answer,
  search,
  failure,
  updatedAt,
}: Withdrawal): Partial<Withdrawal> => ({
  ...{ status, endToEndId, answer, search, failure, updatedAt },
  ...NO_LONGER_COUNTED,
})

const NO_LONGER_COUNTED = { operationId: null, sumId: null, nightSumId: null } as const

const fail = (operation: Operation, subject: PayOutSubject, why: string, fresh: Fresh): Outcome => {
  const answer = JSON.stringify({ reason: why })
  const set = { status: 'failed', failure: why, answer, ...NO_LONGER_COUNTED, updatedAt: fresh.now } as const
  const withdrawal = { ...subject.withdrawal, ...set }
  const changes = [
    updateWithdrawal(operation, withdrawal, set),
    ...releaseAll(subject, fresh),
    eventOf(fresh, 'withdraw.failed', withdrawal),
  ]
  return { is: 'refused', reason: why, value: left(notLeftBy(why)), changes }
}

/** The bank was not asked: whoever looked the key up may confirm it again. */
const revertToAwaiting = (operation: Operation, subject: PayOutSubject, fresh: Fresh): Outcome => {
  const set = { status: 'awaiting', handedAt: null, feeCents: 0, ...NO_LONGER_COUNTED, updatedAt: fresh.now } as const
  const changes = [updateWithdrawal(operation, subject.withdrawal, set), ...releaseAll(subject, fresh)]
  return { is: 'refused', reason: UNAVAILABLE, value: left(BANK_AWAY), changes }
}

/** All that a withdrawal held while it was with the bank. */
const releaseAll = ({ withdrawal, daySum, nightSum, waiting }: PayOutSubject, { steady }: Fresh): readonly Change[] => [
  release(withdrawal),
  ...uncount(daySum, withdrawal.valueCents),
  ...uncount(nightSum, withdrawal.valueCents),
  ...uncount(waiting, 1),
  sentWithdrawals.end(withdrawal, steady, false),
]

const updateWithdrawal = ({ id: operationId }: Operation, { id }: Withdrawal, set: Partial<Withdrawal>): Change =>
  patch(withdrawals, id, { set, when: eq('operationId', operationId) })

const eventOf = (fresh: Fresh, type: 'withdraw.completed' | 'withdraw.failed', withdrawal: Withdrawal): Change => {
  const data = withdrawalView.on(SNAKE_CASE).encode(withdrawal)
  return recordEvent(fresh, type, { accountId: withdrawal.accountId, subjectId: withdrawal.id, data, urls: [] })
}

/** What the bank said, as far as anybody is shown. */
const storedAnswer = ({ key }: Withdrawal, { endToEndId, paidAt, receiver }: CompletedPayOut): string => {
  const shown: Json = {
    end_to_end_id: endToEndId,
    paid_at: paidAt,
    receiver: {
      name: receiver.name,
      document: shownDocument({ key, document: receiver.document }),
      ispb: receiver.ispb,
      branch: receiver.branch,
      account: receiver.account,
      account_type: receiver.accountType,
    },
  }
  return JSON.stringify(shown)
}

/** What whoever comes when it has ended is told: the same, but of one that the bank has paid all the same. */
export const payOutResult = <W>(
  { state, reason }: Pick<Operation, 'state' | 'reason'>,
  withdrawal: Pick<Withdrawal, 'status'> | null,
  shown: W | null,
): Either<Failure<PayOutCode, never>, W> => {
  if (withdrawal === null || shown === null) return left(NO_WITHDRAWAL)
  return state === 'refused' && withdrawal.status !== 'completed'
    ? left(notLeftBy(reason ?? UNAVAILABLE))
    : right(shown)
}

/** A withdrawal whose value is known. */
export type ValuedWithdrawal = Withdrawal & { readonly valueCents: number }

type Debit = Pick<ValuedWithdrawal, 'accountId' | 'valueCents' | 'feeCents'>

const bookOf = ({ accountId }: Debit): string => ledgerAccountId(accountId, 'main')
const totalOf = ({ valueCents, feeCents }: Debit): number => valueCents + feeCents

/** Takes value and fee out of what may be spent, where there is as much: before the bank is asked. */
export const reserve = (spent: Debit): Change => {
  const total = totalOf(spent)
  return patch(ledgerAccounts, bookOf(spent), { add: { availableCents: -total }, when: gte('availableCents', total) })
}

/** Gives back what was reserved. */
export const release = (spent: Debit): Change =>
  patch(ledgerAccounts, bookOf(spent), { add: { availableCents: totalOf(spent) }, when: always })

/** What a withdrawal is posted by, once. */
export const pixOutCause = (txid: string): string => `pix-out:${txid}`

/** Posts a withdrawal that has left, once, with its fee beside it. Source: decisions.md §5. */
export const postWithdrawal = (
  fresh: Fresh,
  withdrawal: ValuedWithdrawal,
  account: Pick<Account, 'name' | 'document' | 'bankCode' | 'agency' | 'account'>,
): readonly Change[] => {
  const { accountId, valueCents, feeCents, txid, endToEndId, name, ispb, branch } = withdrawal
  const fee: readonly Line[] = feeCents > 0 ? [{ type: PIX_OUT_FEE, valueCents: -feeCents, against: 'fees' }] : []
  return post(fresh, {
    accountId,
    kind: 'main',
    cause: pixOutCause(txid),
    lines: [{ type: PIX_OUT, valueCents: -valueCents, against: 'clearing' }, ...fee],
    telling: {
      description: withdrawal.message ?? `Pix para ${name}`,
      chargeId: null,
      txid,
      endToEnd: endToEndId,
      payer: {
        name: account.name,
        document: account.document,
        bank: account.bankCode,
        branch: account.agency,
        account: account.account,
      },
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
