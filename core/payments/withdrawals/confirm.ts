import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, operationUseCase, startOperation, withValidInput } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { givePlaceBack } from '../bounded-count.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type DecodedConfirmation, MAX_MESSAGE, type WithdrawalConfirmation, withdrawalConfirmation } from './inputs.ts'
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
import type { WithdrawalPayer } from './withdrawal.ts'
import { BANK_UNSUPPORTED, NO_WITHDRAWAL, type Withdrawal, withdrawals } from './withdrawal.ts'

interface Facts {
  readonly stored: Withdrawal | null
  readonly payOut: PayOutFacts
}

/**
 * Pays a withdrawal out that was looked up, once however many confirm it; whoever asked for its PIN asked before.
 * Fails: `fields` (`withdrawal.other-key`, `withdrawal.other-value`, `withdrawal.limit`, `withdrawal.limit-left`,
 * `withdrawal.repeated`, `balance.insufficient`), `account.unknown`, `organization.inactive`, `bank.unsupported`,
 * `withdrawal.unknown`, `withdrawal.used`, `withdrawals.waiting`, `bank.refused` and `bank.unavailable` (it may be confirmed
 * again).
 * Source: 02-billing.md, POST /api/pix/withdraw; decisions.md §5 and §11, Withdrawals.
 */
export const confirmWithdrawal = (ports: PaymentsPorts) => (payer: WithdrawalPayer, given: WithdrawalConfirmation) =>
  withValidInput(ports, withdrawalConfirmation, given, (asked) =>
    operationUseCase(
      startOperation(
        ports,
        async (store): Promise<Facts> => {
          const { accountId } = payer
          const same = { destination: asked.key, valueCents: asked.valueCents }
          const [looked, going] = await Promise.all([
            store.find(byId(withdrawals, asked.internalId)),
            readPayOutFacts(store, accountId, same, ports.clock.steady()),
          ])
          return { stored: looked?.accountId === accountId ? looked : null, payOut: going }
        },
        (facts, fresh) => decideConfirmation(ports, facts, payer, asked, fresh),
      ),
      (begun) => executePayOut(ports, begun),
      resumePayOut(ports),
    ),
  )

export const decideConfirmation = (
  { bank, cipher }: Pick<PaymentsPorts, 'bank' | 'cipher'>,
  { stored: looked, payOut: going }: Facts,
  { userId }: WithdrawalPayer,
  asked: DecodedConfirmation,
  fresh: Fresh,
) => {
  const { account } = going
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
  if (account.status !== 'ACTIVE') return left(failure('forbidden', 'organization.inactive'))
  if (!bank.payOuts) return left(BANK_UNSUPPORTED)
  const known = checkConfirmation(looked, asked)
  if (isLeft(known)) return known
  const may = checkPayOut(going, { destination: asked.key, valueCents: asked.valueCents }, fresh.steady)
  if (isLeft(may)) return may
  const { valueCents } = asked
  const message = asked.message ?? truncate(known.right.message)
  const operationId = fresh.uuid()
  const withdrawal = asSubmitted(
    { ...known.right, valueCents, message, userId },
    may.right,
    going.windows,
    fresh,
    operationId,
  )
  const { begun, changes } = startPayOut(cipher, { ...withdrawal, operationId }, may.right, going.windows, fresh)
  const { status, feeCents, sumId, nightSumId, handedAt, updatedAt } = withdrawal
  const set = {
    status,
    feeCents,
    sumId,
    nightSumId,
    handedAt,
    updatedAt,
    operationId,
    valueCents,
    message,
    userId,
    failure: null,
    lookupSince: null,
  }
  return accept<StartedPayOut>(
    begun,
    patch(withdrawals, withdrawal.id, { set, when: eq('status', 'awaiting') }),
    ...givePlaceBack(going.lookups, known.right.lookupSince, fresh.steady),
    ...changes,
  )
}

/** What was said with a look-up may be longer than a bank takes. */
const truncate = (message: string | null): string | null =>
  message === null ? null : [...message].slice(0, MAX_MESSAGE).join('')

/**
 * Whether a withdrawal awaits just this confirmation. One that was used is no more, whatever is confirmed of it; that it was
 * completed with the same value is said. Source: decisions.md §11, Withdrawals and Edges.
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
