import { left, right } from '../../failure.ts'
import { pick } from '../../kernel/input/mod.ts'
import { always, type Change, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { type Day, daysBetween } from '../../kernel/values/day.ts'
import { truncateRatio, WHOLE_PERCENT } from '../../kernel/values/money.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { BankAnswer, Payer, Title, TitleMethod, TitleOrder } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Account } from '../accounts/account.ts'
import {
  BANK_CALLS,
  type BankReply,
  type Operation,
  type OperationResult,
  openVerdict,
  UNAVAILABLE,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import { boletoMismatch } from '../boleto.ts'
import type { Client } from '../customers/client.ts'
import { BOLETO_FEE, post, releaseBalance, reserveBalance } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { isStaticTxid } from '../pix/br-code.ts'
import { balanceOn, DAYS_A_MONTH, discountLastDay, isLate } from '../terms.ts'
import { type Charge, chargeMoves, charges, isClosed, type PaymentMethod, searchTextOf, statusAt } from './charge.ts'
import {
  type ChargeDetail,
  type ChargeTerms,
  dueOn,
  entryDetails,
  findCharge,
  NO_CHARGE,
  termsOf,
  withClient,
} from './detail.ts'
import {
  changeCharge,
  changeWithEvent,
  enqueueCancellation,
  failureOf,
  MISMATCHED_TITLE,
  resultOf,
  resumeIssue,
  WITHDRAWN,
} from './write.ts'

/** The operations that request a title. */
export const CREATE_TITLE = { kind: 'create-title', ...BANK_CALLS, atOnce: 8 } as const

/** The city of every Pix code, which requires one. */
export const PAYEE_CITY = 'BRASIL'

/** Returns the order of a title for the bank. */
export const titleOrder = (
  txid: string,
  method: TitleMethod,
  { charge, account, client }: Pick<ChargeDetail, 'charge' | 'client'> & { readonly account: Account },
  today: Day = charge.dueDate,
): TitleOrder => ({
  txid,
  method,
  pixKey: charge.pixKey,
  payeeName: account.name,
  payeeCity: PAYEE_CITY,
  payeeDocument: account.document,
  agency: account.agency,
  account: account.account,
  // Without a payer for a Pix of a payment link: its code shows the payer, and the caller may name any client.
  payer: method === 'PIX' && charge.linkId !== null ? null : payerOf(charge, client),
  // A Pix has the amount due on its due day. For a boleto the bank computes it from the face value and the terms.
  valueCents: method === 'PIX' ? dueOn(charge, charge.dueDate) : charge.valueCents,
  ...pick(charge, 'dueDate', 'amountRateHundredths', 'typeRate', 'fineHundredths', 'typeFine'),
  ...pick(charge, 'discountHundredths', 'typeDiscount'),
  daysDiscount: daysOfDiscount(charge),
  ...(charge.received && charge.received.length > 0 ? restOrder(charge, method, today) : {}),
})

/** Returns the days between the last day of the discount, moved to a business day, and the due day. */
const daysOfDiscount = (charge: Charge): number | null =>
  charge.daysDiscount === null ? null : Math.max(0, daysBetween(discountLastDay(termsOf(charge)), charge.dueDate))

const payerOf = ({ address }: Charge, { name, document }: Client): Payer => ({ name, document, address })

/** The amount and terms of a title; the last day of its discount is that of the charge. */
type RestOrder = Pick<TitleOrder, Exclude<keyof ChargeTerms, 'daysDiscount' | 'received'>>

/**
 * Returns the amount and terms of a title for the rest of a charge from a day on. In arrears it is due on that day,
 * since banks accept no past due day: its amount contains the open fine and interest, which bear no interest.
 */
const restOrder = (charge: Charge, method: TitleOrder['method'], day: Day): RestOrder => {
  const terms = termsOf(charge)
  const dueDate = day > charge.dueDate ? day : charge.dueDate
  const { restCents, fineCents, interestCents, dueCents } = balanceOn(terms, dueDate)
  const { discountCents } = balanceOn(terms, day)
  const hasDiscount = discountCents > 0
  return {
    valueCents: method === 'PIX' ? dueCents : restCents + fineCents + interestCents,
    dueDate,
    ...interestOfRest(charge, restCents, fineCents + interestCents),
    ...fineOfRest(charge, restCents, dueDate),
    // The discount is that of the whole value.
    discountHundredths: hasDiscount ? discountCents : null,
    typeDiscount: hasDiscount ? 'ABSOLUTE' : null,
  }
}

/**
 * Returns the interest of the rest: reais a day in proportion; a percentage as reais a day if fine or interest is open.
 */
const interestOfRest = (
  { amountRateHundredths: rate, typeRate, valueCents }: Charge,
  restCents: number,
  carriedCents: number,
): Pick<TitleOrder, 'amountRateHundredths' | 'typeRate'> => {
  if (rate === null || (typeRate === 'PERCENTAGE' && carriedCents === 0))
    return { amountRateHundredths: rate, typeRate }
  const shared = BigInt(rate) * BigInt(restCents)
  const whole = typeRate === 'ABSOLUTE' ? valueCents : WHOLE_PERCENT * DAYS_A_MONTH
  return { amountRateHundredths: truncateRatio(shared, whole), typeRate: typeRate && 'ABSOLUTE' }
}

/** Returns the fine of the rest: none after it was added; an amount in reais in proportion. */
const fineOfRest = (
  { fineHundredths: rate, typeFine, valueCents, dueDate: firstDue }: Charge,
  restCents: number,
  dueDate: Day,
): Pick<TitleOrder, 'fineHundredths' | 'typeFine'> => {
  if (rate === null || isLate(firstDue, dueDate)) return { fineHundredths: null, typeFine: null }
  if (typeFine !== 'ABSOLUTE') return { fineHundredths: rate, typeFine }
  return { fineHundredths: truncateRatio(BigInt(rate) * BigInt(restCents), valueCents), typeFine }
}

/** The operations that request titles from the bank; the operation's id is the charge's txid. */
export const createTitle = (ports: PaymentsPorts) =>
  operationsOf<ChargeDetail | null, TitleOrder, CheckedTitle, ChargeDetail, TitleCode, Charge>(ports, {
    read: (_, { subject: [, id] }, committed) =>
      committed ? withClient(ports, committed) : findCharge(ports, { id: Number(id) }),
    isWanted: (_, detail, now) => detail !== null && statusAt(detail.charge, now) === 'pending',
    send: sendTitle(ports),
    find: findTitle(ports),
    decide: (...facts) => decideTitle(ports.cipher, ...facts),
    ended: (...facts) => decideLateTitle(ports.cipher, ...facts),
    unknown: NO_CHARGE,
    ...CREATE_TITLE,
  })

type AtBank = Pick<PaymentsPorts, 'bank'>

/** Requests a title. An account without a Pix key can only have boletos. */
export const sendTitle =
  ({ bank }: AtBank) =>
  async (order: TitleOrder): Promise<BankAnswer<CheckedTitle>> => {
    if (order.pixKey === null && order.method !== 'BOLETO')
      return { outcome: 'refused', reason: 'A conta não tem chave Pix.' }
    const answer = await bank.createTitle(order)
    return answer.outcome === 'done'
      ? { outcome: 'done', value: checkedTitle(order, answer.value, bank.compe) }
      : answer
  }

/** Reads the title of an order from the bank; null if the bank does not know it. */
export const findTitle =
  ({ bank }: AtBank) =>
  async (order: TitleOrder): Promise<BankAnswer<CheckedTitle | null>> => {
    const known = await bank.findTitle(order.txid)
    if (known.outcome !== 'done') return known
    return { outcome: 'done', value: known.value && checkedTitle(order, known.value, bank.compe) }
  }

/** Resumes a charge whose title the bank has not answered, by its id or txid. */
export const resumeTitle = (ports: PaymentsPorts) => (of: number | string) => {
  const id = parseId(`${of}`)
  const by = id === null ? { txid: `${of}` } : { id }
  return resumeIssue(ports, () => findCharge(ports, by), createTitle(ports).repeat, titleResult)
}

/** A title of the bank in the form that a charge stores, compared with its order. */
export interface CheckedTitle {
  readonly pix: Charge['pix']
  readonly boleto: Charge['boleto']
  readonly isCancelled: boolean
  /** The difference from the order, which makes the title unusable; null if there is none. */
  readonly mismatch: string | null
}

/** Compares a title with its order, so that no payer sees a boleto with digits of another amount, due day or bank. */
export const checkedTitle = (
  order: TitleOrder,
  { dynamicCode, boleto, cancelled }: Title,
  compe: string,
): CheckedTitle => {
  const { txid, method, pixKey, payeeName, payeeCity } = order
  const [hasPix, hasBoleto] = [method !== 'BOLETO', method !== 'PIX']
  // A static code can contain only some txids: for any other the bank must return the code.
  const wrongCode = hasPix && dynamicCode === null && !isStaticTxid(txid) ? 'code' : null
  const wrongBoleto = boleto ? boletoMismatch({ ...order, compe }, boleto) : 'none'
  return {
    pix: hasPix ? { txid, key: pixKey ?? '', payeeName, payeeCity, dynamicCode } : null,
    boleto: hasBoleto ? boleto : null,
    isCancelled: cancelled,
    mismatch: wrongCode ?? (hasBoleto ? wrongBoleto : null),
  }
}

/** The failure codes of a title. */
export type TitleCode = 'charge.unknown' | 'bank.refused' | 'bank.unavailable'
type Outcome = Verdict<ChargeDetail, TitleCode>

/** Decides on the charge after the bank's answer. */
export const decideTitle = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  detail: ChargeDetail | null,
  reply: BankReply<CheckedTitle>,
  fresh: Fresh,
): Outcome => {
  if (!detail) return { is: 'withdrawn', value: left(NO_CHARGE) }
  const open = openVerdict(operation, reply, right(detail))
  if (open) return open
  if (reply.outcome === 'done') return createdTitle(cipher, operation, detail, reply.value, fresh)
  if (reply.outcome === 'withdrawn') return { ...withdrawn(operation, detail, null, fresh), is: 'withdrawn' }
  return refused(operation, detail, reply.outcome === 'refused' ? reply.reason : UNAVAILABLE, null, fresh)
}

const createdTitle = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Operation,
  detail: ChargeDetail,
  title: CheckedTitle,
  fresh: Fresh,
): Outcome => {
  const { charge } = detail
  const isGood = title.mismatch === null
  if (isGood && !isClosed(charge, fresh.steady)) return issued(operation, detail, title, fresh)
  // A title that is not used is closed at once, without an event.
  const closing = title.isCancelled ? null : enqueueCancellation(cipher, charge, operation.id, fresh)
  const operationId = closing?.operationId ?? null
  const ended = isGood
    ? withdrawn(operation, detail, operationId, fresh)
    : refused(operation, detail, MISMATCHED_TITLE, operationId, fresh)
  return { ...ended, changes: [...ended.changes, ...(closing ? [closing.change] : [])] }
}

/** Stores the title in the charge, which can then be paid. */
const issued = ({ id }: Operation, detail: ChargeDetail, { pix, boleto }: CheckedTitle, fresh: Fresh): Outcome => {
  const { charge, client } = detail
  const nossoNumero = boleto?.nossoNumero ?? null
  const set = {
    pix,
    operationId: null,
    issueFee: postedFee(charge),
    ...(boleto && { boleto, nossoNumero, search: searchTextOf({ ...charge, nossoNumero }, client) }),
  }
  const { after, changes } = changeWithEvent(detail, set, 'charge.created', fresh, id)
  return { is: 'done', value: right(after), changes: [...changes, ...postIssueFee(fresh, charge, id)] }
}

/** An outcome that leaves the charge without a title; the next operation, if any, closes the title at the bank. */
type Ended = Outcome & { readonly changes: readonly Change[] }

const withdrawn = ({ id }: Operation, detail: ChargeDetail, operationId: string | null, fresh: Fresh): Ended => {
  const set = { failure: WITHDRAWN, issueFee: releasedFee(detail.charge), operationId }
  const { after, change } = changeCharge(detail, set, fresh, id)
  return { is: 'done', value: right(after), changes: [change, ...releaseIssueFee(detail.charge)] }
}

const refused = (
  { id }: Operation,
  detail: ChargeDetail,
  why: string,
  operationId: string | null,
  fresh: Fresh,
): Ended => {
  const { charge } = detail
  const set = { issueFee: releasedFee(charge), failure: why, operationId }
  const changes = chargeMoves.can(charge.status, 'failed')
    ? changeWithEvent(detail, { ...set, status: 'failed' }, 'charge.failed', fresh, id).changes
    : [changeCharge(detail, set, fresh, id).change]
  const value = left(failureOf(why, 'bank.refused'))
  return { is: 'refused', reason: why, value, changes: [...changes, ...releaseIssueFee(charge)] }
}

/** Returns the result of a charge for calls after the bank's answer. */
export const titleResult = (detail: ChargeDetail) => resultOf(detail, 'bank.refused')

/** Returns the result of an operation that has ended, and closes the title that the bank created after its end. */
export const decideLateTitle = (
  cipher: Pick<Cipher, 'seal'>,
  operation: Pick<Operation, 'id' | 'state'>,
  detail: ChargeDetail | null,
  reply: BankReply<CheckedTitle> | null,
  fresh: Fresh,
): OperationResult<ChargeDetail, TitleCode> => {
  if (!detail) return { value: left(NO_CHARGE) }
  const title = reply?.outcome === 'done' ? reply.value : null
  return { value: titleResult(detail), ...closeLateTitle(cipher, operation, detail, title, fresh) }
}

/** Closes a title that the bank created for a delayed call after the operation had ended, so that it cannot be paid. */
export const closeLateTitle = (
  cipher: Pick<Cipher, 'seal'>,
  { id, state }: Pick<Operation, 'id' | 'state'>,
  detail: ChargeDetail,
  title: Pick<CheckedTitle, 'isCancelled'> | null,
  fresh: Fresh,
): Pick<OperationResult<never, never>, 'changes' | 'isBusy'> => {
  const { charge } = detail
  if (state === 'done' || title === null || title.isCancelled) return {}
  if (charge.operationId !== null) return { isBusy: true }
  const closing = enqueueCancellation(cipher, charge, id, fresh)
  const { change } = changeCharge(detail, { operationId: closing.operationId }, fresh)
  return { changes: [change, closing.change] }
}

/** Returns the issue fee of a charge; only a boleto has one. The charge of a payment link owes it until it is paid. */
export const issueFeeOf = (
  paymentMethod: PaymentMethod,
  { taxes: fees }: Pick<Account, 'taxes'>,
  linkId: Charge['linkId'] = null,
): Charge['issueFee'] =>
  paymentMethod === 'BOLETO' && fees.boletoCents > 0
    ? { cents: fees.boletoCents, state: linkId === null ? 'reserved' : 'owed' }
    : null

type Owing = Pick<Charge, 'accountId' | 'issueFee'>

/** Reserves the fee before the request to the bank; the commit fails if the balance is too low. */
export const reserveIssueFee = ({ accountId, issueFee }: Owing): readonly Change[] =>
  issueFee?.state === 'reserved' ? [reserveBalance(accountId, issueFee.cents)] : []

export const releaseIssueFee = ({ accountId, issueFee }: Owing): readonly Change[] =>
  issueFee?.state === 'reserved' ? [releaseBalance(accountId, issueFee.cents)] : []

const postFee = (fresh: Fresh, charge: Charge, cents: number, txid: string | null): readonly Change[] =>
  post(fresh, {
    accountId: charge.accountId,
    kind: 'main',
    cause: `boleto-issue:${charge.id}`,
    lines: [{ type: BOLETO_FEE, valueCents: -cents, against: 'fees' }],
    details: entryDetails(charge, { txid }),
  })

/** Posts the reserved fee of an existing boleto, once per charge, and releases the reserve. */
export const postIssueFee = (fresh: Fresh, charge: Charge, txid: string): readonly Change[] =>
  charge.issueFee?.state === 'reserved'
    ? [...releaseIssueFee(charge), ...postFee(fresh, charge, charge.issueFee.cents, txid)]
    : []

/** Returns the owed fee that a payment of which `leftCents` are left pays; 0 without one. */
export const owedFee = ({ issueFee }: Pick<Charge, 'issueFee'>, leftCents: number): number =>
  issueFee?.state === 'owed' ? Math.min(issueFee.cents, leftCents) : 0

/** Posts the owed fee of a link's charge at its first payment: at most `leftCents`, the rest of that payment. */
export const postOwedFee = (fresh: Fresh, charge: Charge, leftCents: number): readonly Change[] => {
  const { id, issueFee, txid } = charge
  if (issueFee?.state !== 'owed') return []
  const cents = owedFee(charge, leftCents)
  return [
    patch(charges, id, { set: { issueFee: { ...issueFee, state: 'posted' } }, when: always }),
    ...(cents === 0 ? [] : postFee(fresh, charge, cents, txid)),
  ]
}

/** Returns the fee after the title was created: a reserved fee is posted, an owed one stays owed. */
export const postedFee = ({ issueFee }: Pick<Charge, 'issueFee'>): Charge['issueFee'] =>
  issueFee?.state === 'reserved' ? { ...issueFee, state: 'posted' } : issueFee

/** Returns the fee after the title failed: a posted fee stays, and so does the owed fee of an earlier boleto. */
export const releasedFee = ({ issueFee, boleto }: Pick<Charge, 'issueFee' | 'boleto'>): Charge['issueFee'] => {
  const stays = issueFee?.state === 'posted' || (issueFee?.state === 'owed' && boleto !== null)
  return stays ? issueFee : null
}
