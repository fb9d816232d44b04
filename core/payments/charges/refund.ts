import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type DecodedOf, flag, type InputOf, input, line, money, nullIfAbsent, text } from '../../kernel/input/mod.ts'
import { all, always, type Change, ensure, eq, gte, insert, newRecord, patch } from '../../kernel/records/record.ts'
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
import { fillInOrder, formatReais, sumBy } from '../../kernel/values/money.ts'
import type { BankAnswer, BankRefund, RefundOrder } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts, activeAccount, checkActive } from '../accounts/account.ts'
import {
  BANK_CALLS,
  type BankReply,
  beginOperation,
  enqueueOperation,
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
import { bookOf, entries, PIX_REFUND, post, releaseBalance, reserveBalance } from '../ledger/ledger.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import {
  failReversals,
  postReversals,
  type ReversedShare,
  readReversible,
  reversedCents,
  reverseLate,
  reverseShares,
  settleReversals,
} from '../splits/reversal.ts'
import { readReceivers } from '../splits/share.ts'
import { asPaid, type Charge, charges, countShareDecision } from './charge.ts'
import { entryDetails, findCharge, NO_CHARGE, overpaidLeft } from './detail.ts'
import { overTaken, owedAgain, takeOverpaid } from './partial.ts'
import { type FullCharge, readDetails } from './queries/read.ts'
import {
  failedRefundCause,
  isPastDeadline,
  isRefundable,
  newRefundablePix,
  type ReceivedPixEntry,
  type Refund,
  readNetPaid,
  readReceivedPix,
  readShared,
  recordRefund,
  refundableId,
  refundablePix,
  refundCause,
  refunds,
} from './refund-records.ts'
import { requestRestTitle } from './rest-title.ts'

const MAX_REASON = 140
/** The most Pix from which one request refunds an over-payment. */
const MAX_PARTS = 20
const MAX_ID = 100

/** The input of a refund; by default, all that is left of the only Pix of the charge with a refundable amount. */
export const newRefund = input('NewRefund', {
  valueCents: nullIfAbsent(
    money({
      wire: 'value',
      minCents: 1,
      about: 'Valor; sem ele, tudo o que resta do Pix, ou tudo o que foi pago a mais',
    }),
  ),
  reason: nullIfAbsent(line({ max: MAX_REASON, about: 'O que o pagador lê' })),
  endToEndId: nullIfAbsent(
    text({ max: MAX_ID, about: 'endToEndId do Pix recebido; sem ele, o único de que resta algo a devolver' }),
  ),
  isOfOverpaid: nullIfAbsent(
    flag({ wire: 'overpaid', about: 'Se devolve só o que foi pago a mais, do Pix mais novo ao mais antigo' }),
  ),
})
export type NewRefund = InputOf<typeof newRefund>
export type RefundRequest = DecodedOf<typeof newRefund>

export const refundCharge =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'userId' | 'accountId'>, chargeId: number, sent: NewRefund) => {
    const { orPending, send, repeat } = refundOperations(ports)
    return withValidInput(ports, newRefund, sent, (request) =>
      operationUseCase(
        startOperation(
          ports,
          (store) => readFacts(ports, store, actor, chargeId, request),
          (facts, fresh) => decideNewRefund(ports, facts, actor, request, fresh),
        ),
        (started) => orPending(started.intent, send(started, sendRefund(ports))),
        (intent) => orPending(intent, repeat(intent)),
      ),
    )
  }

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
    book: bookOf(accountId),
  })
  if (charge?.accountId !== accountId || !account) return null
  const today = dayOf(clock.steady())
  const named = await readReceivedPix(store, charge, request.endToEndId, today, request.isOfOverpaid ? MAX_PARTS : 2)
  // Reads all if none has the requested id: without any, the failure is `refund.not-pix`, else the id is unknown.
  const isUnknown = request.endToEndId !== null && named.length === 0
  const received = isUnknown ? await readReceivedPix(store, charge, null, today) : named
  const reversible = await readReversible(store, charge, await readNetPaid(store, charge))
  return { charge, account, book, received, reversible }
}

type NewRefundFacts = FactsOf<typeof readFacts>

/**
 * Decides on a refund: before the request to the bank, subtracts it from the refundable amount of its Pix and from the
 * available balance. The guards of both hold for concurrent refunds.
 */
const decideNewRefund = (
  ports: Pick<PaymentsPorts, 'cipher' | 'bank'>,
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
  const chosen = inTime.filter(isRefundable).slice(0, MAX_PARTS)
  if (!request.isOfOverpaid && chosen.length > 1) return left(invalid([issue('endToEndId', 'refund.several')]))
  const leftCents = sumBy(chosen, (each) => each.leftCents)
  const mostCents = request.isOfOverpaid ? Math.min(leftCents, overpaidLeft(facts.charge)) : leftCents
  const valueCents = request.valueCents ?? mostCents
  if (valueCents === 0 || valueCents > mostCents)
    return left(invalid([issue('valueCents', 'refund.left', { max: formatReais(mostCents) })]))
  return beginRefunds(ports.cipher, facts, actor, { chosen, valueCents, reason: request.reason }, fresh)
}

interface Chosen extends Pick<Refund, 'valueCents' | 'reason'> {
  /** The Pix to refund, in this order. */
  readonly chosen: readonly ReceivedPixEntry[]
}

/**
 * Starts a refund of each Pix until the amount is reached; the request sends the first, the worker the others. Any
 * refund counts against the over-payment of the charge first, so that the over-payment is not refunded twice.
 */
const beginRefunds = (
  cipher: Pick<Cipher, 'seal'>,
  facts: NewRefundFacts,
  actor: Pick<Actor, 'userId'>,
  { chosen, valueCents, reason }: Chosen,
  fresh: Fresh,
) => {
  const { charge } = facts
  const overCents = Math.min(valueCents, overpaidLeft(charge))
  const parts = partsOf(chosen, valueCents, overCents)
  const { reversals, changes: reversed } = reverseShares(
    facts.reversible,
    parts.map((part) => part.valueCents),
  )
  const ownCents = valueCents - sumBy(reversals, reversedCents)
  if ((facts.book?.availableCents ?? 0) < ownCents) return left(invalid([issue('valueCents', 'refund.balance')]))
  const [first, ...others] = parts.map((part, index) =>
    beginRefund(charge, actor, { ...part, reason, shares: reversals[index] ?? null }, fresh),
  )
  if (!first) throw new RangeError(`no Pix to refund ${valueCents} cents of charge ${charge.id}`)
  const { started, change } = beginOperation(cipher, REFUND, first.operation, fresh)
  return accept<StartedBankOperation<RefundOrder>>(
    started,
    checkActive(charge.accountId),
    ...first.changes,
    change,
    ...others.flatMap(({ operation, changes }) => [...changes, enqueueOperation(cipher, REFUND, operation, fresh)]),
    ...reversed,
    ...countShareDecision(charge),
    ...takeOverpaid(charge.id, overCents, gte('overpaidCents', overCents)),
  )
}

/** The part of a refund that one Pix returns. */
interface Part extends ReceivedPixEntry, Pick<Refund, 'valueCents' | 'overCents'> {}

const partsOf = (chosen: readonly ReceivedPixEntry[], valueCents: number, overCents: number): readonly Part[] => {
  const values = fillInOrder(
    valueCents,
    chosen.map(({ leftCents }) => leftCents),
  )
  const overs = fillInOrder(overCents, values)
  return chosen.flatMap((pix, index) => {
    const value = values[index] ?? 0
    return value === 0 ? [] : [{ ...pix, valueCents: value, overCents: overs[index] || null }]
  })
}

interface ReversedPart extends Part, Pick<Refund, 'reason'> {
  /** The reversed shares of the receivers; null without shares. */
  readonly shares: readonly ReversedShare[] | null
}

/** The API Pix accepts at most 35. */
const ID_CHARS = 32

/** Returns the operation of a refund, and the changes that store the refund and reserve its amount. */
const beginRefund = (
  { id: chargeId, accountId }: Charge,
  { userId }: Pick<Actor, 'userId'>,
  { entry, leftCents, valueCents, overCents, shares, reason }: ReversedPart,
  fresh: Fresh,
) => {
  const id = randomCode(fresh, ID_CHARS)
  const order: RefundOrder = { id, endToEndId: entry.endToEnd ?? '', valueCents, reason }
  const refund = newRecord(refunds, {
    ...order,
    accountId,
    chargeId,
    entryId: entry.id,
    overCents,
    shares: shares && [...shares],
    status: 'pending',
    createdBy: userId,
    createdAt: fresh.now,
    completedAt: null,
  })
  const changes = [
    ensure(refundablePix, newRefundablePix(entry)),
    patch(refundablePix, refundableId(entry), {
      add: { refundableCents: -valueCents },
      // The reversal of shares depends on the earlier refunds of the Pix: the commit is stale after another one.
      when: shares === null ? gte('refundableCents', valueCents) : eq('refundableCents', leftCents),
    }),
    reserveBalance(accountId, valueCents - reversedCents(shares)),
    insert(refunds, refund),
  ]
  return { operation: { id, accountId, subject: subjectOf(refunds, id), order }, changes }
}

/** The kind of the operations that refund a received Pix. */
const REFUND = { kind: 'refund', ...BANK_CALLS, firstWaitSeconds: 2 } as const

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

/** The answer if the bank does not support refunds. */
const NO_REFUNDS: BankAnswer<never> = { outcome: 'unavailable' }

const sendRefund =
  ({ bank }: Pick<PaymentsPorts, 'bank'>) =>
  async (order: RefundOrder): Promise<BankAnswer<BankRefund>> =>
    bank.refunds ? bank.refunds.refund(order) : NO_REFUNDS

const readRefund = async (ports: PaymentsPorts, store: Store, { subject: [, id] }: Pick<Operation, 'subject'>) => {
  const refund = await store.find(byId(refunds, id))
  const found = refund && (await findCharge(ports, { id: refund.chargeId }))
  if (!refund || !found) return null
  const { entry, account } = await store.read({
    entry: byId(entries, refund.entryId),
    account: byId(accounts, refund.accountId),
  })
  if (!entry || !account) return null
  const reversible = await readReversible(store, found.charge, await readNetPaid(store, found.charge))
  const others = await readShared(store, found.charge)
  const receivers = await readReceivers(store, found.charge)
  return { refund, detail: await readDetails(ports, found), entry, account, reversible, others, receivers }
}

type RefundFacts = FactsOf<typeof readRefund>

/** A charge whose refund was requested. */
export interface RefundedCharge extends FullCharge {
  /** False before the bank's answer. */
  readonly isAnswered: boolean
}

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
  if (reply.outcome === 'unavailable') return failed(facts, UNAVAILABLE, fresh)
  if (reply.outcome !== 'done') return failed(facts, reply.outcome === 'refused' ? reply.reason : NO_REASON, fresh)
  if (reply.value.status === 'processing') return { is: 'asking', value }
  if (reply.value.status === 'failed') return failed(facts, reply.value.reason ?? NO_REASON, fresh)
  return { is: 'done', ...completed(facts, reply.value, fresh) }
}

/**
 * Returns the result of a refund for calls after its end. A failed refund that the bank returned nevertheless is
 * posted, because the bank decides about the money.
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

const failed = (facts: RefundFacts, why: string, fresh: Fresh): Verdict<RefundedCharge, RefundCode> => {
  const { refund, entry, account, detail, reversible, others, receivers } = facts
  const { id, valueCents, overCents, chargeId, shares } = refund
  const { corrections, changes: released } = failReversals(reversible, refund, others)
  const posted = postReversals(corrections, account, receivers)
  const set = { status: 'failed', failure: why, corrections: corrections.length === 0 ? null : corrections } as const
  return {
    is: 'refused',
    reason: why,
    value: left(payOutFailure(why)),
    changes: [
      patch(refunds, id, { set, when: eq('status', 'pending') }),
      patch(refundablePix, refundableId(entry), { add: { refundableCents: valueCents }, when: always }),
      releaseBalance(refund.accountId, valueCents - reversedCents(shares)),
      ...released,
      ...countShareDecision(detail.charge),
      ...takeOverpaid(chargeId, overCents && -overCents),
      ...(posted.lines.length === 0
        ? []
        : post(fresh, {
            accountId: refund.accountId,
            kind: 'main',
            cause: failedRefundCause(id),
            ...posted,
            details: entryDetails(detail.charge, { txid: entry.txid, endToEnd: entry.endToEnd, receiver: entry.payer }),
          })),
    ],
  }
}

const completed = (
  { refund, detail, entry, account, reversible, receivers }: RefundFacts,
  { returnId }: BankRefund,
  fresh: Fresh,
): OperationResult<RefundedCharge, RefundCode> & { readonly changes: readonly Change[] } => {
  const { id, valueCents, status } = refund
  const late = status === 'pending' ? { shares: refund.shares, changes: [] } : reverseLate(reversible, valueCents)
  const shares = late.shares && [...late.shares]
  const posted = postReversals(shares, account, receivers)
  const refundedCents = (detail.charge.refundedCents ?? 0) + valueCents
  const reopened = owedAgain(detail.charge, refund)
  const overCents = overTaken({ ...detail.charge, refundedCents }, refund)
  const ofOverpaid = { overCents: (status === 'pending' ? (refund.overCents ?? 0) : 0) + overCents || null }
  const set = { status: 'completed', failure: null, returnId, completedAt: fresh.now, shares, ...ofOverpaid } as const
  const over = overCents === 0 ? {} : { overpaidCents: (detail.charge.overpaidCents ?? 0) - overCents }
  const charge = { ...detail.charge, ...reopened, ...over, refundedCents, updatedAt: fresh.now }
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
        ? releaseBalance(refund.accountId, valueCents - reversedCents(shares))
        : patch(refundablePix, refundableId(entry), { add: { refundableCents: -valueCents }, when: always }),
      ...late.changes,
      ...settleReversals(shares),
      patch(charges, charge.id, {
        set: { ...reopened, updatedAt: fresh.now },
        add: { refundedCents: valueCents, ...(overCents === 0 ? {} : { overpaidCents: -overCents }) },
        when: all<keyof Charge & string>(
          eq('overpaidCents', detail.charge.overpaidCents),
          reopened === null && overCents === 0 ? always : asPaid(detail.charge),
        ),
      }),
      ...(status === 'pending' ? [] : countShareDecision(charge)),
      ...(reopened === null ? [] : requestRestTitle(charge, fresh)),
      ...post(fresh, {
        accountId: refund.accountId,
        kind: 'main',
        cause: refundCause(id),
        lines: [{ type: PIX_REFUND, valueCents: -valueCents, against: 'clearing' }, ...posted.lines],
        shares: posted.shares,
        details: entryDetails(charge, { txid: entry.txid, endToEnd: entry.endToEnd, receiver: entry.payer }),
      }),
      ...recordRefund(fresh, after, { ...refund, ...set }, take),
    ],
  }
}
