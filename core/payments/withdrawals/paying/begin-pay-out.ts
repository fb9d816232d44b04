import { failure } from '../../../failure.ts'
import { type Change, insert } from '../../../kernel/records/change.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { addSeconds } from '../../../kernel/values/day.ts'
import type { PayOutOrder } from '../../../ports/bank.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import { type Account, stillActive } from '../../accounts/account.ts'
import { bankOperations, newOperation, type Operation, subjectOf } from '../../bank/operation.ts'
import type { BegunOperation } from '../../bank/resume-operation.ts'
import type { LimitWindows } from '../keepers/limit-window.ts'
import { countInWindows, countWaiting, windowSumIds } from '../keepers/pay-out-sum.ts'
import { sentWithdrawals } from '../keepers/sent-withdrawal.ts'
import { withdrawals } from '../withdrawal.ts'
import { reserve, type Valued } from './reserve.ts'

export const PAY_OUT = 'pay-out'
/** Longer than the bank may take for one call. */
export const PAY_OUT_LEASE_SECONDS = 60

export const UNSUPPORTED = failure('refused', 'bank.unsupported')

/** Where and by whom a withdrawal may leave: what was asked whether it may. */
export interface Going {
  readonly account: Account
  readonly feeCents: number
}

/** A withdrawal as it is handed to the bank. */
export const handed = <W extends Valued>(
  withdrawal: W,
  { feeCents }: Pick<Going, 'feeCents'>,
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

export interface BegunPayOut extends BegunOperation<PayOutOrder> {
  readonly withdrawal: Valued
}

/**
 * What begins a withdrawal, beside its own record: its money is reserved, its limits count it, nothing the same is begun beside
 * it, and the operation stands by which the bank is asked.
 */
export const beginPayOut = (
  cipher: Pick<Cipher, 'seal'>,
  withdrawal: Valued & { readonly operationId: string },
  { account }: Going,
  windows: LimitWindows,
  fresh: Fresh,
): { readonly begun: BegunPayOut; readonly changes: readonly Change[] } => {
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
      stillActive(accountId),
      reserve(withdrawal),
      ...countInWindows(accountId, windows, account.limits, valueCents, fresh),
      ...countWaiting(accountId),
      ...sentWithdrawals.hold(withdrawal, fresh.steady),
      insert(bankOperations, operation),
    ],
  }
}

const orderOf = (withdrawal: Valued, account: Account): PayOutOrder => {
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
