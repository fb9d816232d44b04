import type { Failure } from '../../failure.ts'
import { type Either, left, right } from '../../fp.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { always, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import type { CompletedPayOut } from '../../ports/bank.ts'
import type { Account } from '../accounts/account.ts'
import { tellLate } from '../bank/notices.ts'
import type { BankReply, Operation, Told, Verdict } from '../bank/operation.ts'
import { notLeftBy, UNAVAILABLE } from '../bank/operation.ts'
import { reserveUnique } from '../claim.ts'
import type { Sent as Kept } from '../duplicate-window.ts'
import type { Entry } from '../ledger/ledger.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { type EntryDetails, post } from '../ledger/post.ts'
import { TRANSFER_IN, TRANSFER_OUT } from '../ledger/transaction-type.ts'
import type { Membership } from '../members/membership.ts'
import { countInWindows, limitWindowsOf, uncount, type WindowSums } from '../withdrawals/limits.ts'
import { NO_TRANSFER, sentTransfers, type Transfer, transfers } from './transfer.ts'

/** What the outcome of a transfer is decided on. */
export interface OutcomeFacts extends WindowSums {
  readonly transfer: Transfer
  readonly from: Account
  readonly to: Account
  /** Who is told, and what was sent meanwhile, where it had failed before; null for any other. */
  readonly late: { readonly admins: readonly Membership[]; readonly sent: Kept | null } | null
}

/** What the bank has paid. */
export interface PaidTransfer extends Pick<CompletedPayOut, 'endToEndId'> {
  /** Whether the bank has told of it at the other end, where it was credited then. */
  readonly isCredited: boolean
}

/** With what it can fail. */
export type OutcomeCode = 'transfer.unknown' | 'bank.refused' | 'bank.unavailable'

/** What whoever comes when it has ended is told: the same. */
const resultOf = (transfer: Transfer): Either<Failure<OutcomeCode, never>, Transfer> =>
  transfer.failure === null ? right(transfer) : left(notLeftBy(transfer.failure))

/** Turns the bank's answer into the end of a transfer, once. Source: decisions.md §5. */
export const decideTransferOutcome = (
  { attempts }: Pick<Operation, 'attempts'>,
  facts: OutcomeFacts | null,
  reply: BankReply<PaidTransfer>,
  fresh: Fresh,
): Verdict<Transfer, OutcomeCode> => {
  if (!facts) return { is: 'withdrawn', value: left(NO_TRANSFER) }
  const value = right(facts.transfer)
  if (reply.outcome === 'unknown') return { is: 'asking', value }
  if (reply.outcome === 'done') return { is: 'done', ...complete(facts, reply.value, fresh) }
  // The first to ask took so long that somebody else asks too: what the bank says to them counts.
  if (reply.outcome === 'unavailable' && attempts > 0) return { is: 'superseded', value }
  return fail(facts, reply.outcome === 'refused' ? reply.reason : UNAVAILABLE, fresh)
}

/** Where the bank paid all the same what had failed here, that is posted: its word is what happened to the money. */
export const decideLateTransfer = (
  facts: OutcomeFacts | null,
  reply: BankReply<PaidTransfer> | null,
  fresh: Fresh,
): Told<Transfer, OutcomeCode> => {
  if (!facts) return { value: left(NO_TRANSFER) }
  const isLate = facts.transfer.status === 'failed' && reply?.outcome === 'done'
  if (!isLate) return { value: resultOf(facts.transfer) }
  const { transfer, late } = facts
  const { accountId, id: txid, valueCents } = transfer
  const { value, changes } = complete(facts, reply.value, fresh)
  const told = { txid, end_to_end_id: reply.value.endToEndId, value: reaisFromCents(valueCents) }
  return {
    value,
    changes: [
      ...changes,
      ...countInWindows(accountId, limitWindowsOf(transfer.createdAt), null, valueCents, fresh),
      ...sentTransfers.endLate(transfer, late?.sent ?? null, fresh.steady),
      ...tellLate(fresh, late?.admins ?? [], accountId, told),
    ],
  }
}

/** Gives back what was reserved. */
const release = ({ accountId, valueCents }: Transfer): Change =>
  patch(ledgerAccounts, ledgerAccountId(accountId, 'main'), { add: { availableCents: valueCents }, when: always })

const updateTransfer = ({ id, status }: Transfer, set: Partial<Transfer>): Change =>
  patch(transfers, id, { set, when: eq('status', status) })

const fail = (
  { transfer, daySum, nightSum }: OutcomeFacts,
  why: string,
  { now, steady }: Fresh,
): Verdict<Transfer, OutcomeCode> => ({
  is: 'refused',
  reason: why,
  value: left(notLeftBy(why)),
  changes: [
    updateTransfer(transfer, { status: 'failed', failure: why, ...NO_LONGER_COUNTED, updatedAt: now }),
    release(transfer),
    ...uncount(daySum, transfer.valueCents),
    ...uncount(nightSum, transfer.valueCents),
    sentTransfers.end(transfer, steady, false),
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
      ...(wasReserved ? [release(transfer), sentTransfers.end(transfer, fresh.steady, true)] : []),
      ...debit(fresh, transfer, entryDetailsOf(transfer, { from, to }, endToEndId, `Transferência para ${to.name}`)),
      ...(isCredited
        ? []
        : credit(fresh, transfer, entryDetailsOf(transfer, { from, to }, endToEndId, `Transferência de ${from.name}`))),
    ],
  }
}

/** What the two sides of a transfer are posted by, once each. */
export const transferOutCause = (id: string): string => `transfer-out:${id}`
export const transferInCause = (id: string): string => `transfer-in:${id}`

const debit = (fresh: Fresh, { id, accountId, valueCents }: Transfer, telling: EntryDetails): readonly Change[] =>
  post(fresh, {
    accountId,
    kind: 'main',
    cause: transferOutCause(id),
    lines: [{ type: TRANSFER_OUT, valueCents: -valueCents, against: 'clearing' }],
    telling,
  })

/** The Pix is the other account's from here on, whoever tells of it later. */
const credit = (fresh: Fresh, { id, toAccountId, valueCents }: Transfer, telling: EntryDetails): readonly Change[] => [
  reserveUnique('pix-in', telling.endToEnd ?? id, `account ${toAccountId}`, toAccountId),
  ...post(fresh, {
    accountId: toAccountId,
    kind: 'main',
    cause: transferInCause(id),
    lines: [{ type: TRANSFER_IN, valueCents, against: 'clearing' }],
    telling,
  }),
]

const entryDetailsOf = (
  { id, description }: Transfer,
  { from, to }: Pick<OutcomeFacts, 'from' | 'to'>,
  endToEnd: string,
  otherwise: string,
): EntryDetails => ({
  description: description ?? otherwise,
  chargeId: null,
  txid: id,
  endToEnd,
  payer: partyOf(from),
  receiver: partyOf(to),
})

const partyOf = ({ name, document, bankCode: bank, agency: branch, account }: Account): Entry['payer'] => ({
  name,
  document,
  bank,
  branch,
  account,
})
