import { left, right } from '../../fp.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { type Entry, postedPayments } from '../ledger/entry.ts'
import { PIX_OUT } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { NO_WITHDRAWAL, type Withdrawal, withdrawals } from './withdrawal.ts'

/** A withdrawal with the line of the statement that posted it; null while none did. */
export interface WithdrawalDetail {
  readonly withdrawal: Withdrawal
  readonly entry: Entry | null
}

export const withEntry = async (store: Store, withdrawal: Withdrawal): Promise<WithdrawalDetail> => {
  const { accountId, endToEndId } = withdrawal
  if (endToEndId === null) return { withdrawal, entry: null }
  const { records } = await store.list(postedPayments(endToEndId, [PIX_OUT.id], accountId))
  return { withdrawal, entry: records[0] ?? null }
}

/**
 * A withdrawal of the account that was handed to the bank. Fails: `withdrawal.unknown`.
 * Source: 02-billing.md, GET /recipients/{id}.
 */
export const readWithdrawal =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: number | null) =>
    useCaseOf<WithdrawalDetail>()(async () => {
      const found = id === null ? null : await store.find(byId(withdrawals, id))
      if (found?.accountId !== accountId || found.handedAt === null) return left(NO_WITHDRAWAL)
      return right(await withEntry(store, found))
    })
