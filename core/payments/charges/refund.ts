import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, line, money, nullIfAbsent, text } from '../../kernel/input/mod.ts'
import { always, type Change, ensure, eq, gte, insert, patch } from '../../kernel/records/record.ts'
import {
  accept,
  type FactsOf,
  type Fresh,
  operationUseCase,
  randomCode,
  startOperation,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import type { BankAnswer, BankRefund, RefundOrder } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts, activeAccount, checkActive } from '../accounts/account.ts'
import {
  BANK_CALLS,
  type BankReply,
  beginOperation,
  type Operation,
  type OperationResult,
  openVerdict,
  payOutFailure,
  type StartedBankOperation,
  subjectOf,
  UNAVAILABLE,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import {
  entries,
  ledgerAccountId,
  ledgerAccounts,
  PIX_REFUND,
  post,
  releaseBalance,
  reserveBalance,
} from '../ledger/ledger.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { charges } from './charge.ts'
import { entryDetails, findCharge, NO_CHARGE } from './detail.ts'
import { type FullCharge, readDetails } from './read.ts'
import {
  isPastDeadline,
  isRefundable,
  newRefundablePix,
  type ReceivedPixEntry,
  type Refund,
  readReceivedPix,
  recordRefund,
  refundableId,
  refundablePix,
  refunds,
} from './refund-records.ts'

const MAX_REASON = 140
const MAX_ID = 100

/** The input of a refund; by default, all that is left of the only Pix of the charge with a refundable amount. */
export const newRefund = input('NewRefund', {
  valueCents: nullIfAbsent(money({ wire: 'value', minCents: 1, about: 'Valor; sem ele, tudo o que resta do Pix' })),
  reason: nullIfAbsent(line({ max: MAX_REASON, about: 'O que o pagador lê' })),
  endToEndId: nullIfAbsent(
    text({ max: MAX_ID, about: 'endToEndId do Pix recebido; sem ele, o único de que resta algo a devolver' }),
  ),
})

export type NewRefund = InputOf<typeof newRefund>
export type RefundRequest = DecodedOf<typeof newRefund>

/** The answer if the bank does not support refunds. */
const NO_REFUNDS: BankAnswer<never> = { outcome: 'unavailable' }

const sendRefund =
  ({ bank }: Pick<PaymentsPorts, 'bank'>) =>
  async (order: RefundOrder): Promise<BankAnswer<BankRefund>> =>
    bank.refunds ? bank.refunds.refund(order) : NO_REFUNDS

/** The operations that refund received Pix at the bank. */
export const refundOperations = (ports: PaymentsPorts) =>
  operationsOf<RefundFacts | null, RefundOrder, BankRefund, RefundedCharge, RefundCode>(ports, {
    ...REFUND,
    read: (store, operation) => readRefund(ports, store, operation),
    // A refund cannot be cancelled.
    isWanted: () => true,
    send: sendRefund(ports),
    find: async (order) => (ports.bank.refunds ? ports.bank.refunds.findRefund(order) : NO_REFUNDS),
    decide: decideRefundReply,
    ended: (_, facts, reply, fresh) => decideLateRefund(facts, reply, fresh),
    unknown: NO_CHARGE,
  })

const readRefund = async (ports: PaymentsPorts, store: Store, { subject: [, id] }: Pick<Operation, 'subject'>) => {
  const refund = await store.find(byId(refunds, id))
  const found = refund && (await findCharge(ports, { id: refund.chargeId }))
  if (!refund || !found) return null
  const entry = await store.find(byId(entries, refund.entryId))
  return entry ? { refund, detail: await readDetails(ports, found), entry } : null
}

export const refundCharge =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'userId' | 'accountId'>, chargeId: number, sent: NewRefund) =>
    withValidInput(ports, newRefund, sent, (request) =>
      operationUseCase(
        startOperation(
          ports,
          (store) => readFacts(ports, store, actor, chargeId, request),
          (facts, fresh) => decideNewRefund(ports, facts, actor, request, fresh),
        ),
        (started) => refundOperations(ports).send(started, sendRefund(ports)),
        refundOperations(ports).repeat,
      ),
    )

const readFacts = async (
  { clock }: Pick<PaymentsPorts, 'clock'>,
  store: Store,
  { accountId }: Pick<Actor, 'accountId'>,
  chargeId: number,
  request: RefundRequest,
) => {
  const { charge, account, book } = await store.read({
    charge: byId(charges, chargeId),
    account: byId(accounts, accountId),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
  })
  if (charge?.accountId !== accountId || !account) return null
  const today = dayOf(clock.steady())
  const named = await readReceivedPix(store, charge, request.endToEndId, today)
  // Without a Pix of the requested id, all Pix tell `refund.not-pix` from an unknown id.
  const isUnknown = request.endToEndId !== null && named.length === 0
  const received = isUnknown ? await readReceivedPix(store, charge, null, today) : named
  return { charge, account, book, received }
}

/** The kind of operations that refund a received Pix. */
const REFUND = { kind: 'refund', ...BANK_CALLS, firstWaitSeconds: 2 } as const
/** The API Pix accepts at most 35. */
const ID_CHARS = 32

type NewRefundFacts = FactsOf<typeof readFacts>
type DecidingPorts = Pick<PaymentsPorts, 'cipher' | 'bank'>

/**
 * Decides on a refund: before the request to the bank, subtracts it from the refundable amount of its Pix and from the available
 * balance. The guards of both hold for concurrent refunds.
 */
const decideNewRefund = (
  ports: DecidingPorts,
  facts: NewRefundFacts | null,
  actor: Pick<Actor, 'userId'>,
  request: RefundRequest,
  fresh: Fresh,
) => {
  if (!facts) return left(NO_CHARGE)
  const active = activeAccount(facts.account)
  if (isLeft(active)) return active
  if (!ports.bank.refunds) return left(failure('refused', 'bank.unsupported'))
  if (facts.received.length === 0) return left(failure('refused', 'refund.not-pix'))
  const requested = facts.received.filter(
    ({ entry }) => request.endToEndId === null || entry.endToEnd === request.endToEndId,
  )
  if (requested.length === 0) return left(invalid([issue('endToEndId', 'unknown')]))
  const inTime = requested.filter(({ entry }) => !isPastDeadline(entry, fresh.today))
  if (inTime.length === 0) return left(failure('refused', 'refund.late'))
  const [chosen, another] = inTime.filter(isRefundable)
  if (another) return left(invalid([issue('endToEndId', 'refund.several')]))
  const mostCents = chosen?.leftCents ?? 0
  const valueCents = request.valueCents ?? mostCents
  if (!chosen || valueCents > mostCents)
    return left(invalid([issue('valueCents', 'refund.left', { max: formatReais(mostCents) })]))
  if ((facts.book?.availableCents ?? 0) < valueCents) return left(invalid([issue('valueCents', 'refund.balance')]))
  return beginRefund(ports.cipher, facts, actor, { chosen, valueCents, reason: request.reason }, fresh)
}

interface Chosen extends Pick<Refund, 'valueCents' | 'reason'> {
  readonly chosen: ReceivedPixEntry
}

const beginRefund = (
  cipher: Pick<Cipher, 'seal'>,
  { charge }: NewRefundFacts,
  { userId }: Pick<Actor, 'userId'>,
  { chosen: { entry }, valueCents, reason }: Chosen,
  fresh: Fresh,
) => {
  const { accountId } = charge
  const id = randomCode(fresh, ID_CHARS)
  const order: RefundOrder = { id, endToEndId: entry.endToEnd ?? '', valueCents, reason }
  const refund: Refund = {
    ...order,
    accountId,
    chargeId: charge.id,
    entryId: entry.id,
    status: 'pending',
    failure: null,
    returnId: null,
    createdBy: userId,
    createdAt: fresh.now,
    completedAt: null,
  }
  const { started, change } = beginOperation(
    cipher,
    REFUND,
    { id, accountId, subject: subjectOf(refunds, id), order },
    fresh,
  )
  return accept<StartedBankOperation<RefundOrder>>(
    started,
    checkActive(accountId),
    ensure(refundablePix, newRefundablePix(entry)),
    patch(refundablePix, refundableId(entry), {
      add: { refundableCents: -valueCents },
      when: gte('refundableCents', valueCents),
    }),
    reserveBalance(accountId, valueCents),
    insert(refunds, refund),
    change,
  )
}

/** A charge with a requested refund. */
export interface RefundedCharge extends FullCharge {
  /** False before the bank's answer. */
  readonly isAnswered: boolean
}

type RefundFacts = FactsOf<typeof readRefund>

type RefundCode = 'charge.unknown' | 'bank.refused' | 'bank.unavailable'

/** The reason if the bank gives none. */
const NO_REASON = 'O banco não fez a devolução.'

/** Decides on a refund after the bank's answer: posts it, or releases its reserve. */
const decideRefundReply = (
  operation: Pick<Operation, 'attempts'>,
  facts: RefundFacts | null,
  reply: BankReply<BankRefund>,
  fresh: Fresh,
): Verdict<RefundedCharge, RefundCode> => {
  if (!facts) return { is: 'withdrawn', value: left(NO_CHARGE) }
  const value = right({ ...facts.detail, isAnswered: false })
  const open = openVerdict(operation, reply, value)
  if (open) return open
  if (reply.outcome === 'unavailable') return failed(facts, UNAVAILABLE)
  if (reply.outcome !== 'done') return failed(facts, reply.outcome === 'refused' ? reply.reason : NO_REASON)
  if (reply.value.status === 'processing') return { is: 'asking', value }
  if (reply.value.status === 'failed') return failed(facts, reply.value.reason ?? NO_REASON)
  return { is: 'done', ...completed(facts, reply.value, fresh) }
}

/**
 * Returns the result of a refund for calls after its end. A failed refund that the bank returned nevertheless is posted, because the
 * bank decides about the money.
 */
const decideLateRefund = (
  facts: RefundFacts | null,
  reply: BankReply<BankRefund> | null,
  fresh: Fresh,
): OperationResult<RefundedCharge, RefundCode> => {
  if (!facts) return { value: left(NO_CHARGE) }
  const { refund, detail } = facts
  if (refund.status !== 'failed') return { value: right({ ...detail, isAnswered: refund.status === 'completed' }) }
  const isReturned = reply?.outcome === 'done' && reply.value.status === 'returned'
  return isReturned ? completed(facts, reply.value, fresh) : { value: left(payOutFailure(refund.failure ?? NO_REASON)) }
}

const failed = ({ refund, entry }: RefundFacts, why: string): Verdict<RefundedCharge, RefundCode> => {
  const { id, valueCents } = refund
  return {
    is: 'refused',
    reason: why,
    value: left(payOutFailure(why)),
    changes: [
      patch(refunds, id, { set: { status: 'failed', failure: why }, when: eq('status', 'pending') }),
      patch(refundablePix, refundableId(entry), { add: { refundableCents: valueCents }, when: always }),
      releaseBalance(refund.accountId, valueCents),
    ],
  }
}

const completed = (
  { refund, detail, entry }: RefundFacts,
  { returnId }: BankRefund,
  fresh: Fresh,
): OperationResult<RefundedCharge, RefundCode> & { readonly changes: readonly Change[] } => {
  const { id, valueCents, status } = refund
  const { now } = fresh
  const set = { status: 'completed', failure: null, returnId, completedAt: now } as const
  const refundedCents = (detail.charge.refundedCents ?? 0) + valueCents
  const charge = { ...detail.charge, refundedCents, updatedAt: now }
  const after: FullCharge = {
    ...detail,
    charge,
    refunds: detail.refunds.map((each) => (each.id === id ? { ...each, ...set } : each)),
  }
  const take = { refundedCents: [[charges.name, charge.id], 'refundedCents'] } as const
  return {
    value: right({ ...after, isAnswered: true }),
    changes: [
      patch(refunds, id, { set, when: eq('status', status) }),
      status === 'pending'
        ? releaseBalance(refund.accountId, valueCents)
        : patch(refundablePix, refundableId(entry), { add: { refundableCents: -valueCents }, when: always }),
      patch(charges, charge.id, { set: { updatedAt: now }, add: { refundedCents: valueCents }, when: always }),
      ...post(fresh, {
        accountId: refund.accountId,
        kind: 'main',
        cause: refundCause(id),
        lines: [{ type: PIX_REFUND, valueCents: -valueCents, against: 'clearing' }],
        details: entryDetails(charge, { txid: entry.txid, endToEnd: entry.endToEnd, receiver: entry.payer }),
      }),
      ...recordRefund(fresh, after, { ...refund, ...set }, take),
    ],
  }
}

/** Returns the cause under which a refund is posted once. */
export const refundCause = (id: string): string => `pix-refund:${id}`
