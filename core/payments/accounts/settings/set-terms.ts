import { failure, invalid, issue } from '../../../failure.ts'
import { isLeft, left } from '../../../fp.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { decided, useCase, useCaseOf } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { Origin } from '../../actor.ts'
import { bankByCode } from '../../banks.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { readPixKey } from '../../pix/pix-key.ts'
import { type Account, type AccountLimits, accounts, type Fees } from '../account.ts'
import { accountLine } from './account-line.ts'
import { changeAccount } from './change-account.ts'

/** What a bank's back office sets; what is left out stays. */
export interface Terms {
  readonly taxes?: Partial<Fees>
  readonly limits?: Partial<AccountLimits>
  readonly bankCode?: string
  /** Null removes it. */
  readonly pixKey?: string | null
}

/**
 * Sets an account's fees, limits, bank and Pix key, key by key: the bank's word, not the merchant's.
 * Fails: `account.unknown`, `fields` (`bank_code`, `pix_key`). Source: decisions.md §8.
 */
export const setTerms = (ports: PaymentsPorts) => {
  const line = accountLine(ports.store)
  return (accountId: number, terms: Terms, origin: Origin | null = null) => {
    const set = useCase(
      ports,
      (store) => store.find(byId(accounts, accountId)),
      (account, fresh) => decideTerms(account, terms, origin, fresh),
    )
    return useCaseOf<Account>()((hooks) => line(accountId)(() => set(hooks)))
  }
}

export const decideTerms = (account: Account | null, terms: Terms, origin: Origin | null, fresh: Fresh) => {
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
  const bank = terms.bankCode === undefined ? null : bankByCode(terms.bankCode)
  const key = terms.pixKey == null ? null : readPixKey(terms.pixKey)
  const issues = [
    ...(terms.bankCode !== undefined && !bank?.code ? [issue('bank_code', 'unknown')] : []),
    ...(terms.pixKey != null && !key ? [issue('pix_key', 'pix-key')] : []),
  ]
  if (issues.length > 0) return left(invalid(issues))
  const wanted = {
    taxes: { ...account.taxes, ...terms.taxes },
    limits: { ...account.limits, ...terms.limits },
    bankCode: bank?.code ?? account.bankCode,
    pixKey: terms.pixKey === undefined ? account.pixKey : (key?.key ?? null),
  }
  const about = { claim: null, by: { userId: null, origin }, action: 'terms.set' } as const
  const changed = changeAccount(account, wanted, about, fresh)
  return isLeft(changed) ? changed : decided(changed.right.account, ...changed.right.changes)
}
