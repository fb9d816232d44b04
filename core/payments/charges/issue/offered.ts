import { type Issue, issue } from '../../../failure.ts'
import { reaisFromCents } from '../../../kernel/values/money.ts'
import type { BankAbility, TitleMethod } from '../../../ports/bank.ts'
import type { Account } from '../../accounts/account.ts'
import type { LedgerAccount } from '../../ledger/ledger.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { Charge } from '../charge.ts'
import type { PaymentMethod } from '../charge-fields.ts'
import { MOST_CENTS } from './new-charge.ts'

const ABILITY: Readonly<Record<TitleMethod, BankAbility>> = { PIX: 'pix', BOLETO: 'boleto', BOLEPIX: 'bolepix' }

/** Whether the bank can make what a charge of this method is paid by. Source: decisions.md §7. */
export const isOffered = ({ can }: Pick<PaymentsPorts['bank'], 'can'>, method: PaymentMethod): method is TitleMethod =>
  method !== 'CREDIT_CARD' && can.includes(ABILITY[method])

/** What is wrong with what is asked: outside the account's limits or its method's, or more than the account can issue. */
export const amountIssues = (
  { limits }: Pick<Account, 'limits'>,
  book: Pick<LedgerAccount, 'availableCents'> | null,
  { valueCents, paymentMethod, issueFee }: Pick<Charge, 'valueCents' | 'paymentMethod' | 'issueFee'>,
) => {
  const { chargeMinCents: min, chargeMaxCents: max } = limits
  const most = MOST_CENTS[paymentMethod]
  const isShort = issueFee?.state === 'reserved' && (book?.availableCents ?? 0) < issueFee.cents
  const wrong = [
    [min !== null && valueCents < min, issue('valueCents', 'money.min', { min: reaisFromCents(min ?? 0) })],
    [max !== null && valueCents > max, issue('valueCents', 'money.max', { max: reaisFromCents(max ?? 0) })],
    [valueCents > most, issue('valueCents', 'money.max', { max: reaisFromCents(most) })],
    [isShort, issue('valueCents', 'balance.fee')],
  ] satisfies readonly (readonly [boolean, Issue])[]
  return wrong.flatMap(([isWrong, found]) => (isWrong ? [found] : []))
}
