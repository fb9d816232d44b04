import { left, right } from '../../fp.ts'
import { type Change, insert, patch } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, finishOperation, useCaseOf } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { percentHalfUp, WHOLE_PERCENT } from '../../kernel/values/money.ts'
import type { CardDecision, CardNumber, CardOrder } from '../../ports/acquirer.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import {
  type BankReply,
  bankOperations,
  CALL_SECONDS,
  newOperation,
  type Operation,
  type OperationResult,
  subjectOf,
  type Verdict,
} from '../bank/operation.ts'
import { LOST, operationsOf } from '../bank/run-operation.ts'
import type { BoundedCount } from '../bounded-count.ts'
import type { Card } from '../cards/card.ts'
import { newCardTransaction } from '../cards/card-transaction.ts'
import { declineTry, readTryFacts, releaseTry, type TryFacts } from '../cards/card-tries.ts'
import { post } from '../ledger/post.ts'
import { CARD_SETTLEMENT } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { newCancellation } from './cancellation.ts'
import { asRead, type Charge, charges, issuingOperationId } from './charge.ts'
import {
  type ChargeDetail,
  type ChargeReader,
  entryDetails,
  failureOf,
  findCharge,
  NO_CHARGE,
  resultOf,
  UNAVAILABLE,
  WITHDRAWN,
} from './detail.ts'
import { type ChargeEventType, recordChargeEvent } from './events.ts'
import { freeLinkPlaces, readLinkPlace } from './link-places.ts'

/** The kind of the operations that charge a card; each is known at the acquirer by its charge's code. */
export const CHARGE_CARD = 'charge-card'
/** How long the acquirer may take: longer than one call's time-out. */
export const CARD_LEASE_SECONDS = 60

/** What is kept of an order: neither the card's number nor its code. */
export interface StoredCardOrder extends CardOrder {
  /** From when on what the acquirer does not know will not arrive there any more. */
  readonly lostAt: Instant
}

/** Whether what is sent now arrives before it counts as lost: whoever begins may have been held up for long. */
export const maySend = ({ lostAt }: Pick<StoredCardOrder, 'lostAt'>, now: Instant): boolean =>
  now < addSeconds(lostAt, -CALL_SECONDS)

/** A charge with what was asked of its card. */
export type CardCharge = Charge & { readonly card: NonNullable<Charge['card']> }

export const isCardCharge = (charge: Charge): charge is CardCharge => charge.card !== null

/** What the acquirer is asked for a charge, and the operation by which it is. */
export const newCardOperation = (
  cipher: Pick<Cipher, 'seal'>,
  { id, accountId, code, card }: CardCharge,
  { name: payeeName }: Pick<Account, 'name'>,
  fresh: Fresh,
): { readonly order: StoredCardOrder; readonly operation: Operation } => {
  const { brand, last4, installments, valueCents } = card
  const lostAt = addSeconds(fresh.now, CARD_LEASE_SECONDS)
  const order = { id: code, valueCents, installments, brand, last4, payeeName, lostAt }
  const given = { id: code, accountId, kind: CHARGE_CARD, subject: subjectOf(charges, id) }
  return { order, operation: newOperation<StoredCardOrder>(cipher, { ...given, order, dueAt: lostAt }, fresh) }
}

/** The card itself, as the acquirer is told of it. */
export const cardNumberOf = ({
  cardNumber,
  cvv,
  expiryMonth,
  expiryYear,
  cardholderName,
  document,
}: Card): CardNumber => ({
  number: cardNumber,
  cvv,
  expiryMonth,
  expiryYear,
  holder: cardholderName,
  document,
})

const PLACES = 4
const FIRST_WAIT_SECONDS = 5

/**
 * Cards that are charged: only the request that has the card sends its order, and everybody else asks what became of it. What
 * the acquirer does not know once nothing can arrive there any more has failed. Source: decisions.md §9.
 */
export const chargeCard = (ports: PaymentsPorts) =>
  operationsOf<CardFacts | null, StoredCardOrder, CardDecision, ChargeDetail, CardCode>(ports, {
    kind: CHARGE_CARD,
    places: PLACES,
    leaseSeconds: CARD_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    read: (_, { subject: [, id] }) => readCardFacts(ports, { id: Number(id) }),
    isWanted: (_, facts) => facts?.detail.charge.status === 'pending',
    // The number is nowhere but in the request.
    send: null,
    find: (order) => findCard(ports, order),
    decide: (...facts) => decideCardReply(ports.cipher, ...facts),
    ended: (_, ...facts) => decideLateCard(ports.cipher, ...facts),
    unknown: NO_CHARGE,
  })

const UNREACHABLE = { outcome: 'unavailable' } as const

/**
 * What the request that has the card does with its order: one that could arrive when it counts as lost is not sent. By the
 * clock of the lease, lest it be sent when others have seen that end.
 */
export const sendCard =
  ({ acquirer, clock }: Pick<PaymentsPorts, 'acquirer' | 'clock'>, card: Card) =>
  async ({ lostAt, ...order }: StoredCardOrder): Promise<BankAnswer<CardDecision>> =>
    acquirer && maySend({ lostAt }, clock.now()) ? acquirer.charge(order, cardNumberOf(card)) : UNREACHABLE

/** What may still have been on its way there when it was asked about is not unknown yet, however late the answer is heard. */
const findCard = async (
  { acquirer, clock }: Pick<PaymentsPorts, 'acquirer' | 'clock'>,
  { id, lostAt }: StoredCardOrder,
): Promise<BankAnswer<CardDecision | null>> => {
  const askedAt = clock.steady()
  const known = acquirer ? await acquirer.find(id) : UNREACHABLE
  const isOnItsWay = known.outcome === 'done' && known.value === null && askedAt < lostAt
  return isOnItsWay ? { outcome: 'unknown' } : known
}

/** The charge of a card with its account; null for one that has none. */
export const readCardFacts = async (
  ports: ChargeReader,
  by: { readonly id: number } | { readonly code: string },
): Promise<CardFacts | null> => {
  const detail = await findCharge(ports, by)
  const account = detail && (await ports.store.find(byId(accounts, detail.charge.accountId)))
  if (!detail || !account) return null
  const { charge } = detail
  if (!isCardCharge(charge)) return null
  const [tries, place] = await Promise.all([readTryFacts(ports.store, charge), readLinkPlace(ports.store, charge)])
  return { detail: { ...detail, charge }, account, tries, place }
}

/**
 * Carries on a charge of whose card the acquirer has said nothing yet, by its code, for somebody who repeats the request. Whoever
 * comes after the answer is told the same.
 * Fails: `charge.unknown`, `card.declined`, `bank.unavailable`. Source: decisions.md §9.
 */
export const resumeCard = (ports: PaymentsPorts) => (code: string) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    const facts = await readCardFacts(ports, { code })
    if (!facts) return left(NO_CHARGE)
    if (issuingOperationId(facts.detail.charge) !== null) return chargeCard(ports).repeat(code)(hooks)
    return finishOperation(
      ports,
      () => readCardFacts(ports, { code }),
      (found) => (found ? accept(cardResult(found.detail)) : left(NO_CHARGE)),
    )(hooks)
  })

/** What a card is decided on. */
export interface CardFacts {
  readonly detail: ChargeDetail & { readonly charge: CardCharge }
  readonly account: Account
  /** The counts in which its card counts. */
  readonly tries: TryFacts
  /** The count of its link and address in which it has a place; null without one. */
  readonly place: BoundedCount | null
}

/** With what charging a card can fail. */
export type CardCode = 'charge.unknown' | 'card.declined' | 'bank.unavailable'
type Outcome = Verdict<ChargeDetail, CardCode>
type Sealing = Pick<Cipher, 'seal'>

/** Turns the acquirer's answer into the charge's next state, once. Source: decisions.md §9, Charges. */
export const decideCardReply = (
  cipher: Sealing,
  operation: Operation,
  facts: CardFacts | null,
  reply: BankReply<CardDecision>,
  fresh: Fresh,
): Outcome => {
  if (!facts) return { is: 'withdrawn', value: left(NO_CHARGE) }
  const { detail } = facts
  if (reply.outcome === 'unknown') return { is: 'asking', value: right(detail) }
  // The first to ask took so long that somebody else asks too: what the acquirer says to them counts.
  if (reply.outcome === 'unavailable' && operation.attempts > 0) return { is: 'superseded', value: right(detail) }
  if (reply.outcome === 'done') {
    return { ...operationEnd(reply.value), ...applyDecision(cipher, facts, reply.value, fresh) }
  }
  if (reply.outcome === 'withdrawn') {
    const { value, changes } = changeCharge(facts, { failure: WITHDRAWN, operationId: null, ...NO_TRIES }, fresh)
    return { is: 'withdrawn', value, changes: [...changes, ...releaseTries(facts)] }
  }
  const why = reply.outcome === 'refused' ? reply.reason : UNAVAILABLE
  return { is: 'refused', reason: why, ...failed(facts, why, fresh) }
}

/** What an operation has come to by a decision. */
export const operationEnd = ({ status, reason }: Pick<CardDecision, 'status' | 'reason'>) =>
  status === 'declined' ? ({ is: 'refused', reason } as const) : ({ is: 'done', reason: null } as const)

/** For whoever comes when it has ended: the same, and what a late approval still asks for. */
export const decideLateCard = (
  cipher: Sealing,
  facts: CardFacts | null,
  reply: BankReply<CardDecision> | null,
  fresh: Fresh,
): OperationResult<ChargeDetail, CardCode> => {
  if (!facts) return { value: left(NO_CHARGE) }
  const isBusy = facts.detail.charge.operationId !== null
  if (reply?.outcome !== 'done' || isBusy) return { value: cardResult(facts.detail) }
  return applyDecision(cipher, facts, reply.value, fresh)
}

/** What whoever comes after the acquirer's answer is told of it. */
export const cardResult = (detail: ChargeDetail) => resultOf(detail, 'card.declined')

/**
 * What the acquirer has decided makes of the charge as it is now: the same again changes nothing, and what was approved for a
 * charge that nobody is to pay any more is given back.
 */
export const applyDecision = (
  cipher: Sealing,
  facts: CardFacts,
  decision: CardDecision,
  fresh: Fresh,
): OperationResult<ChargeDetail, CardCode> => {
  const { charge } = facts.detail
  if (charge.status === 'pending') return DECISIONS[decision.status](facts, decision, fresh)
  const isCharged = decision.status === 'approved' || decision.status === 'pending'
  const isOwn = charge.operationId !== null
  // Deleted or not: what was posted stays.
  const wasPaid = charge.paymentDate !== null
  if (!wasPaid && isCharged) return voidSale(cipher, facts, fresh)
  return isOwn ? changeCharge(facts, { operationId: null }, fresh) : { value: cardResult(facts.detail) }
}

/** The card of a charge that is decided counts nowhere. */
const NO_TRIES = { cardTries: null } as const

/** Gives back the try of a card that was not declined. */
const releaseTries = ({ tries, detail }: CardFacts): readonly Change[] => releaseTry(tries, detail.charge.cardTries)

type Decide = (facts: CardFacts, decision: CardDecision, fresh: Fresh) => OperationResult<ChargeDetail, CardCode>

/** An approved card pays its charge at once: net of its fee, on the book of cards. Source: decisions.md §4 and §11. */
const approved: Decide = (facts, { token }, fresh) => {
  const { charge, client } = facts.detail
  const { valueCents } = charge.card
  const netCents = percentHalfUp(valueCents, WHOLE_PERCENT - facts.account.taxes.feeHundredths)
  const feeCents = valueCents - netCents
  const card = { ...charge.card, token, feeCents, netCents }
  const paid = { status: 'paid', paymentDate: fresh.today, card, operationId: null, ...NO_TRIES } as const
  const { changes, after } = changed(facts, paid, fresh, valueCents)
  const take = { amountPaidCents: [[charges.name, charge.id], 'amountPaidCents'] } as const
  const posted = post(fresh, {
    accountId: charge.accountId,
    kind: 'card',
    cause: `card:${charge.code}`,
    lines: netCents === 0 ? [] : [{ type: CARD_SETTLEMENT, valueCents: netCents, against: 'receivable' }],
    sideLegs: feeCents === 0 ? [] : [{ from: 'receivable', to: 'fees', cents: feeCents }],
    details: entryDetails(charge, {
      payer: { name: client.name, document: client.document ?? '', bank: null, branch: null, account: null },
    }),
  })
  const sale = { accountId: charge.accountId, chargeId: charge.id, grossCents: valueCents, feeCents, netCents }
  const told = [...recordCreation(facts, { card }, fresh), ...recordChargeEvent(fresh, 'charge.paid', after, take)]
  const counts = [...releaseTries(facts), ...freeLinkPlaces(charge, facts.place, fresh)]
  return { value: right(after), changes: [...changes, ...posted, ...newCardTransaction(sale), ...counts, ...told] }
}

const stillPending: Decide = (facts, { token }, fresh) => {
  const { charge } = facts.detail
  // It was told before that it is pending.
  if (charge.operationId === null) return { value: right(facts.detail) }
  const set = { card: { ...charge.card, token }, operationId: null }
  const { changes, after } = changed(facts, set, fresh)
  return { value: right(after), changes: [...changes, ...releaseTries(facts), ...recordCreation(facts, set, fresh)] }
}

const voided: Decide = (facts, _, fresh) => {
  const { value, changes } = ended(facts, { status: 'cancelled' }, 'charge.cancelled', fresh)
  return { value, changes: [...changes, ...releaseTries(facts)] }
}

/** Why a card was declined whose acquirer does not say. */
const DECLINED = 'Cartão recusado.'

const DECISIONS: Readonly<Record<CardDecision['status'], Decide>> = {
  approved,
  pending: stillPending,
  declined: (facts, { reason }, fresh) => failed(facts, reason ?? DECLINED, fresh),
  voided,
}

/** Of a charge that the acquirer has taken it is told that there is one, once: as it was before it was paid. */
const recordCreation = ({ detail }: CardFacts, set: Partial<Charge>, fresh: Fresh): readonly Change[] => {
  const { charge } = detail
  if (issuingOperationId(charge) === null) return []
  const taken = { ...charge, ...set, operationId: null, updatedAt: fresh.now }
  return recordChargeEvent(fresh, 'charge.created', { ...detail, charge: taken })
}

const failed = (facts: CardFacts, why: string, fresh: Fresh) => {
  const { charge } = facts.detail
  const isPending = charge.status === 'pending'
  const set = { failure: why, operationId: null }
  const { changes } = isPending
    ? ended(facts, { ...set, status: 'failed' }, 'charge.failed', fresh)
    : changeCharge(facts, set, fresh)
  // No acquirer declined a card that never reached it.
  const isDeclined = why !== UNAVAILABLE && why !== LOST
  const counts = isDeclined
    ? declineTry(facts.tries, charge, issuingOperationId(charge) === null, fresh)
    : releaseTries(facts)
  return { value: left(failureOf(why, 'card.declined')), changes: [...changes, ...counts] }
}

const ended = (facts: CardFacts, set: Partial<Charge>, type: ChargeEventType, fresh: Fresh) => {
  const { changes, after } = changed(facts, { ...set, operationId: null, ...NO_TRIES }, fresh)
  return { value: right(after), changes: [...changes, ...recordChargeEvent(fresh, type, after)] }
}

/** What was charged for nobody is given back, by an operation of its own. */
const voidSale = (cipher: Sealing, facts: CardFacts, fresh: Fresh) => {
  const { charge } = facts.detail
  const cancellation = newCancellation(cipher, charge, charge.code, fresh)
  const { changes } = changeCharge(facts, { operationId: cancellation.id }, fresh)
  return { value: cardResult(facts.detail), changes: [...changes, insert(bankOperations, cancellation)] }
}

const changeCharge = (facts: CardFacts, set: Partial<Charge>, fresh: Fresh) => {
  const { changes, after } = changed(facts, set, fresh)
  return { value: right(after), changes }
}

/** The charge with these fields, and what makes them so. */
const changed = ({ detail }: CardFacts, fields: Partial<Charge>, { now }: Fresh, paidCents: number | null = null) => {
  const { charge } = detail
  const set = { ...fields, updatedAt: now }
  const add = paidCents === null ? {} : { add: { amountPaidCents: paidCents } }
  const paid = paidCents === null ? {} : { amountPaidCents: (charge.amountPaidCents ?? 0) + paidCents }
  const after: ChargeDetail = { ...detail, charge: { ...charge, ...set, ...paid } }
  return { after, changes: [patch(charges, charge.id, { set, ...add, when: asRead(charge) })] }
}
