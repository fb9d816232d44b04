import { left, right } from '../../failure.ts'
import { always, at, type Change, type Collection, insert, patch, record, t } from '../../kernel/records/record.ts'
import type { FactsOf, Fresh } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { percentHalfUp, WHOLE_PERCENT } from '../../kernel/values/money.ts'
import type { CardDecision, CardNumber, CardOrder } from '../../ports/acquirer.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import {
  BANK_CALLS,
  type BankReply,
  beginOperation,
  CALL_SECONDS,
  NO_ANSWER,
  type Operation,
  type OperationResult,
  openVerdict,
  subjectOf,
  UNAVAILABLE,
  type Verdict,
} from '../bank/operation.ts'
import { LOST, operationsOf } from '../bank/run-operation.ts'
import { freeLinkPlaces, readLinkPlace } from '../bounded-count.ts'
import type { Card } from '../cards/card.ts'
import { declineTry, readTryFacts, releaseTry } from '../cards/card-tries.ts'
import { CARD_SETTLEMENT, ledgerAccountId, ledgerAccounts, post } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { readReceivers, sharePayment } from '../splits/share.ts'
import { asRead, type Charge, charges, issuingOperationId } from './charge.ts'
import { type ChargeDetail, type ChargeReader, entryDetails, findCharge, NO_CHARGE } from './detail.ts'
import {
  changeCharge,
  changeWithEvent,
  enqueueCancellation,
  failureOf,
  recordChargeEvent,
  resultOf,
  resumeIssue,
  WITHDRAWN,
} from './write.ts'

/** The kind of operations that charge a card; the id at the acquirer is the charge's code. */
export const CHARGE_CARD = { kind: 'charge-card', ...BANK_CALLS } as const

/** The stored part of an order: without the card's number and CVV. */
export interface StoredCardOrder extends CardOrder {
  /** After this time an order that the acquirer does not know cannot arrive there. */
  readonly lostAt: Instant
}

/** Reports whether an order sent now arrives before it counts as lost: the request may have been delayed. */
const maySend = ({ lostAt }: Pick<StoredCardOrder, 'lostAt'>, now: Instant): boolean =>
  now < addSeconds(lostAt, -CALL_SECONDS)

/** A charge that is paid by card. */
export type CardCharge = Charge & { readonly card: NonNullable<Charge['card']> }

export const isCardCharge = (charge: Charge): charge is CardCharge => charge.card !== null

/** Builds the order for the acquirer, and starts its operation. */
export const beginCardOperation = (
  cipher: Pick<Cipher, 'seal'>,
  { id, accountId, code, card }: CardCharge,
  { name: payeeName }: Pick<Account, 'name'>,
  fresh: Fresh,
) => {
  const { brand, last4, installments, valueCents } = card
  const lostAt = addSeconds(fresh.now, CHARGE_CARD.leaseSeconds)
  const order: StoredCardOrder = { id: code, valueCents, installments, brand, last4, payeeName, lostAt }
  return beginOperation(cipher, CHARGE_CARD, { id: code, accountId, subject: subjectOf(charges, id), order }, fresh)
}

/** Returns the card data in the form of the acquirer port. */
const cardNumberOf = ({ cardNumber, cvv, expiryMonth, expiryYear, cardholderName, document }: Card): CardNumber => ({
  number: cardNumber,
  cvv,
  expiryMonth,
  expiryYear,
  holder: cardholderName,
  document,
})

/**
 * The operations that charge cards. Only the request that has the card data sends the order; the worker and repeated
 * requests look it up at the acquirer. An order that the acquirer does not know after `lostAt` has failed.
 */
export const chargeCard = (ports: PaymentsPorts) =>
  operationsOf<CardFacts | null, StoredCardOrder, CardDecision, ChargeDetail, CardCode>(ports, {
    read: (_, { subject: [, id] }) => readCardFacts(ports, { id: Number(id) }),
    isWanted: (_, facts) => facts?.detail.charge.status === 'pending',
    // The card number exists only in the request.
    send: null,
    find: (order) => findCard(ports, order),
    decide: (...facts) => decideCardReply(ports.cipher, ...facts),
    ended: (_, ...facts) => decideLateCard(ports.cipher, ...facts),
    unknown: NO_CHARGE,
    ...CHARGE_CARD,
  })

/**
 * Sends the order with the card data, unless it could arrive after it counts as lost. The time is that of the lease's
 * clock, so that nothing is sent after other processes have seen the lease expire.
 */
export const sendCard =
  ({ acquirer, clock }: Pick<PaymentsPorts, 'acquirer' | 'clock'>, card: Card) =>
  async ({ lostAt, ...order }: StoredCardOrder): Promise<BankAnswer<CardDecision>> =>
    acquirer && maySend({ lostAt }, clock.now()) ? acquirer.charge(order, cardNumberOf(card)) : NO_ANSWER

/** Looks an order up at the acquirer. An order that was in flight when the look-up began is not lost. */
const findCard = async (
  { acquirer, clock }: Pick<PaymentsPorts, 'acquirer' | 'clock'>,
  { id, lostAt }: StoredCardOrder,
): Promise<BankAnswer<CardDecision | null>> => {
  const requestedAt = clock.steady()
  const known = acquirer ? await acquirer.find(id) : NO_ANSWER
  const isInFlight = known.outcome === 'done' && known.value === null && requestedAt < lostAt
  return isInFlight ? { outcome: 'unknown' } : known
}

/** Reads the account of a charge, the counts that include the charge, and the receivers of its shares. */
export const readCounts = async <D extends ChargeDetail>({ store }: Pick<ChargeReader, 'store'>, detail: D) => {
  const { charge } = detail
  const account = await store.find(byId(accounts, charge.accountId))
  if (!account) return null
  const [tries, place, receivers] = await Promise.all([
    readTryFacts(store, charge),
    readLinkPlace(store, charge),
    readReceivers(store, charge),
  ])
  return { detail, account, tries, place, receivers }
}

/** Reads a card charge with its account and counts; null if there is none. */
export const readCardFacts = async (ports: ChargeReader, by: { readonly id: number } | { readonly code: string }) => {
  const detail = await findCharge(ports, by)
  if (!detail || !isCardCharge(detail.charge)) return null
  return readCounts(ports, { ...detail, charge: detail.charge })
}

/** Resumes a card charge that the acquirer has not answered, by its code. */
export const resumeCard = (ports: PaymentsPorts) => (code: string) => {
  const read = async () => (await readCardFacts(ports, { code }))?.detail ?? null
  return resumeIssue(ports, read, chargeCard(ports).repeat, cardResult)
}

/** The facts for a decision on a card charge; `place` is the hourly count of its payment link that includes it. */
export type CardFacts = FactsOf<typeof readCardFacts>

/** The failure codes of a card charge. */
export type CardCode = 'charge.unknown' | 'card.declined' | 'bank.unavailable'
type Outcome = Verdict<ChargeDetail, CardCode>
type Sealing = Pick<Cipher, 'seal'>

/** Decides on the charge after the acquirer's answer. */
export const decideCardReply = (
  cipher: Sealing,
  operation: Operation,
  facts: CardFacts | null,
  reply: BankReply<CardDecision>,
  fresh: Fresh,
): Outcome => {
  if (!facts) return { is: 'withdrawn', value: left(NO_CHARGE) }
  const { detail } = facts
  const open = openVerdict(operation, reply, right(detail))
  if (open) return open
  if (reply.outcome === 'done') {
    return { ...operationEnd(reply.value), ...applyDecision(cipher, facts, reply.value, fresh) }
  }
  if (reply.outcome === 'withdrawn') {
    const { after, change } = changeCharge(detail, { failure: WITHDRAWN, ...DECIDED }, fresh)
    return { is: 'withdrawn', value: right(after), changes: [change, ...releaseTries(facts)] }
  }
  const why = reply.outcome === 'refused' ? reply.reason : UNAVAILABLE
  return { is: 'refused', reason: why, ...failed(facts, why, fresh) }
}

/** Returns the end of the operation for a decision of the acquirer. */
export const operationEnd = ({ status, reason }: Pick<CardDecision, 'status' | 'reason'>) =>
  status === 'declined' ? ({ is: 'refused', reason } as const) : ({ is: 'done', reason: null } as const)

/** Returns the result after the operation has ended, with the changes for a late decision of the acquirer. */
export const decideLateCard = (
  cipher: Sealing,
  facts: CardFacts | null,
  reply: BankReply<CardDecision> | null,
  fresh: Fresh,
): OperationResult<ChargeDetail, CardCode> => {
  if (!facts) return { value: left(NO_CHARGE) }
  const isBusy = facts.detail.charge.operationId !== null
  if (reply?.outcome !== 'done' || isBusy) return { value: cardResult(facts.detail), isBusy }
  return applyDecision(cipher, facts, reply.value, fresh)
}

/** Returns the result of a card charge for calls after the acquirer's answer. */
export const cardResult = (detail: ChargeDetail) => resultOf(detail, 'card.declined')

/**
 * Applies a decision of the acquirer to the charge. A repeated decision changes nothing; a sale that was approved for a
 * charge which accepts no payment is voided.
 */
export const applyDecision = (
  cipher: Sealing,
  facts: CardFacts,
  decision: CardDecision,
  fresh: Fresh,
): OperationResult<ChargeDetail, CardCode> => {
  const { detail } = facts
  const { status, operationId, paymentDate } = detail.charge
  if (status === 'pending') return DECISIONS[decision.status](facts, decision, fresh)
  const isCharged = decision.status === 'approved' || decision.status === 'pending'
  // A posted payment stays, even if the charge is deleted.
  if (paymentDate === null && isCharged) return voidSale(cipher, detail, fresh)
  if (operationId === null) return { value: cardResult(detail) }
  const { after, change } = changeCharge(detail, { operationId: null }, fresh)
  return { value: right(after), changes: [change] }
}

/** A decided charge has no running operation, and no longer counts as a card try. */
const DECIDED = { operationId: null, cardTries: null } as const

/** Removes the try of a card that was not declined from its counts. */
const releaseTries = ({ tries, detail }: CardFacts): readonly Change[] => releaseTry(tries, detail.charge.cardTries)

type Decide = (facts: CardFacts, decision: CardDecision, fresh: Fresh) => OperationResult<ChargeDetail, CardCode>

/** Returns the cause of the journal that settles a card sale. */
export const saleCause = ({ code }: Pick<Charge, 'code'>): string => `card:${code}`

/** Pays the charge: posts the net amount to the card ledger account, without the shares of other accounts. */
const approved: Decide = (facts, { token }, fresh) => {
  const { account, receivers } = facts
  const { charge, client } = facts.detail
  const { valueCents } = charge.card
  const netCents = percentHalfUp(valueCents, WHOLE_PERCENT - account.taxes.feeHundredths)
  const feeCents = valueCents - netCents
  const card = { ...charge.card, token, feeCents, netCents }
  const set = { status: 'paid', paymentDate: fresh.today, card, ...DECIDED, updatedAt: fresh.now } as const
  const amountPaidCents = (charge.amountPaidCents ?? 0) + valueCents
  const after = { ...facts.detail, charge: { ...charge, ...set, amountPaidCents } }
  const paid = patch(charges, charge.id, { set, add: { amountPaidCents: valueCents }, when: asRead(charge) })
  const take = { amountPaidCents: [[charges.name, charge.id], 'amountPaidCents'] } as const
  const shared = sharePayment(
    fresh,
    { charge, account, receivers },
    { beforeCents: 0, paidCents: valueCents, feeCents },
  )
  const ownCents = netCents - shared.cents
  const posted = post(fresh, {
    accountId: charge.accountId,
    kind: 'card',
    cause: saleCause(charge),
    lines: ownCents === 0 ? [] : [{ type: CARD_SETTLEMENT, valueCents: ownCents, against: 'receivable' }],
    sideLegs: [
      ...(feeCents === 0 ? [] : [{ from: 'receivable', to: 'fees', cents: feeCents } as const]),
      ...(shared.cents === 0 ? [] : [{ from: 'receivable', to: 'shares', cents: shared.cents } as const]),
    ],
    ...{ shares: shared.shares, journalId: shared.journalId },
    details: entryDetails(charge, {
      payer: { name: client.name, document: client.document ?? '', bank: null, branch: null, account: null },
    }),
  })
  const sale = {
    accountId: charge.accountId,
    chargeId: charge.id,
    grossCents: valueCents,
    feeCents,
    netCents: ownCents,
  }
  const recorded = [...recordCreation(facts, { card }, fresh), ...recordChargeEvent(fresh, 'charge.paid', after, take)]
  const counts = [...releaseTries(facts), ...freeLinkPlaces(charge, facts.place, fresh)]
  const sold = [...posted, ...shared.changes, ...newCardTransaction(sale)]
  return { value: right(after), changes: [paid, ...sold, ...counts, ...recorded] }
}

const stillPending: Decide = (facts, { token }, fresh) => {
  const { charge } = facts.detail
  // The charge was already recorded as created.
  if (charge.operationId === null) return { value: right(facts.detail) }
  const set = { card: { ...charge.card, token }, operationId: null }
  const { after, change } = changeCharge(facts.detail, set, fresh)
  return { value: right(after), changes: [change, ...releaseTries(facts), ...recordCreation(facts, set, fresh)] }
}

const voided: Decide = (facts, _, fresh) => {
  const set = { ...DECIDED, status: 'cancelled' } as const
  const { after, changes } = changeWithEvent(facts.detail, set, 'charge.cancelled', fresh)
  return { value: right(after), changes: [...changes, ...releaseTries(facts)] }
}

/** The reason if the acquirer gives none. */
const DECLINED = 'Cartão recusado.'

const DECISIONS: Readonly<Record<CardDecision['status'], Decide>> = {
  approved,
  pending: stillPending,
  declined: (facts, { reason }, fresh) => failed(facts, reason ?? DECLINED, fresh),
  voided,
}

/** Records charge.created once, with the charge as it was before its payment. */
const recordCreation = ({ detail }: CardFacts, set: Partial<Charge>, fresh: Fresh): readonly Change[] => {
  const { charge } = detail
  if (issuingOperationId(charge) === null) return []
  const taken = { ...charge, ...set, operationId: null, updatedAt: fresh.now }
  return recordChargeEvent(fresh, 'charge.created', { ...detail, charge: taken })
}

const failed = (facts: CardFacts, why: string, fresh: Fresh) => {
  const { detail } = facts
  const { charge } = detail
  const changes =
    charge.status === 'pending'
      ? changeWithEvent(detail, { ...DECIDED, failure: why, status: 'failed' }, 'charge.failed', fresh).changes
      : [changeCharge(detail, { failure: why, operationId: null }, fresh).change]
  // An order that did not reach the acquirer was not declined.
  const isDeclined = why !== UNAVAILABLE && why !== LOST
  const counts = isDeclined
    ? declineTry(facts.tries, charge, issuingOperationId(charge) === null, fresh)
    : releaseTries(facts)
  return { value: left(failureOf(why, 'card.declined')), changes: [...changes, ...counts] }
}

/** Voids the sale by an operation of its own. */
const voidSale = (cipher: Sealing, detail: CardFacts['detail'], fresh: Fresh) => {
  const { operationId, change } = enqueueCancellation(cipher, detail.charge, detail.charge.code, fresh)
  return { value: cardResult(detail), changes: [changeCharge(detail, { operationId }, fresh).change, change] }
}

const cardTransaction = record({
  /** The id of its charge. */
  id: t.number,
  accountId: t.number,
  /** The number of the sale in its account, without gaps, from 1. Set at commit, like sum and day. */
  place: t.number,
  /** The cumulative net sum up to this sale, which is withdrawn once this amount was withdrawn. */
  settledCents: t.number,
  grossCents: t.number,
  feeCents: t.number,
  netCents: t.number,
  /** The day of its entry. */
  paymentDate: t.string,
})

/** A settled card sale: its gross value, fee and net value. */
export type CardTransaction = t.TypeOf<typeof cardTransaction>

export const cardTransactions: Collection<CardTransaction> = {
  name: 'payments.card-transactions',
  ids: 'integer',
  codec: cardTransaction,
  owner: 'accountId',
  indexes: [{ sort: 'place' }, { sort: 'settledCents' }],
  tallies: [{ by: ['accountId', 'paymentDate'], sum: ['grossCents', 'feeCents', 'netCents'] }],
}

/** Returns the changes that store a card sale, in the commit of its settlement; none without a net value. */
export const newCardTransaction = (
  sale: Pick<CardTransaction, 'accountId' | 'grossCents' | 'feeCents' | 'netCents'> & { readonly chargeId: number },
): readonly Change[] => {
  const { chargeId, ...amounts } = sale
  const { accountId, netCents } = amounts
  if (netCents === 0) return []
  const [main, card] = [ledgerAccountId(accountId, 'main'), ledgerAccountId(accountId, 'card')]
  const counted = patch(ledgerAccounts, card, { add: { settlements: 1, settledCents: netCents }, when: always })
  const newSale = { ...amounts, id: chargeId, place: 0, settledCents: 0, paymentDate: '' }
  const stored = insert(cardTransactions, newSale, {
    place: [at(ledgerAccounts, card), 'settlements'],
    settledCents: [at(ledgerAccounts, card), 'settledCents'],
    paymentDate: [at(ledgerAccounts, main), 'lastDay'],
  })
  return [counted, stored]
}
