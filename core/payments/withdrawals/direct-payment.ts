import { invalid, isLeft, issue, left } from '../../failure.ts'
import { insert } from '../../kernel/records/record.ts'
import {
  accept,
  type Fresh,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { releasePlace } from '../bounded-count.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type AccountPayment, accountPayment, type KeyPayment, keyPayment } from './inputs.ts'
import { findKeyOwner } from './key-lookup.ts'
import {
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
  /** The window in which its look-up counts; null without a look-up. */
  readonly lookupSince: Instant | null
}

export const payAccount = (ports: PaymentsPorts) => (payer: WithdrawalPayer, input: AccountPayment) =>
  withValidInput(ports, accountPayment, input, ({ valueCents, message, ...to }) => {
    const payment = { to: { ...to, key: null }, valueCents, message, lookupSince: null }
    const start = startPayment(ports, payer, payment)
    return operationUseCase(start, (started) => executePayOut(ports, started), resumePayOut(ports))
  })

/** Requests the owner of the key from the bank only if the value may be paid out. */
export const payKey = (ports: PaymentsPorts) => (payer: WithdrawalPayer, input: KeyPayment) =>
  withValidInput(ports, keyPayment, input, ({ key, valueCents, document, message }) => {
    const start = useCaseOf<StartedPayOut>()(async (hooks) => {
      if (!ports.bank.payOuts) return left(BANK_UNSUPPORTED)
      const steady = ports.clock.steady()
      const request = { destination: key, valueCents }
      const facts = await readPayOutFacts(ports.store, payer.accountId, request, steady)
      const checked = checkPayOut(facts, request, steady)
      if (isLeft(checked)) return checked
      const owner = await findKeyOwner(ports, checked.right.account, key)()
      if (isLeft(owner)) return owner
      const { holder, lookupSince } = owner.right
      if (document !== null && document !== holder.document)
        return left(invalid([issue('document', 'withdrawal.other-document')]))
      return startPayment(ports, payer, { to: { ...holder, key }, valueCents, message, lookupSince })(hooks)
    })
    return operationUseCase(start, (started) => executePayOut(ports, started), resumePayOut(ports))
  })

const startPayment = (ports: PaymentsPorts, payer: WithdrawalPayer, payment: Payment) => {
  const request = { destination: destinationOf(payment.to), valueCents: payment.valueCents }
  return startOperation(
    ports,
    (store) => readPayOutFacts(store, payer.accountId, request, ports.clock.steady()),
    (facts, fresh) => decidePayment(ports, facts, payer, payment, fresh),
  )
}

const decidePayment = (
  { bank, cipher }: Pick<PaymentsPorts, 'bank' | 'cipher'>,
  facts: PayOutFacts,
  payer: WithdrawalPayer,
  { to, valueCents, message, lookupSince }: Payment,
  fresh: Fresh,
) => {
  if (!bank.payOuts) return left(BANK_UNSUPPORTED)
  const checked = checkPayOut(facts, { destination: destinationOf(to), valueCents }, fresh.steady)
  if (isLeft(checked)) return checked
  const { withdrawal, started, changes } = startPayOut(
    cipher,
    newWithdrawal(bank, payer, to, { valueCents, message }, fresh),
    { ...checked.right, windows: facts.windows },
    fresh,
  )
  const place = releasePlace(facts.lookups, lookupSince, fresh.steady)
  return accept<StartedPayOut>(started, insert(withdrawals, withdrawal), ...place, ...changes)
}
