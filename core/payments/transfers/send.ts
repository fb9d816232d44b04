import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { money } from '../../kernel/input/scalars.ts'
import { secret, text } from '../../kernel/input/texts.ts'
import { type Change, insert, patch } from '../../kernel/records/change.ts'
import { gte } from '../../kernel/records/where.ts'
import { type Fresh, randomCode } from '../../kernel/running/fresh.ts'
import { accept, operationUseCase, startOperation, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import type { BankAnswer, CompletedPayOut, PayOutOrder } from '../../ports/bank.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accounts, checkActive, checkTakesWrites, takesWrites } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { SENT_ONCE } from '../bank/notices.ts'
import { bankOperations, newOperation, subjectOf } from '../bank/operation.ts'
import { operationsOf, type StartedBankOperation } from '../bank/run-operation.ts'
import { postedOf } from '../charges/payment.ts'
import { claimId, claims } from '../claim.ts'
import type { DuplicateGuard } from '../duplicate-window.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import { adminsOf } from '../members/membership.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  countInWindows,
  type LimitWindows,
  leftInWindows,
  limitWindowsOf,
  payOutSums,
  type WindowSums,
  windowSumIds,
} from '../withdrawals/limits.ts'
import {
  decideLateTransfer,
  decideTransferOutcome,
  type OutcomeCode,
  type OutcomeFacts,
  type PaidTransfer,
} from './outcome.ts'
import { NO_TRANSFER, sentId, sentTransfers, type Transfer, transfers } from './transfer.ts'

/** Source: 02-billing.md, Internal transfer. */
export const newTransfer = input('NewTransfer', {
  /** Of the account that gets it. */
  apiKey: secret({ max: 255, wire: 'token', about: 'Chave de API da conta de destino' }),
  valueCents: money({ wire: 'amount', minCents: 1, about: 'Valor' }),
  description: nullIfAbsent(text({ max: 255, about: 'Descrição, nos extratos das duas contas' })),
})

export type NewTransfer = InputOf<typeof newTransfer>

export type DecodedTransfer = DecodedOf<typeof newTransfer>

const PLACES = 8
/** Source: decisions.md §11, Withdrawals. */
const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 60

/** Transfers that the bank is asked for, each once, by its own id. Source: decisions.md §5. */
export const transferOperations = (ports: PaymentsPorts) =>
  operationsOf<OutcomeFacts | null, PayOutOrder, PaidTransfer, Transfer, OutcomeCode>(ports, {
    kind: TRANSFER,
    places: PLACES,
    leaseSeconds: TRANSFER_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    longestWaitSeconds: LONGEST_WAIT_SECONDS,
    read: (store, { subject: [, id] }) => readOutcomeFacts(store, id),
    // A transfer that was sent cannot be cancelled.
    isWanted: () => true,
    send: null,
    once: SENT_ONCE,
    find: findTransferOrder(ports),
    decide: decideTransferOutcome,
    ended: (_, facts, reply, fresh) => decideLateTransfer(facts, reply, fresh),
    unknown: NO_TRANSFER,
  })

const readOutcomeFacts = async (store: Store, id: string | number): Promise<OutcomeFacts | null> => {
  const transfer = await store.find(byId(transfers, id))
  if (!transfer) return null
  const { from, to, ...sums } = await store.read({
    from: byId(accounts, transfer.accountId),
    to: byId(accounts, transfer.toAccountId),
    daySum: byId(payOutSums, transfer.sumId ?? ''),
    nightSum: byId(payOutSums, transfer.nightSumId ?? ''),
  })
  if (!from || !to) return null
  return {
    transfer,
    from,
    to,
    ...sums,
    late: transfer.status === 'failed' ? await readLateFacts(store, transfer) : null,
  }
}

const readLateFacts = async (store: Store, { id: _, ...sent }: Transfer) => {
  const found = await store.read({
    admins: adminsOf(sent.accountId),
    sent: byId(sentTransfers.collection, sentId(sent)),
  })
  return { admins: found.admins.records, sent: found.sent }
}

type AtBank = Pick<PaymentsPorts, 'bank' | 'store'>

/** A bank that pays nothing out any more was not asked. */
const AWAY: BankAnswer<never> = { outcome: 'unavailable' }

const sendTransferOrder =
  ({ bank, store }: AtBank) =>
  async (order: PayOutOrder): Promise<BankAnswer<PaidTransfer>> => {
    const answer = (await bank.payOuts?.payOut(order)) ?? AWAY
    return answer.outcome === 'done' ? { outcome: 'done', value: await paidTransferOf(store, answer.value) } : answer
  }

const findTransferOrder =
  ({ bank, store }: AtBank) =>
  async ({ id }: PayOutOrder): Promise<BankAnswer<PaidTransfer | null>> => {
    const answer = (await bank.payOuts?.findPayOut(id)) ?? AWAY
    if (answer.outcome !== 'done') return answer
    return { outcome: 'done', value: answer.value && (await paidTransferOf(store, answer.value)) }
  }

/** The bank may have told of it at the other end before it answered: what arrives meanwhile is a Conflict, and asked again. */
const paidTransferOf = async (store: Store, { endToEndId }: CompletedPayOut): Promise<PaidTransfer> => ({
  endToEndId,
  isCredited: (await postedOf(store, { endToEndId })) !== null,
})

/**
 * Sends money by Pix to another account of the platform, both at the same bank, without a fee: what leaves the one arrives at the
 * other in the same commit.
 * Fails: `fields` (`unknown` key, `withdrawal.limit-left`), `account.unknown`, `organization.inactive`, `bank.unsupported`, `transfer.source-bank`,
 * `transfer.self`, `transfer.destination-inactive`, `transfer.destination-bank`, `transfer.no-key`, `transfer.repeated`,
 * `transfer.balance`, `transfer.unknown`, `bank.refused`, `bank.unavailable` (nothing left).
 * Source: 02-billing.md, Internal transfer; decisions.md §5 and §11.
 */
export const sendTransfer = (ports: PaymentsPorts) => (sender: Sender, given: NewTransfer) =>
  withValidInput(ports, newTransfer, given, (asked) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readTransferFacts(ports, store, sender, asked),
        (facts, fresh) => decideTransfer(ports, facts, sender, asked, fresh),
      ),
      (begun) => transferOperations(ports).send(begun, sendTransferOrder(ports)),
      transferOperations(ports).repeat,
    ),
  )

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
  readonly sent: DuplicateGuard | null
  readonly windows: LimitWindows
}

export const readTransferFacts = async (
  { digest, clock }: Pick<PaymentsPorts, 'digest' | 'clock'>,
  store: Store,
  { accountId }: Sender,
  { apiKey, valueCents }: DecodedTransfer,
): Promise<TransferFacts> => {
  const claim = await store.find(byId(claims, claimId('api-key', digest.sha256(apiKey))))
  const toAccountId = typeof claim?.holder === 'number' ? claim.holder : NO_ACCOUNT
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
const NO_ACCOUNT = 0

const exists = (account: Account | null): account is Account => account !== null && account.removedAt === null

/**
 * Decides whether this amount may go between two accounts: the sender is checked first, then the receiver, the limits of the day
 * and the night, an earlier transfer of the same, and the balance. Source: 02-billing.md, Internal transfer; decisions.md §1, §5 and §11.
 */
export const checkTransfer = (
  { bank, settings: { internalTransferBank: required } }: Pick<Ports, 'bank' | 'settings'>,
  { from, to, book, sent, windows, ...sums }: TransferFacts,
  { valueCents }: Pick<DecodedTransfer, 'valueCents'>,
  now: Instant,
) => {
  if (!exists(from)) return left(failure('not-found', 'account.unknown'))
  if (from.status !== 'ACTIVE') return left(failure('forbidden', 'organization.inactive'))
  if (!bank.payOuts) return left(failure('refused', 'bank.unsupported'))
  if (from.bankCode !== required) return left(failure('forbidden', 'transfer.source-bank'))
  if (!exists(to)) return left(invalid([issue('apiKey', 'unknown')]))
  if (to.id === from.id) return left(failure('refused', 'transfer.self'))
  if (!takesWrites(to)) return left(failure('forbidden', 'transfer.destination-inactive'))
  if (to.bankCode !== required) return left(failure('refused', 'transfer.destination-bank'))
  if (to.pixKey === null) return left(failure('refused', 'transfer.no-key'))
  const leftCents = leftInWindows(from.limits, windows, sums)
  if (leftCents !== null && valueCents > leftCents)
    return left(invalid([issue('valueCents', 'withdrawal.limit-left', { max: formatReais(leftCents) })]))
  if (sentTransfers.isDuplicate(sent, now)) return left(failure('refused', 'transfer.repeated'))
  if ((book?.availableCents ?? 0) < valueCents) return left(failure('refused', 'transfer.balance'))
  return right({ from, to, key: to.pixKey })
}

/** Reserves what is to go, holds the place of it, and keeps what the bank is then ordered. */
export const decideTransfer = (
  ports: Ports,
  facts: TransferFacts,
  { userId }: Sender,
  asked: DecodedTransfer,
  fresh: Fresh,
) => {
  const may = checkTransfer(ports, facts, asked, fresh.steady)
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
  return accept<StartedBankOperation<PayOutOrder>>(
    { intent: transfer.id, order, operation },
    checkActive(from.id),
    checkTakesWrites(to.id),
    reserve(transfer),
    ...countInWindows(from.id, facts.windows, from.limits, valueCents, fresh),
    ...sentTransfers.reserve(transfer, fresh.steady),
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
