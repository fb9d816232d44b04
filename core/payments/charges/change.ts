import { failure, invalid, issue, left, refusal, right } from '../../failure.ts'
import { allOptional, type DecodedOf, type InputOf, input, pick } from '../../kernel/input/mod.ts'
import { type Change, ensure, eq } from '../../kernel/records/record.ts'
import {
  accept,
  type Done,
  type FactsOf,
  type Fresh,
  operationUseCase,
  randomCode,
  startOperation,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import type { BankAnswer, TitleOrder } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import {
  BANK_CALLS,
  type BankReply,
  beginOperation,
  enqueueOperation,
  type Operation,
  type OperationResult,
  openVerdict,
  type StartedBankOperation,
  subjectOf,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import { readLinkPlace } from '../bounded-count.ts'
import { noCardDigits } from '../cards/card.ts'
import { type Client, checkPayer } from '../customers/client.ts'
import { bookOf } from '../ledger/ledger.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { amountIssues as splitAmountIssues } from '../splits/split.ts'
import { discountIssues, dueDateRule, fineIssues, isConsumerOf, reachIssues, typedFine } from '../terms.ts'
import { type Charge, chargeFields, charges, lapsesAtOf, searchTextOf, statusAt } from './charge.ts'
import { type ChargeDetail, findCharge, isTitleOutdated, NO_CHARGE, otherTitles, receivedCents } from './detail.ts'
import { amountIssues, bankSupports } from './new-charge.ts'
import { closeSettled, isSettled, restIssues, valuePaid } from './partial.ts'
import {
  type CheckedTitle,
  closeLateTitle,
  findTitle,
  issueFeeOf,
  postedFee,
  postIssueFee,
  releasedFee,
  releaseIssueFee,
  reserveIssueFee,
  sendTitle,
  titleOrder,
} from './titles.ts'
import { changeCharge, changeWithEvent, enqueueCancellation, MISMATCHED_TITLE, recordChargeEvent } from './write.ts'

/** The fields of a pending charge that may change: an absent field keeps its value, null clears it. */
export const chargeChangeFields = allOptional({
  ...pick(chargeFields, 'valueCents', 'paymentMethod', 'dueDate', 'webhook', 'description', 'details', 'instructions'),
  ...pick(chargeFields, 'amountRateHundredths', 'typeRate', 'fineHundredths', 'typeFine', 'discountHundredths'),
})

export const chargeChangeRules = [dueDateRule, noCardDigits]

export const chargeChange = input('ChargeChange', chargeChangeFields, ...chargeChangeRules)

export type ChargeChange = InputOf<typeof chargeChange>
export type ChangeRequest = DecodedOf<typeof chargeChange>

export const updateCharge =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, chargeId: number, sent: ChargeChange) =>
    withValidInput(ports, chargeChange, sent, (request) =>
      operationUseCase(
        startOperation(
          ports,
          (store) => readUpdate(ports, store, actor, chargeId),
          (facts, fresh) => decideUpdate(ports, facts, request, fresh),
        ),
        (started) => replaceTitle(ports).send(started, sendReplacement(ports)),
        replaceTitle(ports).repeat,
      ),
    )

const readUpdate = async (
  ports: PaymentsPorts,
  store: Store,
  { accountId }: Pick<Actor, 'accountId'>,
  chargeId: number,
) => {
  const detail = await findCharge(ports, { id: chargeId })
  if (detail?.charge.accountId !== accountId) return null
  const { account, book } = await store.read({
    account: byId(accounts, accountId),
    book: bookOf(accountId),
  })
  return account && { detail, account, book, place: await readLinkPlace(store, detail.charge) }
}

type UpdateFacts = FactsOf<typeof readUpdate>

/** The changed charge, or the started replacement of its title. */
type Update = Done<ChangedCharge> | StartedBankOperation<ReplaceOrder>

type DecidingPorts = Pick<PaymentsPorts, 'cipher' | 'bank'>

/** Changes the charge at once, closes it if the change leaves nothing to pay, or starts the replacement of its title. */
export const decideUpdate = (ports: DecidingPorts, facts: UpdateFacts | null, request: ChangeRequest, fresh: Fresh) => {
  if (!facts) return left(NO_CHARGE)
  const { charge, client } = facts.detail
  // After the erasure of its client has begun, a charge cannot change, even if it is open by the clock of this process.
  const isOpen = statusAt(charge, fresh.steady) === 'pending' && client.erasureAt === null
  if (!isOpen) return left(failure('refused', 'charge.not-pending'))
  if (charge.operationId !== null) return left(BUSY)
  const fine = fineAfter(charge, request)
  const after: Charge = { ...charge, ...request, ...fine, pixKey: charge.pixKey ?? facts.account.pixKey }
  const issues = issuesOf(facts, charge, after, fresh)
  if (issues.length > 0) return left(invalid(issues))
  if (after.paymentMethod !== 'CREDIT_CARD' && !bankSupports(ports.bank, after.paymentMethod))
    return left(failure('refused', 'bank.unsupported'))
  const change = { ...request, ...fine, lapsesAt: lapsesAtOf(after) }
  if (isSettled(after, facts.account, fresh.today)) {
    const closed = closeSettled(ports.cipher, facts, change, fresh)
    return accept<Update>({ done: { ...closed.after, isAnswered: true } }, ...checkClient(client), ...closed.changes)
  }
  if (needsTitle(charge, after)) return beginReplacement(ports, facts, change, after, fresh)
  const set = { ...change, ...valuePaid(after) }
  const { after: changed, changes } = changeWithEvent(facts.detail, set, 'charge.updated', fresh)
  return accept<Update>({ done: { ...changed, isAnswered: true } }, ...checkClient(client), ...changes)
}

/** Returns the check that no erasure of the client has begun since it was read: the change may reopen the charge. */
const checkClient = (client: Client): readonly Change[] => checkPayer(client, eq('erasureAt', null))

/** Returns the fine after a change. If only its rate or only its type changes, the other keeps its value. */
const fineAfter = (charge: Charge, { fineHundredths, typeFine }: ChangeRequest) => {
  if (fineHundredths === undefined && typeFine === undefined) return {}
  const { fineHundredths: rate, typeFine: type } = charge
  return typedFine({
    fineHundredths: fineHundredths === undefined ? rate : fineHundredths,
    typeFine: typeFine === undefined ? type : typeFine,
  })
}

/** The fields that determine the fine. */
const FINED = ['valueCents', 'fineHundredths', 'typeFine', 'paymentMethod', 'dueDate'] as const

/**
 * Returns the issues of a changed fine. An unchanged one is not checked: since the issue of the charge, the account may have withdrawn
 * its declaration, and its client may have become a consumer.
 */
const fineIssuesOf = ({ account, detail }: UpdateFacts, charge: Charge, after: Charge) => {
  const isSame = FINED.every((name) => charge[name] === after[name])
  return isSame ? [] : fineIssues(after, isConsumerOf(account, detail.client.document))
}

const issuesOf = (facts: UpdateFacts, charge: Charge, after: Charge, { today }: Fresh) => {
  const { account, book } = facts
  const isCard = after.paymentMethod === 'CREDIT_CARD'
  const wasCard = charge.paymentMethod === 'CREDIT_CARD'
  const isFixed = wasCard && (after.valueCents !== charge.valueCents || after.dueDate !== charge.dueDate)
  return [
    // A change has no card data, and the amount of the acquirer's order is fixed.
    ...(isCard !== wasCard ? [issue('paymentMethod', 'charge.method')] : []),
    ...(isFixed ? [issue('valueCents', 'charge.card-value')] : []),
    ...amountIssues(account, book, { ...after, issueFee: feeOf(charge, after, account) }),
    ...discountIssues(after.valueCents, after.discountHundredths, after.typeDiscount),
    ...restIssues(charge, after, today),
    ...splitAmountIssues(charge.splits ?? [], after.valueCents).map(({ code }) => issue('valueCents', code)),
    ...fineIssuesOf(facts, charge, after),
    // A boleto that is not registered again keeps its due day, so that day is not checked.
    ...(needsTitle(charge, after) ? reachIssues(after, today) : []),
  ]
}

/** Returns the issue fee: that of the charge, else the fee of the new title. */
const feeOf = (charge: Charge, { paymentMethod }: Charge, account: Account): Charge['issueFee'] =>
  charge.issueFee ?? issueFeeOf(paymentMethod, account, charge.linkId)

/** The fields that a boleto, and a code made by the bank, contain. */
const REGISTERED = [
  'dueDate',
  'amountRateHundredths',
  'typeRate',
  'fineHundredths',
  'typeFine',
  'discountHundredths',
] as const satisfies readonly (keyof Charge)[]

/** Reports whether the title must be replaced. A static code is built when it is shown: only a new value or method replaces it. */
const needsTitle = (charge: Charge, after: Charge): boolean => {
  if (after.paymentMethod === 'CREDIT_CARD') return false
  if (isTitleOutdated(charge)) return true
  if (charge.paymentMethod !== after.paymentMethod || charge.valueCents !== after.valueCents) return true
  const isRegistered = charge.boleto !== null || (charge.pix?.dynamicCode ?? null) !== null
  return isRegistered && REGISTERED.some((field) => charge[field] !== after[field])
}

const beginReplacement = (
  { cipher, bank }: DecidingPorts,
  { detail, account }: UpdateFacts,
  change: ReplaceOrder['change'],
  after: Charge,
  fresh: Fresh,
) => {
  const { charge, client } = detail
  const { paymentMethod: method } = after
  const intent = randomCode(fresh, bank.txidLength)
  if (method === 'CREDIT_CARD' || charge.txid === null) return left(BUSY)
  const title = titleOrder(intent, method, { charge: after, account, client }, fresh.today)
  const order: ReplaceOrder = { title, formerTxid: charge.txid, change: { ...change, ...titleOfRest(charge) } }
  const input = { id: intent, accountId: account.id, subject: subjectOf(charges, charge.id), order }
  const { started, change: begin } = beginOperation(cipher, REPLACE_TITLE, input, fresh)
  const issueFee = feeOf(charge, after, account)
  return accept<Update>(
    started,
    ...checkClient(client),
    changeCharge(detail, { operationId: intent, issueFee }, fresh).change,
    begin,
    // A payment of the new title before the bank's answer belongs to this charge.
    ensure(otherTitles, { id: intent, accountId: account.id, chargeId: charge.id }),
    ...(charge.issueFee === null ? reserveIssueFee({ accountId: account.id, issueFee }) : []),
  )
}

/** The field that names the payments before a title for the rest; none for a charge without such payments. */
const titleOfRest = (charge: Charge): ChangedFields =>
  charge.received === null ? {} : { titlePaidCents: receivedCents(charge) }

/** The changes that replace the title of a charge by one for its rest; the worker sends the order. */
export const enqueueRestTitle = (
  { cipher, bank }: DecidingPorts,
  { detail, account }: Pick<UpdateFacts, 'detail' | 'account'>,
  fresh: Fresh,
): readonly Change[] => {
  const { charge, client } = detail
  const { paymentMethod: method, txid: formerTxid } = charge
  if (formerTxid === null || !bankSupports(bank, method)) return []
  const id = randomCode(fresh, bank.txidLength)
  const title = titleOrder(id, method, { charge, account, client }, fresh.today)
  const order: ReplaceOrder = { title, formerTxid, change: titleOfRest(charge) }
  const input = { id, accountId: account.id, subject: subjectOf(charges, charge.id), order }
  return [
    ...checkClient(client),
    changeCharge(detail, { operationId: id }, fresh).change,
    enqueueOperation(cipher, REPLACE_TITLE, input, fresh),
    ensure(otherTitles, { id, accountId: account.id, chargeId: charge.id }),
  ]
}

/** The kind of operations that replace a title; the id is the txid of the new title. */
const REPLACE_TITLE = { kind: 'replace-title', ...BANK_CALLS } as const

/** The fields to set after the bank has replaced the title. */
export type ChangedFields = ChangeRequest & Partial<Pick<Charge, 'lapsesAt' | 'titlePaidCents'>>

/** The new title, the txid of the former one, and the fields to set. */
export interface ReplaceOrder {
  readonly title: TitleOrder
  readonly formerTxid: string
  readonly change: ChangedFields
}

/** The new title at the bank, with the fields to set. */
export interface ReplacedTitle extends Pick<ReplaceOrder, 'formerTxid' | 'change'> {
  readonly made: CheckedTitle
  /** The reason why the new title is not used; null if the former one was closed. */
  readonly refusal: string | null
}

type ReplaceCode = 'charge.unknown' | 'charge.not-pending' | 'charge.busy' | 'bank.refused' | 'bank.unavailable'

/** A charge after a request to change or delete it: still unchanged while `isAnswered` is false. */
export interface ChangedCharge extends ChargeDetail {
  readonly isAnswered: boolean
}

/**
 * The operations that replace titles. The new title is created before the former one is closed, so that the payer can always pay.
 * If the bank refuses either, the charge stays as it was and the new title is closed.
 */
export const replaceTitle = (ports: PaymentsPorts) =>
  operationsOf<ChargeDetail | null, ReplaceOrder, ReplacedTitle, ChangedCharge, ReplaceCode>(ports, {
    ...REPLACE_TITLE,
    read: (_, { subject: [, id] }) => findCharge(ports, { id: Number(id) }),
    isWanted: ({ id }, detail, now) =>
      detail !== null && detail.charge.operationId === id && statusAt(detail.charge, now) === 'pending',
    send: sendReplacement(ports),
    find: async (order, isEnded) => {
      const known = await findTitle(ports)(order.title)
      if (known.outcome !== 'done') return known
      if (known.value === null) return { outcome: 'done', value: null }
      if (!isEnded) return closeFormer(ports, order, known.value)
      const { formerTxid, change } = order
      return { outcome: 'done', value: { made: known.value, formerTxid, change, refusal: null } }
    },
    decide: (...facts) => decideReplacement(ports.cipher, ...facts),
    ended: (...facts) => decideLateReplacement(ports.cipher, ...facts),
    unknown: NO_CHARGE,
  })

const sendReplacement =
  (ports: Pick<PaymentsPorts, 'bank'>) =>
  async (order: ReplaceOrder): Promise<BankAnswer<ReplacedTitle>> => {
    const sent = await sendTitle(ports)(order.title)
    return sent.outcome === 'done' ? closeFormer(ports, order, sent.value) : sent
  }

/** Closes the former title after the new one was created; the bank refuses to close a paid title. */
const closeFormer = async (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  { formerTxid, change }: ReplaceOrder,
  made: CheckedTitle,
): Promise<BankAnswer<ReplacedTitle>> => {
  const replaced = { made, formerTxid, change }
  if (made.mismatch !== null) return { outcome: 'done', value: { ...replaced, refusal: MISMATCHED_TITLE } }
  const answer = await bank.cancelTitle(formerTxid)
  if (answer.outcome === 'done') return { outcome: 'done', value: { ...replaced, refusal: null } }
  // The new title exists: the request to close the former one is repeated.
  if (answer.outcome !== 'refused') return answer.outcome === 'unknown' ? answer : { outcome: 'unknown' }
  if ((change.titlePaidCents ?? 0) === 0) return { outcome: 'done', value: { ...replaced, refusal: answer.reason } }
  // The former title of a charge that was paid in part may be paid, and stays so.
  const former = await bank.findTitle(formerTxid)
  if (former.outcome !== 'done') return former.outcome === 'unknown' ? former : { outcome: 'unknown' }
  const isEnded = former.value !== null && (former.value.cancelled || former.value.payments.length > 0)
  return { outcome: 'done', value: { ...replaced, refusal: isEnded ? null : answer.reason } }
}

const NOT_PENDING = failure('refused', 'charge.not-pending')
const BUSY = failure('conflict', 'charge.busy')

/** Decides on the charge after the bank's answer. */
export const decideReplacement = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  detail: ChargeDetail | null,
  reply: BankReply<ReplacedTitle>,
  fresh: Fresh,
): Verdict<ChangedCharge, ReplaceCode> => {
  if (!detail) return { is: 'withdrawn', value: left(NO_CHARGE) }
  const open = openVerdict(operation, reply, right({ ...detail, isAnswered: false }))
  if (open) return open
  const isPending = statusAt(detail.charge, fresh.steady) === 'pending'
  const isOpen = detail.charge.operationId === operation.id && isPending
  const reason = refusalOf(reply)
  const isUnfit = reply.outcome === 'done' && isUnfitAfterPayment(detail.charge, reply.value, fresh)
  if (reply.outcome === 'done' && reason === null && isOpen && !isUnfit)
    return replaced(operation, detail, reply.value, fresh)
  const isRest = isOpen && isTitleOutdated(detail.charge)
  const refused = isRest && reason !== null ? { restRefusedCents: receivedCents(detail.charge) } : {}
  const unused = { detail, fields: refused, isMade: reply.outcome === 'done' }
  const { after, changes } = keepCharge(cipher, operation, unused, fresh)
  if (reason !== null) {
    const event = isRest ? recordChargeEvent(fresh, 'charge.rest_refused', after) : []
    return { is: 'refused', reason, value: left(refusal('bank.refused', reason)), changes: [...changes, ...event] }
  }
  if (reply.outcome === 'unavailable')
    return { is: 'refused', value: left(failure('refused', 'bank.unavailable')), changes }
  // The charge was paid, also in part, or expired before the new title existed: it has not changed.
  const unchanged = isUnfit ? left(BUSY) : right({ ...after, isAnswered: true })
  const value = isPending ? unchanged : left(NOT_PENDING)
  return { is: reply.outcome === 'done' ? 'done' : 'withdrawn', value, changes }
}

/** Reports whether the change is invalid after a payment of a part that arrived while the bank replaced the title. */
const isUnfitAfterPayment = (charge: Charge, { change }: ReplacedTitle, { today }: Fresh): boolean => {
  const after = { ...charge, ...change }
  return restIssues(charge, after, today).length > 0 || isSettled(after, NO_TOLERANCE, today)
}

// The rest title that the payment requested closes a charge of which the tolerance is left.
const NO_TOLERANCE = { acceptPartial: false, partialToleranceCents: null }

/** Returns the bank's reason for a refusal of either title; null without one. */
const refusalOf = (reply: BankReply<ReplacedTitle>): string | null => {
  if (reply.outcome === 'done') return reply.value.refusal
  return reply.outcome === 'refused' ? reply.reason : null
}

const replaced = (
  operation: Operation,
  detail: ChargeDetail,
  { made: { pix, boleto }, formerTxid, change }: ReplacedTitle,
  fresh: Fresh,
): Verdict<ChangedCharge, ReplaceCode> => {
  const { charge, client } = detail
  const { id: txid } = operation
  const nossoNumero = boleto?.nossoNumero ?? null
  const search = searchTextOf({ code: charge.code, txid, nossoNumero }, client)
  const titled = { txid, pix, boleto, nossoNumero, search, issueFee: postedFee(charge), operationId: null }
  const set = { ...change, ...valuePaid({ ...charge, ...change }), ...titled }
  const { after, changes } = changeWithEvent(detail, set, 'charge.updated', fresh, txid)
  return {
    is: 'done',
    value: right({ ...after, isAnswered: true }),
    changes: [
      ...changes,
      ensure(otherTitles, { id: formerTxid, accountId: charge.accountId, chargeId: charge.id }),
      ...postIssueFee(fresh, charge, txid),
    ],
  }
}

/** Returns the result of a replacement that has ended, and closes the new title that the bank created after its end. */
export const decideLateReplacement = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Pick<Operation, 'id' | 'state'>,
  detail: ChargeDetail | null,
  reply: BankReply<ReplacedTitle> | null,
  fresh: Fresh,
): OperationResult<ChangedCharge, ReplaceCode> => {
  if (!detail) return { value: left(NO_CHARGE) }
  const title = reply?.outcome === 'done' ? reply.value.made : null
  const value = right({ ...detail, isAnswered: true })
  return { value, ...closeLateTitle(cipher, operation, detail, title, fresh) }
}

interface KeptCharge {
  readonly detail: ChargeDetail
  readonly fields: Pick<Partial<Charge>, 'restRefusedCents'>
  /** True if the bank created the new title. */
  readonly isMade: boolean
}

/** Keeps the charge as it was but for the fields, and closes a new title that is not used. */
const keepCharge = (
  cipher: Pick<Cipher, 'seal'>,
  { id }: Operation,
  { detail, fields, isMade }: KeptCharge,
  fresh: Fresh,
) => {
  const { charge } = detail
  if (charge.operationId !== id) return { after: detail, changes: [] }
  const closing = isMade ? enqueueCancellation(cipher, charge, id, fresh) : null
  const set = { ...fields, operationId: closing?.operationId ?? null, issueFee: releasedFee(charge) }
  const { after, change } = changeCharge(detail, set, fresh)
  return { after, changes: [change, ...releaseIssueFee(charge), ...(closing ? [closing.change] : [])] }
}
