import { invalid, isLeft, issue, left } from '../../failure.ts'
import {
  allOptional,
  clearable,
  type DecodedOf,
  type InputOf,
  input,
  object,
  optional,
  text,
} from '../../kernel/input/mod.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { bankByCode } from '../banks.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import { readPixKey } from '../pix/pix-key.ts'
import { type Account, accounts, feeFields, isExisting, limitFields, shownAccount, UNKNOWN_ACCOUNT } from './account.ts'
import { changeAccount, serialByAccount } from './change-account.ts'
/** The terms that the bank's back office sets; an omitted field stays. */
export const terms = input('Terms', {
  fees: optional(object(input(null, allOptional(feeFields)), { wire: 'taxes', about: 'Tarifas' })),
  limits: optional(object(input(null, allOptional(limitFields)), { about: 'Limites' })),
  bankCode: optional(text({ max: 3, about: 'Código do banco' })),
  pixKey: clearable(text({ max: 77, about: 'Chave Pix' })),
})

export type Terms = InputOf<typeof terms>

export const setTerms =
  (ports: PaymentsPorts) =>
  (accountId: number, submitted: Terms, origin: Origin | null = null) =>
    withValidInput(ports, terms, submitted, (changed) =>
      serialByAccount(
        ports.store,
        accountId,
        useCase(
          ports,
          (store) => store.find(byId(accounts, accountId)),
          (account, fresh) => decideTerms(account, changed, origin, fresh),
        ),
      ),
    )

export const decideTerms = (
  account: Account | null,
  { fees, limits, bankCode, pixKey }: DecodedOf<typeof terms>,
  origin: Origin | null,
  fresh: Fresh,
) => {
  if (!isExisting(account)) return left(UNKNOWN_ACCOUNT)
  const bank = bankCode === undefined ? null : bankByCode(bankCode)
  const key = pixKey == null ? null : readPixKey(pixKey)
  const issues = [
    ...(bankCode !== undefined && !bank?.code ? [issue('bankCode', 'unknown')] : []),
    ...(pixKey != null && !key ? [issue('pixKey', 'pix-key')] : []),
  ]
  if (issues.length > 0) return left(invalid(issues))
  const wanted = {
    taxes: { ...account.taxes, ...fees },
    limits: { ...account.limits, ...limits },
    bankCode: bank?.code ?? account.bankCode,
    pixKey: pixKey === undefined ? account.pixKey : (key?.key ?? null),
  }
  const about = { claim: null, by: { userId: null, origin }, action: 'terms.set' } as const
  const changed = changeAccount(account, wanted, about, fresh)
  return isLeft(changed) ? changed : accept(shownAccount(changed.right.account), ...changed.right.changes)
}
