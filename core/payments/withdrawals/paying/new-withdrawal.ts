import type { Fresh } from '../../../kernel/running/fresh.ts'
import { randomCode } from '../../../kernel/running/fresh.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import type { Bank } from '../../../ports/bank.ts'
import { destinationOf, type Receiver, searchOf, type Withdrawal, withdrawals } from '../withdrawal.ts'

/** The account that pays out, and the user who orders it. */
export interface WithdrawalPayer {
  readonly accountId: number
  readonly userId: number
}

/** A withdrawal that was not handed to the bank yet. */
export const newWithdrawal = <V extends number | null>(
  { txidLength }: Pick<Bank, 'txidLength'>,
  { accountId, userId }: WithdrawalPayer,
  to: Receiver,
  {
    valueCents,
    message,
    lookupSince = null,
  }: { readonly valueCents: V; readonly message: string | null; readonly lookupSince?: Instant | null },
  fresh: Fresh,
): Withdrawal & { readonly valueCents: V } => {
  const txid = randomCode(fresh, txidLength)
  return {
    id: fresh.id(withdrawals),
    accountId,
    userId,
    by: to.key === null ? 'account' : 'key',
    status: 'awaiting',
    txid,
    endToEndId: null,
    valueCents,
    feeCents: 0,
    ...receiverOf(to),
    destination: destinationOf(to),
    message,
    answer: null,
    failure: null,
    operationId: null,
    sumId: null,
    nightSumId: null,
    lookupSince,
    search: searchOf({ ...to, txid, endToEndId: null }),
    handedAt: null,
    createdAt: fresh.now,
    updatedAt: fresh.now,
  }
}

const receiverOf = ({ key, name, document, ispb, branch, account, accountType }: Receiver): Receiver => ({
  key,
  name,
  document,
  ispb,
  branch,
  account,
  accountType,
})
