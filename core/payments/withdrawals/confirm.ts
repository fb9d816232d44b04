import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, id, input } from '../../kernel/input/mod.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import { type Fresh, startOperation, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { REPEAT_SECONDS } from './duplicates.ts'
import { limitWindowsOf, payingAccount } from './limits.ts'
import { type PayOutFacts, payOutQueries, payOutUseCase, startPayOut } from './pay-out.ts'
import {
  BANK_UNSUPPORTED,
  keyField,
  messageField,
  NO_WITHDRAWAL,
  truncateMessage,
  type ValuedWithdrawal,
  valueField,
  type Withdrawal,
  type WithdrawalPayer,
  withdrawals,
} from './withdrawal.ts'

export const confirmationFields = {
  internalId: id({ about: 'O internal_id da consulta da chave' }),
  key: keyField,
  valueCents: valueField,
  message: messageField(),
}

export const withdrawalConfirmation = input('WithdrawalConfirmation', confirmationFields)
export type WithdrawalConfirmation = InputOf<typeof withdrawalConfirmation>

type DecodedConfirmation = DecodedOf<typeof withdrawalConfirmation>

export const confirmWithdrawal =
  (ports: PaymentsPorts) => (payer: WithdrawalPayer, submitted: WithdrawalConfirmation) =>
    withValidInput(ports, withdrawalConfirmation, submitted, (request) =>
      payOutUseCase(
        ports,
        startOperation(
          ports,
          async (store) => {
            const sent = { destination: request.key, valueCents: request.valueCents }
            const windows = limitWindowsOf(ports.clock.steady())
            const { found, ...facts } = await store.read({
              ...payOutQueries(ports, payer, sent, windows),
              found: byId(withdrawals, request.internalId),
            })
            return { withdrawal: found?.accountId === payer.accountId ? found : null, facts: { ...facts, windows } }
          },
          ({ withdrawal, facts }, fresh) => decideConfirmation(ports, withdrawal, facts, payer, request, fresh),
        ),
      ),
    )

const decideConfirmation = (
  ports: Pick<PaymentsPorts, 'bank' | 'cipher'>,
  withdrawal: Withdrawal | null,
  facts: PayOutFacts,
  { userId }: WithdrawalPayer,
  request: DecodedConfirmation,
  fresh: Fresh,
) => {
  const active = payingAccount(facts.account)
  if (isLeft(active)) return active
  if (!ports.bank.payOuts) return left(BANK_UNSUPPORTED)
  const confirmed = checkConfirmation(withdrawal, request, fresh.steady)
  if (isLeft(confirmed)) return confirmed
  const { valueCents, message } = confirmed.right
  const awaiting: ValuedWithdrawal = {
    ...confirmed.right,
    valueCents: request.valueCents,
    message: request.message ?? truncateMessage(message),
    lookedUp: { valueCents, message },
    userId,
  }
  return startPayOut(ports, facts, awaiting, fresh, ({ id, ...set }) =>
    patch(withdrawals, id, { set, when: eq('status', 'awaiting') }),
  )
}

/**
 * A key may move to another owner: after this time it must be looked up again. A look-up that is returned again at the
 * end of its hour can be confirmed for another hour.
 */
const CONFIRM_SECONDS = 2 * REPEAT_SECONDS

/**
 * Checks whether a withdrawal awaits this confirmation. A used withdrawal cannot be confirmed again; a completed one
 * with the same key and value is reported as a repeat.
 */
const checkConfirmation = (withdrawal: Withdrawal | null, { key, valueCents }: DecodedConfirmation, now: Instant) => {
  if (withdrawal?.by !== 'key') return left(NO_WITHDRAWAL)
  if (withdrawal.status !== 'awaiting') {
    const isSame = withdrawal.status === 'completed' && withdrawal.key === key && withdrawal.valueCents === valueCents
    return isSame
      ? left(invalid([issue('valueCents', 'withdrawal.repeated')]))
      : left(failure('conflict', 'withdrawal.used'))
  }
  if (now >= addSeconds(withdrawal.createdAt, CONFIRM_SECONDS)) return left(NO_WITHDRAWAL)
  const issues = [
    ...(withdrawal.key === key ? [] : [issue('key', 'withdrawal.other-key')]),
    ...(withdrawal.valueCents === null || withdrawal.valueCents === valueCents
      ? []
      : [issue('valueCents', 'withdrawal.other-value')]),
  ]
  return issues.length > 0 ? left(invalid(issues)) : right(withdrawal)
}
