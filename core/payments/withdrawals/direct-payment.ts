import { invalid, issue } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import { insert } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, operationUseCase, startOperation, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { givePlaceBack } from '../bounded-count.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type AccountPayment, accountPayment, type KeyPayment, keyPayment } from './inputs.ts'
import { findKeyOwner } from './key-lookup.ts'
import {
  asSubmitted,
  checkPayOut,
  executePayOut,
  type PayOutFacts,
  readPayOutFacts,
  resumePayOut,
  type StartedPayOut,
  startPayOut,
} from './pay-out.ts'
import {
  BANK_UNSUPPORTED,
  destinationOf,
  newWithdrawal,
  type Receiver,
  type WithdrawalPayer,
  withdrawals,
} from './withdrawal.ts'

interface Payment {
  readonly to: Receiver
  readonly valueCents: number
  readonly message: string | null
  /** The window in which its look-up counts until now; null without a look-up. */
  readonly lookupSince: Instant | null
}

/**
 * Pays out to an account by its data; whoever asked for the PIN asked before.
 * Fails: `fields` (`unknown` bank, `bank-branch`, `bank-account`, `withdrawal.limit`, `withdrawal.limit-left`,
 * `withdrawal.repeated`, `balance.insufficient`), `account.unknown`, `organization.inactive`, `bank.unsupported`,
 * `withdrawal.unknown`, `withdrawals.waiting`, `bank.refused` and `bank.unavailable` (a failed withdrawal is kept).
 * Source: 02-billing.md, POST /api/pix/withdraw-bank; decisions.md §5 and §11, Withdrawals.
 */
export const payAccount = (ports: PaymentsPorts) => (payer: WithdrawalPayer, given: AccountPayment) =>
  withValidInput(ports, accountPayment, given, ({ valueCents, message, ...to }) => {
    const payment = { to: { ...to, key: null }, valueCents, message, lookupSince: null }
    return operationUseCase(
      startPayment(ports, payer, payment),
      (begun) => executePayOut(ports, begun),
      resumePayOut(ports),
    )
  })

/**
 * Pays out to a key without an earlier look-up: the bank is asked for its owner only if so much may leave. A given document must be
 * the owner's; the caller has checked the PIN.
 * Fails: `fields` (`pix-key`, `withdrawal.other-document`, `withdrawal.limit`, `withdrawal.limit-left`, `withdrawal.repeated`,
 * `balance.insufficient`), `account.unknown`, `organization.inactive`, `bank.unsupported`, `key.throttled`, `key.unknown`,
 * `withdrawal.unknown`, `withdrawals.waiting`, `bank.refused` and `bank.unavailable`.
 * Source: decisions.md §5 (saida-sicred) and §11, Withdrawals.
 */
export const payKey = (ports: PaymentsPorts) => (payer: WithdrawalPayer, given: KeyPayment) =>
  withValidInput(ports, keyPayment, given, ({ key, valueCents, document, message }) => {
    const first = useCaseOf<StartedPayOut>()(async (hooks) => {
      if (!ports.bank.payOuts) return left(BANK_UNSUPPORTED)
      const steady = ports.clock.steady()
      const asked = { destination: key, valueCents }
      const may = checkPayOut(await readPayOutFacts(ports.store, payer.accountId, asked, steady), asked, steady)
      if (isLeft(may)) return may
      const found = await findKeyOwner(ports, may.right.account, key)()
      if (isLeft(found)) return found
      const { holder, lookupSince } = found.right
      if (document !== null && document !== holder.document)
        return left(invalid([issue('document', 'withdrawal.other-document')]))
      return startPayment(ports, payer, { to: { ...holder, key }, valueCents, message, lookupSince })(hooks)
    })
    return operationUseCase(first, (begun) => executePayOut(ports, begun), resumePayOut(ports))
  })

const startPayment = (ports: PaymentsPorts, payer: WithdrawalPayer, payment: Payment) => {
  const asked = { destination: destinationOf(payment.to), valueCents: payment.valueCents }
  return startOperation(
    ports,
    (store) => readPayOutFacts(store, payer.accountId, asked, ports.clock.steady()),
    (facts, fresh) => decidePayment(ports, facts, payer, payment, fresh),
  )
}

export const decidePayment = (
  { bank, cipher }: Pick<PaymentsPorts, 'bank' | 'cipher'>,
  facts: PayOutFacts,
  payer: WithdrawalPayer,
  { to, valueCents, message, lookupSince }: Payment,
  fresh: Fresh,
) => {
  if (!bank.payOuts) return left(BANK_UNSUPPORTED)
  const may = checkPayOut(facts, { destination: destinationOf(to), valueCents }, fresh.steady)
  if (isLeft(may)) return may
  const operationId = fresh.uuid()
  const made = newWithdrawal(bank, payer, to, { valueCents, message }, fresh)
  const withdrawal = { ...asSubmitted(made, may.right, facts.windows, fresh, operationId), operationId }
  const { begun, changes } = startPayOut(cipher, withdrawal, may.right, facts.windows, fresh)
  const placeBack = givePlaceBack(facts.lookups, lookupSince, fresh.steady)
  return accept<StartedPayOut>(begun, insert(withdrawals, withdrawal), ...placeBack, ...changes)
}
