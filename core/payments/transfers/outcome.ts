import { type Either, type Failure, left, right } from '../../failure.ts'
import { type Change, eq, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import type { CompletedPayOut } from '../../ports/bank.ts'
import { type Account, entryPartyOf } from '../accounts/account.ts'
import {
  type BankReply,
  type Operation,
  type OperationResult,
  openVerdict,
  payOutFailure,
  UNAVAILABLE,
  type Verdict,
} from '../bank/operation.ts'
import { reserveUnique } from '../claim.ts'
import { notifyAdmins } from '../events.ts'
import { type EntryDetails, post, TRANSFER_IN, TRANSFER_OUT } from '../ledger/ledger.ts'
import {
  countInWindows,
  type DuplicateGuard,
  limitWindowsOf,
  release,
  uncountInWindows,
  type WindowSums,
} from '../withdrawals/limits.ts'
import { NO_TRANSFER, sentTransfers, type Transfer, transfers } from './transfer.ts'

/** The facts on which the outcome of a transfer is decided. */
export interface OutcomeFacts extends WindowSums {
  readonly transfer: Transfer
  readonly from: Account
  readonly to: Account
  /** The duplicate guard of a failed transfer; not read for others. */
  readonly sent: DuplicateGuard | null
}

/** A transfer that the bank has paid. */
export interface PaidTransfer extends Pick<CompletedPayOut, 'endToEndId'> {
  /** True if the bank has already reported the Pix to the receiving account, which credited it. */
  readonly isCredited: boolean
}

export type OutcomeCode = 'transfer.unknown' | 'bank.refused' | 'bank.unavailable'

const resultOf = (transfer: Transfer): Either<Failure<OutcomeCode, never>, Transfer> =>
  transfer.failure === null ? right(transfer) : left(payOutFailure(transfer.failure))

/** Decides the outcome of a pending transfer by the bank's answer. */
export const decideTransferOutcome = (
  operation: Pick<Operation, 'attempts'>,
  facts: OutcomeFacts | null,
  reply: BankReply<PaidTransfer>,
  fresh: Fresh,
): Verdict<Transfer, OutcomeCode> => {
  if (!facts) return { is: 'withdrawn', value: left(NO_TRANSFER) }
  const open = openVerdict(operation, reply, right(facts.transfer))
  if (open) return open
  if (reply.outcome === 'done') return { is: 'done', ...complete(facts, reply.value, fresh) }
  return fail(facts, reply.outcome === 'refused' ? reply.reason : UNAVAILABLE, fresh)
}

/** Posts a transfer that had failed here if the bank reports it as paid: the bank's confirmation is never refused. */
export const decideLateTransfer = (
  facts: OutcomeFacts | null,
  reply: BankReply<PaidTransfer> | null,
  fresh: Fresh,
): OperationResult<Transfer, OutcomeCode> => {
  if (!facts) return { value: left(NO_TRANSFER) }
  const isLate = facts.transfer.status === 'failed' && reply?.outcome === 'done'
  if (!isLate) return { value: resultOf(facts.transfer) }
  const { transfer, sent } = facts
  const { accountId, id: txid, valueCents } = transfer
  const { value, changes } = complete(facts, reply.value, fresh)
  const data = { txid, end_to_end_id: reply.value.endToEndId, value: reaisFromCents(valueCents) }
  return {
    value,
    changes: [
      ...changes,
      ...countInWindows(accountId, limitWindowsOf(transfer.createdAt), null, valueCents, fresh),
      ...sentTransfers.completeLate(transfer, sent, fresh.steady),
      notifyAdmins(fresh, accountId, 'pay_out.late', data),
    ],
  }
}

const updateTransfer = ({ id, status }: Transfer, set: Partial<Transfer>): Change =>
  patch(transfers, id, { set, when: eq('status', status) })

const fail = (
  { transfer, ...sums }: OutcomeFacts,
  reason: string,
  { now, steady }: Fresh,
): Verdict<Transfer, OutcomeCode> => ({
  is: 'refused',
  reason,
  value: left(payOutFailure(reason)),
  changes: [
    updateTransfer(transfer, { status: 'failed', failure: reason, ...NO_LONGER_COUNTED, updatedAt: now }),
    release(transfer),
    ...uncountInWindows(sums, transfer.valueCents),
    sentTransfers.release(transfer, steady, false),
  ],
})

const NO_LONGER_COUNTED = { sumId: null, nightSumId: null } as const

const complete = (
  { transfer, from, to }: Pick<OutcomeFacts, 'transfer' | 'from' | 'to'>,
  { endToEndId, isCredited }: PaidTransfer,
  fresh: Fresh,
) => {
  const set = { status: 'completed', endToEndId, failure: null, ...NO_LONGER_COUNTED, updatedAt: fresh.now } as const
  const wasReserved = transfer.status === 'pending'
  return {
    value: right({ ...transfer, ...set }),
    changes: [
      updateTransfer(transfer, set),
      ...(wasReserved ? [release(transfer), sentTransfers.release(transfer, fresh.steady, true)] : []),
      ...debit(fresh, transfer, entryDetailsOf(transfer, { from, to }, endToEndId, `Transferência para ${to.name}`)),
      ...(isCredited
        ? []
        : credit(fresh, transfer, entryDetailsOf(transfer, { from, to }, endToEndId, `Transferência de ${from.name}`))),
    ],
  }
}

/** The causes of a transfer's two journals, each of which is posted once. */
export const transferOutCause = (id: string): string => `transfer-out:${id}`
export const transferInCause = (id: string): string => `transfer-in:${id}`

const debit = (fresh: Fresh, { id, accountId, valueCents }: Transfer, details: EntryDetails): readonly Change[] =>
  post(fresh, {
    accountId,
    kind: 'main',
    cause: transferOutCause(id),
    lines: [{ type: TRANSFER_OUT, valueCents: -valueCents, against: 'clearing' }],
    details,
  })

/** Claims the Pix for the receiving account, so that a later notice of the bank does not credit it again. */
const credit = (fresh: Fresh, { id, toAccountId, valueCents }: Transfer, details: EntryDetails): readonly Change[] => [
  reserveUnique('pix-in', details.endToEnd ?? id, `account ${toAccountId}`, toAccountId),
  ...post(fresh, {
    accountId: toAccountId,
    kind: 'main',
    cause: transferInCause(id),
    lines: [{ type: TRANSFER_IN, valueCents, against: 'clearing' }],
    details,
  }),
]

const entryDetailsOf = (
  { id, description }: Transfer,
  { from, to }: Pick<OutcomeFacts, 'from' | 'to'>,
  endToEnd: string,
  fallback: string,
): EntryDetails => ({
  description: description ?? fallback,
  chargeId: null,
  txid: id,
  endToEnd,
  payer: entryPartyOf(from),
  receiver: entryPartyOf(to),
})
