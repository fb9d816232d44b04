import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type Change, insert, patch } from '../../kernel/records/change.ts'
import { gte } from '../../kernel/records/where.ts'
import { type Fresh, randomCode } from '../../kernel/running/fresh.ts'
import { accept } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import type { PayOutOrder } from '../../ports/bank.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accounts, stillActive, stillTakesWrites, takesWrites } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { bankOperations, newOperation, subjectOf } from '../bank/operation.ts'
import type { BegunOperation } from '../bank/resume-operation.ts'
import { claimId, claims } from '../claim.ts'
import type { Sent } from '../duplicate-window.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../ledger/ledger-account.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type LimitWindows, limitWindowsOf } from '../withdrawals/keepers/limit-window.ts'
import {
  countInWindows,
  leftInWindows,
  payOutSums,
  type WindowSums,
  windowSumIds,
} from '../withdrawals/keepers/pay-out-sum.ts'
import type { AskedTransfer } from './new-transfer.ts'
import { sentId, sentTransfers } from './sent-transfer.ts'
import { type Transfer, transfers } from './transfer.ts'

export const TRANSFER = 'transfer'
/** Longer than the bank may take for one call. */
export const TRANSFER_LEASE_SECONDS = 60
/** What a receiver's bank takes of a message. */
const MAX_MESSAGE = 140

/** Who sends it, and from which account. */
export type Sender = Pick<Actor, 'userId' | 'accountId'>

type Ports = Pick<PaymentsPorts, 'bank' | 'cipher' | 'settings'>

/** What a transfer is decided on. */
export interface TransferFacts extends WindowSums {
  readonly from: Account | null
  /** Whose key was given; null where nobody's. */
  readonly to: Account | null
  readonly book: LedgerAccount | null
  readonly sent: Sent | null
  readonly windows: LimitWindows
}

export const readTransferFacts = async (
  { digest, clock }: Pick<PaymentsPorts, 'digest' | 'clock'>,
  store: Store,
  { accountId }: Sender,
  { apiKey, valueCents }: AskedTransfer,
): Promise<TransferFacts> => {
  const claim = await store.find(byId(claims, claimId('api-key', digest.sha256(apiKey))))
  const toAccountId = typeof claim?.holder === 'number' ? claim.holder : NOBODY
  const windows = limitWindowsOf(clock.steady())
  const { sumId, nightSumId } = windowSumIds(accountId, windows)
  const found = await store.read({
    from: byId(accounts, accountId),
    to: byId(accounts, toAccountId),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
    sent: byId(sentTransfers.collection, sentId({ accountId, toAccountId, valueCents })),
    daySum: byId(payOutSums, sumId),
    nightSum: byId(payOutSums, nightSumId ?? ''),
  })
  return { ...found, windows }
}

/** No account has it. */
const NOBODY = 0

const isThere = (account: Account | null): account is Account => account !== null && account.removedAt === null

/**
 * Decides whether this amount may go between two accounts: the sender is checked first, then the receiver, the limits of the day
 * and the night, an earlier transfer of the same, and the balance. Source: 02-billing.md, Internal transfer; decisions.md §1, §5 and §11.
 */
export const mayTransfer = (
  { bank, settings: { internalTransferBank: required } }: Pick<Ports, 'bank' | 'settings'>,
  { from, to, book, sent, windows, ...sums }: TransferFacts,
  { valueCents }: Pick<AskedTransfer, 'valueCents'>,
  now: Instant,
) => {
  if (!isThere(from)) return left(failure('not-found', 'account.unknown'))
  if (from.status !== 'ACTIVE') return left(failure('forbidden', 'organization.inactive'))
  if (!bank.payOuts) return left(failure('refused', 'bank.unsupported'))
  if (from.bankCode !== required) return left(failure('forbidden', 'transfer.source-bank'))
  if (!isThere(to)) return left(invalid([issue('apiKey', 'unknown')]))
  if (to.id === from.id) return left(failure('refused', 'transfer.self'))
  if (!takesWrites(to)) return left(failure('forbidden', 'transfer.destination-inactive'))
  if (to.bankCode !== required) return left(failure('refused', 'transfer.destination-bank'))
  if (to.pixKey === null) return left(failure('refused', 'transfer.no-key'))
  const leftCents = leftInWindows(from.limits, windows, sums)
  if (leftCents !== null && valueCents > leftCents)
    return left(invalid([issue('valueCents', 'withdrawal.limit-left', { max: formatReais(leftCents) })]))
  if (sentTransfers.isRepeat(sent, now)) return left(failure('refused', 'transfer.repeated'))
  if ((book?.availableCents ?? 0) < valueCents) return left(failure('refused', 'transfer.balance'))
  return right({ from, to, key: to.pixKey })
}

/** Reserves what is to go, holds the place of it, and keeps what the bank is then ordered. */
export const decideTransfer = (
  ports: Ports,
  facts: TransferFacts,
  { userId }: Sender,
  asked: AskedTransfer,
  fresh: Fresh,
) => {
  const may = mayTransfer(ports, facts, asked, fresh.steady)
  if (isLeft(may)) return may
  const { from, to, key } = may.right
  const { valueCents, description } = asked
  const transfer: Transfer = {
    id: randomCode(fresh, ports.bank.txidLength),
    accountId: from.id,
    toAccountId: to.id,
    userId,
    valueCents,
    description,
    status: 'pending',
    endToEndId: null,
    failure: null,
    ...windowSumIds(from.id, facts.windows),
    createdAt: fresh.now,
    updatedAt: fresh.now,
  }
  const order = orderOf(transfer, from, key)
  const operation = newOperation<PayOutOrder>(
    ports.cipher,
    {
      id: transfer.id,
      accountId: from.id,
      kind: TRANSFER,
      subject: subjectOf(transfers, transfer.id),
      order,
      dueAt: addSeconds(fresh.now, TRANSFER_LEASE_SECONDS),
    },
    fresh,
  )
  return accept<BegunOperation<PayOutOrder>>(
    { intent: transfer.id, order, operation },
    stillActive(from.id),
    stillTakesWrites(to.id),
    reserve(transfer),
    ...countInWindows(from.id, facts.windows, from.limits, valueCents, fresh),
    ...sentTransfers.hold(transfer, fresh.steady),
    insert(transfers, transfer),
    insert(bankOperations, operation),
  )
}

/** Takes it out of what may be spent, where there is as much: before the bank is asked. */
const reserve = ({ accountId, valueCents }: Transfer): Change =>
  patch(ledgerAccounts, ledgerAccountId(accountId, 'main'), {
    add: { availableCents: -valueCents },
    when: gte('availableCents', valueCents),
  })

const orderOf = ({ id, valueCents, description }: Transfer, from: Account, key: string): PayOutOrder => {
  const { name, document, agency, account, pixKey } = from
  const message = description === null ? null : [...description].slice(0, MAX_MESSAGE).join('')
  return { id, from: { name, document, agency, account, pixKey }, to: { key }, valueCents, message }
}
