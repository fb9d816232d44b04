import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { eq, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, operationUseCase, startOperation, withValidInput } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { releasePlace } from '../bounded-count.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  type DecodedConfirmation,
  truncateMessage,
  type WithdrawalConfirmation,
  withdrawalConfirmation,
} from './inputs.ts'
import { payingAccount } from './limits.ts'
import {
  checkPayOut,
  executePayOut,
  type PayOutFacts,
  type PayOutRequest,
  readPayOutFacts,
  resumePayOut,
  type StartedPayOut,
  startPayOut,
} from './pay-out.ts'
import { BANK_UNSUPPORTED, NO_WITHDRAWAL, type Withdrawal, type WithdrawalPayer, withdrawals } from './withdrawal.ts'

interface Facts {
  readonly looked: Withdrawal | null
  readonly payOut: PayOutFacts
}

export const confirmWithdrawal = (ports: PaymentsPorts) => (payer: WithdrawalPayer, input: WithdrawalConfirmation) =>
  withValidInput(ports, withdrawalConfirmation, input, (request) =>
    operationUseCase(
      startOperation(
        ports,
        async (store): Promise<Facts> => {
          const [found, payOut] = await Promise.all([
            store.find(byId(withdrawals, request.internalId)),
            readPayOutFacts(store, payer.accountId, payOutRequest(request), ports.clock.steady()),
          ])
          return { looked: found?.accountId === payer.accountId ? found : null, payOut }
        },
        (facts, fresh) => decideConfirmation(ports, facts, payer, request, fresh),
      ),
      (started) => executePayOut(ports, started),
      resumePayOut(ports),
    ),
  )

const payOutRequest = ({ key, valueCents }: DecodedConfirmation): PayOutRequest => ({ destination: key, valueCents })

const decideConfirmation = (
  { bank, cipher }: Pick<PaymentsPorts, 'bank' | 'cipher'>,
  { looked, payOut }: Facts,
  { userId }: WithdrawalPayer,
  request: DecodedConfirmation,
  fresh: Fresh,
) => {
  const active = payingAccount(payOut.account)
  if (isLeft(active)) return active
  if (!bank.payOuts) return left(BANK_UNSUPPORTED)
  const confirmed = checkConfirmation(looked, request)
  if (isLeft(confirmed)) return confirmed
  const checked = checkPayOut(payOut, payOutRequest(request), fresh.steady)
  if (isLeft(checked)) return checked
  const { lookupSince } = confirmed.right
  const message = request.message ?? truncateMessage(confirmed.right.message)
  const { withdrawal, started, changes } = startPayOut(
    cipher,
    { ...confirmed.right, valueCents: request.valueCents, message, userId, lookupSince: null },
    { ...checked.right, windows: payOut.windows },
    fresh,
  )
  const { id, status, feeCents, operationId, sumId, nightSumId, valueCents, handedAt, updatedAt } = withdrawal
  const sums = { sumId, nightSumId, failure: null, lookupSince: null }
  const set = { status, feeCents, operationId, ...sums, valueCents, message, userId, handedAt, updatedAt }
  return accept<StartedPayOut>(
    started,
    patch(withdrawals, id, { set, when: eq('status', 'awaiting') }),
    ...releasePlace(payOut.lookups, lookupSince, fresh.steady),
    ...changes,
  )
}

/**
 * Checks whether a withdrawal awaits this confirmation. A used withdrawal cannot be confirmed again; a completed one with the same
 * key and value is reported as a repeat.
 */
const checkConfirmation = (looked: Withdrawal | null, { key, valueCents }: DecodedConfirmation) => {
  if (looked?.by !== 'key') return left(NO_WITHDRAWAL)
  if (looked.status !== 'awaiting') {
    const isSame = looked.status === 'completed' && looked.key === key && looked.valueCents === valueCents
    return isSame
      ? left(invalid([issue('valueCents', 'withdrawal.repeated')]))
      : left(failure('conflict', 'withdrawal.used'))
  }
  const issues = [
    ...(looked.key === key ? [] : [issue('key', 'withdrawal.other-key')]),
    ...(looked.valueCents === null || looked.valueCents === valueCents
      ? []
      : [issue('valueCents', 'withdrawal.other-value')]),
  ]
  return issues.length > 0 ? left(invalid(issues)) : right(looked)
}
