import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, money, nullIfAbsent, secret, text } from '../../kernel/input/mod.ts'
import { insert, newRecord } from '../../kernel/records/record.ts'
import {
  accept,
  type FactsOf,
  type Fresh,
  operationUseCase,
  randomCode,
  startOperation,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import type { BankAnswer, CompletedPayOut, PayOutOrder } from '../../ports/bank.ts'
import { byId, type Store } from '../../ports/store.ts'
import { acceptsWrites, accounts, checkAcceptsWrites, checkActive, isExisting } from '../accounts/account.ts'
import { beginOperation, type StartedBankOperation, subjectOf } from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import { findConfirmation } from '../challenges/challenge.ts'
import { postedOf } from '../charges/payment.ts'
import { claimId, claims } from '../claim.ts'
import { bookOf } from '../ledger/ledger.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import {
  countInWindows,
  leftInWindows,
  limitWindowsOf,
  payingAccount,
  reserve,
  windowSumIds,
  windowSumQueries,
} from '../withdrawals/limits.ts'
import { confirmValue, payerOf, payOutCalls, SEND_ONCE } from '../withdrawals/pay-out.ts'
import { BANK_UNSUPPORTED, truncateMessage } from '../withdrawals/withdrawal.ts'
import {
  decideLateTransfer,
  decideTransferOutcome,
  type OutcomeCode,
  type OutcomeFacts,
  type PaidTransfer,
} from './outcome.ts'
import { NO_TRANSFER, sentId, sentTransfers, type Transfer, transfers } from './transfer.ts'

export const newTransfer = input('NewTransfer', {
  apiKey: secret({ max: 255, wire: 'token', about: 'Chave de API da conta de destino' }),
  valueCents: money({ wire: 'amount', minCents: 1, about: 'Valor' }),
  description: nullIfAbsent(text({ max: 255, about: 'Descrição, nos extratos das duas contas' })),
})
export type NewTransfer = InputOf<typeof newTransfer>

type DecodedTransfer = DecodedOf<typeof newTransfer>

/** The paying account, and the user who orders the transfer. */
export type Sender = Pick<Actor, 'userId' | 'accountId' | 'confirmation'>

export const sendTransfer = (ports: PaymentsPorts) => (sender: Sender, submitted: NewTransfer) =>
  withValidInput(ports, newTransfer, submitted, (request) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readTransferFacts(ports, store, sender, request),
        (facts, fresh) => decideTransfer(ports, facts, sender, request, fresh),
      ),
      (started) => transferOperations(ports).send(started, transferCalls(ports).send),
      transferOperations(ports).repeat,
    ),
  )

const readTransferFacts = async (
  { digest, clock }: Pick<PaymentsPorts, 'digest' | 'clock'>,
  store: Store,
  sender: Sender,
  { apiKey, valueCents }: DecodedTransfer,
) => {
  const { accountId } = sender
  const claim = await store.find(byId(claims, claimId('api-key', digest.sha256(apiKey))))
  const toAccountId = typeof claim?.holder === 'number' ? claim.holder : NO_ACCOUNT
  const windows = limitWindowsOf(clock.steady())
  const found = await store.read({
    from: byId(accounts, accountId),
    to: byId(accounts, toAccountId),
    book: bookOf(accountId),
    sent: byId(sentTransfers.collection, sentId({ accountId, toAccountId, valueCents })),
    ...windowSumQueries(windowSumIds(accountId, windows)),
    ...findConfirmation({ digest }, sender),
  })
  return { ...found, windows }
}

/** An id that no account has: the API key is unknown. */
const NO_ACCOUNT = 0

type TransferFacts = FactsOf<typeof readTransferFacts>

type Ports = Pick<PaymentsPorts, 'bank' | 'cipher' | 'settings'>

/**
 * Checks whether a value may be transferred, in this order: the paying account, the receiving account, the daily and
 * the nightly limit, a repeat of an earlier transfer, and the balance.
 */
const checkTransfer = (
  { bank, settings: { internalTransferBank: required } }: Pick<Ports, 'bank' | 'settings'>,
  { to, book, sent, windows, ...facts }: TransferFacts,
  { valueCents }: Pick<DecodedTransfer, 'valueCents'>,
  now: Instant,
) => {
  const active = payingAccount(facts.from)
  if (isLeft(active)) return active
  const from = active.right
  if (!bank.payOuts) return left(BANK_UNSUPPORTED)
  if (from.bankCode !== required) return left(failure('forbidden', 'transfer.source-bank'))
  if (!isExisting(to)) return left(invalid([issue('apiKey', 'unknown')]))
  if (to.id === from.id) return left(failure('refused', 'transfer.self'))
  if (!acceptsWrites(to)) return left(failure('forbidden', 'transfer.destination-inactive'))
  if (to.bankCode !== required) return left(failure('refused', 'transfer.destination-bank'))
  if (to.pixKey === null) return left(failure('refused', 'transfer.no-key'))
  const leftCents = leftInWindows(from.limits, windows, facts)
  if (leftCents !== null && valueCents > leftCents)
    return left(invalid([issue('valueCents', 'withdrawal.limit-left', { max: formatReais(leftCents) })]))
  if (sentTransfers.isDuplicate(sent, now)) return left(failure('refused', 'transfer.repeated'))
  if ((book?.availableCents ?? 0) < valueCents) return left(failure('refused', 'transfer.balance'))
  return right({ from, to, key: to.pixKey })
}

/** Stores the transfer and its operation, reserves the value, counts it in the limits and takes the duplicate guard. */
const decideTransfer = (
  ports: Ports,
  facts: TransferFacts,
  { userId }: Sender,
  request: DecodedTransfer,
  fresh: Fresh,
) => {
  const checked = checkTransfer(ports, facts, request, fresh.steady)
  if (isLeft(checked)) return checked
  const { from, to, key } = checked.right
  const { valueCents, description } = request
  const confirmed = confirmValue(from, valueCents, userId, facts, fresh)
  if (isLeft(confirmed)) return confirmed
  const transfer = newRecord(transfers, {
    id: randomCode(fresh, ports.bank.txidLength),
    accountId: from.id,
    toAccountId: to.id,
    userId,
    valueCents,
    description,
    status: 'pending',
    ...windowSumIds(from.id, facts.windows),
    createdAt: fresh.now,
    updatedAt: fresh.now,
  })
  const { id, accountId } = transfer
  const order = { id, from: payerOf(from), to: { key }, valueCents, message: truncateMessage(description) }
  const input = { id, accountId, subject: subjectOf(transfers, id), order }
  const { started, change } = beginOperation(ports.cipher, TRANSFER, input, fresh)
  return accept<StartedBankOperation<PayOutOrder>>(
    started,
    checkActive(from.id),
    checkAcceptsWrites(to.id),
    reserve(transfer),
    ...countInWindows(from.id, facts.windows, confirmed.right.limits, valueCents, fresh),
    ...sentTransfers.reserve(transfer, fresh.steady),
    insert(transfers, transfer),
    ...confirmed.right.changes,
    change,
  )
}

const TRANSFER = { kind: 'transfer', ...SEND_ONCE } as const

/** The bank operations of transfers. Each is sent once; its outcome is requested by the transfer's id. */
export const transferOperations = (ports: PaymentsPorts) =>
  operationsOf<OutcomeFacts | null, PayOutOrder, PaidTransfer, Transfer, OutcomeCode>(ports, {
    ...TRANSFER,
    read: (store, { subject: [, id] }) => readOutcomeFacts(store, id),
    find: transferCalls(ports).find,
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
    ...windowSumQueries(transfer),
  })
  if (!from || !to) return null
  const isFailed = transfer.status === 'failed'
  const sent = isFailed ? await store.find(byId(sentTransfers.collection, sentId(transfer))) : null
  return { transfer, from, to, ...sums, sent }
}

const transferCalls = ({ bank, store }: Pick<PaymentsPorts, 'bank' | 'store'>) => {
  const calls = payOutCalls(bank)
  return {
    send: async (order: PayOutOrder): Promise<BankAnswer<PaidTransfer>> => {
      const answer = await calls.send(order)
      return answer.outcome === 'done' ? { ...answer, value: await paidTransferOf(store, answer.value) } : answer
    },
    find: async (order: PayOutOrder): Promise<BankAnswer<PaidTransfer | null>> => {
      const answer = await calls.find(order)
      if (answer.outcome !== 'done') return answer
      return { ...answer, value: answer.value && (await paidTransferOf(store, answer.value)) }
    },
  }
}

/**
 * Reports whether the Pix is already credited: the bank may report it to the receiving account before it answers the
 * order. A later report fails with a conflict.
 */
const paidTransferOf = async (store: Store, { endToEndId }: CompletedPayOut): Promise<PaidTransfer> => ({
  endToEndId,
  isCredited: (await postedOf(store, { endToEndId })) !== null,
})
