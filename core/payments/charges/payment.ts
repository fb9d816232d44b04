import { failure, left, right } from '../../failure.ts'
import {
  type Field,
  field,
  type InputCode,
  input,
  money,
  nullable,
  object,
  oneOf,
  output,
  reject,
  SNAKE_CASE,
  view,
} from '../../kernel/input/mod.ts'
import { type Change, eq, patch, type Take } from '../../kernel/records/record.ts'
import { accept, type FactsOf, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf, isInstant } from '../../kernel/values/day.ts'
import { replaceUnstorable } from '../../kernel/values/text.ts'
import { BANK_RECORDS, type Party, type PaymentNotice, type ReceivedPix } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, byKey, listOf, type Store } from '../../ports/store.ts'
import { type Account, accounts, type Fees, isExisting, UNKNOWN_ACCOUNT } from '../accounts/account.ts'
import { freeLinkPlaces, readLinkPlace } from '../bounded-count.ts'
import { reserveUnique } from '../claim.ts'
import { NO_RECORD, recordEvent } from '../events.ts'
import {
  BOLEPIX_FEE,
  BOLEPIX_IN,
  BOLETO_FEE,
  BOLETO_IN,
  type Entry,
  type Line,
  PAYMENT_TYPE_IDS,
  PIX_IN,
  PIX_IN_FEE,
  post,
  postedPayments,
  TRANSFER_IN,
  type TransactionType,
} from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { uuidOfOpenTxid } from '../pix/pix-id.ts'
import { readReceivers, sharePayment } from '../splits/share.ts'
import { asPaid, asRead, type Charge, chargeMoves, charges, isPaid, type PaymentMethod } from './charge.ts'
import { entryDetails, findByTitle } from './detail.ts'
import { keptCents, settlePayment } from './partial.ts'
import { readNetPaid } from './refund-records.ts'
import { requestRestTitle } from './rest-title.ts'
import { owedFee, postOwedFee } from './titles.ts'
import { type ChargeEventType, enqueueCancellation, recordChargeEvent } from './write.ts'

/** Ids of a Pix have 25 to 35 letters and digits; other ids of banks may contain any visible ASCII character. */
const ID = /^[!-~]{1,100}$/
const MAX_ID_CHARS = 100

/** A field of a notice: `normalize` returns the stored text, or null if the value is invalid. */
const noticeText = (name: 'text' | 'instant', normalize: (sent: string) => string | null): Field<string> =>
  field<string, string, InputCode>({
    name,
    schema: { type: 'string' },
    is: (value): value is string => typeof value === 'string',
    read: (sent) => {
      const text = typeof sent === 'string' ? normalize(sent) : null
      return text === null ? reject(name) : right(text)
    },
  })

// Not trimmed or normalized: a different spelling is a different id.
export const idAtBank = noticeText('text', (sent) => (ID.test(sent) ? sent : null))
const moment = noticeText('instant', (sent) => (isInstant(sent) ? sent : null))
// A payment is not refused because of the characters of a name.
export const anyText = noticeText('text', replaceUnstorable)

const party = input(null, {
  name: anyText,
  document: anyText,
  bank: nullable(anyText),
  branch: nullable(anyText),
  account: nullable(anyText),
})

/** The fields of every payment notice. */
const paymentFields = { valueCents: money({ minCents: 1 }), paidAt: moment, payer: nullable(object(party)) }

/**
 * A bank's notice of a payment of a title. Ids are visible ASCII, the amount is in positive whole cents up to the
 * maximum of a charge, and characters of the payer's name that a store cannot keep are replaced.
 */
export const paymentNotice = input('PaymentNotice', {
  txid: idAtBank,
  endToEndId: idAtBank,
  method: oneOf(['pix', 'boleto']),
  ...paymentFields,
})

/** A bank's notice of a Pix without a known title, with the key that received it. */
const receivedPix = input('ReceivedPix', {
  txid: nullable(idAtBank),
  endToEndId: idAtBank,
  pixKey: idAtBank,
  ...paymentFields,
})

/** A bank record that cannot be read; its id may be any text. */
export const unreadableRecord = input('UnreadableRecord', {
  kind: oneOf(BANK_RECORDS),
  id: anyText,
  txid: nullable(anyText),
  pixKey: nullable(anyText),
})

/** Returns the ids of a refused notice for the log, without personal data. */
export const idsForLog = (notice: PaymentNotice | ReceivedPix): Readonly<Record<string, string>> => {
  const { txid, endToEndId }: { readonly [id in 'txid' | 'endToEndId']?: unknown } = Object(notice)
  const shown = (id: unknown): string => (typeof id === 'string' ? id.slice(0, MAX_ID_CHARS) : typeof id)
  return { txid: shown(txid), endToEndId: shown(endToEndId) }
}

type Facts = FactsOf<typeof readFacts>

/** A payment that a notice of the bank has posted. */
interface PostedPayment {
  /** False if this payment was posted before. */
  readonly posted: boolean
  /** Set if the account was removed before: its members cannot reach the money. */
  readonly isOutOfReach?: true
}

export interface ConfirmedPayment extends PostedPayment {
  readonly chargeId: number
}

/** Posts the payment of a bank's notice, once. */
export const confirmPayment = (ports: PaymentsPorts) => (raw: PaymentNotice) =>
  withValidInput(ports, paymentNotice, raw, (notice) =>
    useCase(
      ports,
      () => readFacts(ports, notice),
      (facts, fresh) => decideConfirmation(ports.cipher, facts, notice, fresh),
    ),
  )

/** Returns the unique id of a payment: an endToEndId is unique at all banks, a nosso número within the account. */
const uniqueIdOf = ({ method, endToEndId }: PaymentNotice, accountId: number): string =>
  method === 'pix' ? endToEndId : `${accountId}|${endToEndId}`

const KIND = { pix: 'pix-in', boleto: 'boleto-in' } as const

const readFacts = async (ports: PaymentsPorts, notice: PaymentNotice) => {
  const detail = await findByTitle(ports, notice.txid)
  if (!detail) return null
  const { accountId } = detail.charge
  const { account, posted } = await ports.store.read({
    account: byId(accounts, accountId),
    posted: postedPayments(notice.endToEndId, PAYMENT_TYPE_IDS, notice.method === 'pix' ? null : accountId),
  })
  // Several charges of an account may have the same nosso número: prefers the entry of this one.
  const own = posted.records.find(({ chargeId }) => chargeId === detail.charge.id)
  return (
    account && {
      detail,
      account,
      posted: own ?? posted.records[0] ?? null,
      place: await readLinkPlace(ports.store, detail.charge),
      receivers: await readReceivers(ports.store, detail.charge),
      netPaidCents: await readNetPaid(ports.store, detail.charge),
    }
  )
}

export const decideConfirmation = (
  cipher: Pick<Cipher, 'seal'>,
  facts: Facts | null,
  notice: PaymentNotice,
  fresh: Fresh,
) => {
  if (!facts) return left(failure('not-found', 'title.unknown'))
  const { charge } = facts.detail
  if (facts.posted) return decideRepeated(charge, facts.posted, notice)
  return accept<ConfirmedPayment>(
    { chargeId: charge.id, posted: true, ...reachOf(facts.account) },
    ...postPayment(cipher, facts, notice, fresh).changes,
  )
}

const reachOf = (account: Account): Pick<PostedPayment, 'isOutOfReach'> =>
  isExisting(account) ? {} : { isOutOfReach: true }

/** Returns the charge after a new payment, and the changes that post it and record its events. */
export const postPayment = (
  cipher: Pick<Cipher, 'seal'>,
  { detail, account, place, receivers, netPaidCents: beforeCents }: Omit<Facts, 'posted'>,
  notice: PaymentNotice,
  fresh: Fresh,
) => {
  const { charge } = detail
  const { changes, after, types, take } = applyPayment(cipher, charge, account, notice, fresh)
  const { accountId } = charge
  const lines = paymentLines(charge.paymentMethod, account, notice)
  const leftCents = lines.reduce((sum, line) => sum + line.valueCents, 0)
  const paidCents = notice.valueCents
  const feeCents = paidCents - leftCents + owedFee(charge, leftCents)
  const shared = sharePayment(fresh, { charge, account, receivers }, { beforeCents, paidCents, feeCents })
  const posting = [
    ...changes,
    // Of concurrent notices with one id, only the first is committed.
    reserveUnique(KIND[notice.method], uniqueIdOf(notice, accountId), charge.id, accountId),
    ...post(fresh, {
      accountId,
      kind: 'main',
      cause: `${KIND[notice.method]}:${notice.endToEndId}`,
      lines: [...lines, ...shared.lines],
      ...{ shares: shared.shares, journalId: shared.journalId },
      details: entryDetails(charge, { txid: notice.txid, endToEnd: notice.endToEndId, payer: notice.payer }),
    }),
    ...shared.changes,
    ...postOwedFee(fresh, charge, leftCents),
    ...(types.includes('charge.paid') ? freeLinkPlaces(charge, place, fresh) : []),
    ...eventTypesOf(types, charge).flatMap((eventType) =>
      recordChargeEvent(fresh, eventType, { ...detail, charge: after }, take, notice.valueCents),
    ),
  ]
  return { after, changes: posting }
}

/** The payment of a legacy instant payment also records `pix.received`. */
const eventTypesOf = (types: AfterPayment['types'], { isInstant }: Charge): AfterPayment['types'] =>
  types.includes('charge.paid') && isInstant ? [...types, 'pix.received'] : types

/** A repeated notice of a posted payment changes nothing; one with another charge or amount is refused. */
const decideRepeated = ({ id: chargeId }: Charge, posted: Entry, { valueCents }: PaymentNotice) => {
  if (posted.chargeId !== chargeId) return left(failure('conflict', 'payment.elsewhere'))
  if (posted.valueCents !== valueCents) return left(failure('conflict', 'payment.contradictory'))
  return accept<ConfirmedPayment>({ chargeId, posted: false })
}

interface AfterPayment {
  readonly changes: readonly Change[]
  readonly after: Charge
  /** The events of the payment; `charge.overpaid` follows the event of its receipt. */
  readonly types: readonly ChargeEventType[]
  readonly take?: Take<'amountPaidCents'>
}

/**
 * Applies a payment to the charge: pays it, or adds to the amount of one that is paid or accepts no payment, whose
 * status stays. If the account accepts partial payments, a payment that leaves a rest keeps the charge open.
 */
const applyPayment = (
  cipher: Pick<Cipher, 'seal'>,
  charge: Charge,
  account: Account,
  notice: PaymentNotice,
  fresh: Fresh,
): AfterPayment => {
  const { valueCents, paidAt, method } = notice
  const { now } = fresh
  const decision = charge.splits === null ? {} : { shareDecisions: 1 }
  const add = { amountPaidCents: valueCents, ...decision }
  const after: Charge = { ...charge, amountPaidCents: (charge.amountPaidCents ?? 0) + valueCents, updatedAt: now }
  const take = { amountPaidCents: [[charges.name, charge.id], 'amountPaidCents'] } as const
  if (chargeMoves.can(charge.status, 'paid')) {
    const settled = settlePayment(charge, account, notice)
    if (settled && !settled.isSettled) {
      const set = { ...settled.parts, updatedAt: now }
      const change = patch(charges, charge.id, { set, add, when: asPaid(charge) })
      const changes = [change, ...requestRestTitle(charge, fresh)]
      return { changes, after: { ...after, ...set }, types: ['charge.partially_paid'], take }
    }
    const status = charge.paymentMethod === 'BOLEPIX' && method === 'pix' ? 'paidwithpix' : 'paid'
    const closing = closeOther(cipher, charge, notice, fresh)
    const set = { status, paymentDate: dayOf(paidAt), updatedAt: now, ...closing.set, ...settled?.parts } as const
    const over = overpay(charge, settled?.overCents ?? 0)
    const guard = settled || charge.splits ? asPaid(charge) : asRead(charge)
    const change = patch(charges, charge.id, { set, add: { ...add, ...over.add }, when: guard })
    const types = ['charge.paid', ...over.types] as const
    return { changes: [change, ...closing.changes], after: { ...after, ...set, ...over.after }, types, take }
  }
  // The shares of a payment depend on the payments before it.
  const when = charge.splits === null ? eq('status', charge.status) : asPaid(charge)
  if (!isPaid(charge)) {
    const change = patch(charges, charge.id, { set: { updatedAt: now }, add, when })
    return { changes: [change], after, types: ['pix.received'], take }
  }
  // If the bank has returned more than was paid, this payment covers the difference first.
  const mostCents = keptCents(after) - (charge.overpaidCents ?? 0)
  const over = overpay(charge, account.acceptPartial ? Math.max(0, Math.min(valueCents, mostCents)) : 0)
  const guard = over.types.length > 0 ? asPaid(charge) : when
  const change = patch(charges, charge.id, { set: { updatedAt: now }, add: { ...add, ...over.add }, when: guard })
  return { changes: [change], after: { ...after, ...over.after }, types: ['pix.received', ...over.types], take }
}

/** Adds an over-payment to the charge, with its event; nothing without one. */
const overpay = ({ overpaidCents }: Charge, cents: number): Overpayment =>
  cents === 0
    ? NOT_OVERPAID
    : {
        add: { overpaidCents: cents },
        after: { overpaidCents: (overpaidCents ?? 0) + cents },
        types: ['charge.overpaid'],
      }

interface Overpayment {
  readonly add: { readonly overpaidCents?: number }
  readonly after: Partial<Pick<Charge, 'overpaidCents'>>
  readonly types: readonly ChargeEventType[]
}

const NOT_OVERPAID: Overpayment = { add: {}, after: {}, types: [] }

/**
 * After the payment of a replaced title, closes the current one, so that the charge is not paid twice. It does not wait
 * for another operation of the charge, which may end without closing that title.
 */
const closeOther = (cipher: Pick<Cipher, 'seal'>, charge: Charge, notice: PaymentNotice, fresh: Fresh) => {
  if (charge.txid === null || charge.txid === notice.txid) return NOTHING_TO_CLOSE
  const { operationId, change } = enqueueCancellation(cipher, charge, charge.txid, fresh)
  return { set: charge.operationId === null ? { operationId } : {}, changes: [change] }
}

const NOTHING_TO_CLOSE = { set: {}, changes: [] } as const

interface Posting {
  readonly gross: TransactionType
  readonly fee: TransactionType
  readonly feeCents: (fees: Fees) => number
}

/** The postings by the method of the payment: a replaced title may have had another method than its charge has now. */
const POSTINGS = {
  pix: { gross: PIX_IN, fee: PIX_IN_FEE, feeCents: ({ pixInCents }) => pixInCents },
  boleto: { gross: BOLETO_IN, fee: BOLETO_FEE, feeCents: ({ boletoInCents }) => boletoInCents },
  bolepix: { gross: BOLEPIX_IN, fee: BOLEPIX_FEE, feeCents: ({ bolepixCents }) => bolepixCents },
} satisfies Readonly<Record<string, Posting>>

/** Returns the line of the gross amount and that of the fee: at most the gross amount, none if zero. */
const paymentLines = (
  method: PaymentMethod,
  { taxes: fees }: Pick<Account, 'taxes'>,
  notice: Pick<PaymentNotice, 'valueCents' | 'method'>,
): readonly Line[] => {
  const { valueCents } = notice
  const { gross, fee, feeCents } = POSTINGS[method === 'BOLEPIX' ? 'bolepix' : notice.method]
  const costs = Math.min(feeCents(fees), valueCents)
  const line: Line = { type: gross, valueCents, against: 'clearing' }
  return costs === 0 ? [line] : [line, { type: fee, valueCents: -costs, against: 'fees' }]
}

export interface CreditedPix extends PostedPayment {
  readonly accountId: number
}

/** A received Pix without the key that identifies its account. */
export type Credit = Omit<ReceivedPix, 'pixKey'>

/** Posts a Pix that reached an account without a charge, once. */
export const receivePix = (ports: PaymentsPorts) => (raw: ReceivedPix) =>
  withValidInput(ports, receivedPix, raw, (pix) =>
    useCase(
      ports,
      async (store) => ({ account: await accountOf(store, pix), posted: await postedOf(store, pix) }),
      (facts, fresh) => decideReceived(facts, pix, fresh),
    ),
  )

/** Returns the account of the key that received a Pix; if no account has it, that of the open code that was paid. */
export const accountOf = async (
  store: Store,
  { pixKey, txid }: Pick<ReceivedPix, 'pixKey' | 'txid'>,
): Promise<Account | null> => {
  const uuid = txid === null ? null : uuidOfOpenTxid(txid)
  return (await accountOfKey(store, pixKey)) ?? (uuid === null ? null : await store.find(byKey(accounts, 'uuid', uuid)))
}

/** Returns the oldest account with the key. */
const accountOfKey = async (store: Store, pixKey: string): Promise<Account | null> => {
  const sort = { by: 'createdAt', dir: 'asc' } as const
  const { records } = await store.list(listOf(accounts, { where: eq('pixKey', pixKey), sort, limit: 1 }))
  return records[0] ?? null
}

/** Includes internal transfers: they are Pix too, and are already posted when the bank notifies of them. */
const CREDIT_TYPE_IDS = [...PAYMENT_TYPE_IDS, TRANSFER_IN.id]

/** Returns the entry that posted a payment with this id, if any. */
export const postedOf = async (
  store: Store,
  { endToEndId }: Pick<ReceivedPix, 'endToEndId'>,
): Promise<Entry | null> => {
  const { records } = await store.list(postedPayments(endToEndId, CREDIT_TYPE_IDS))
  return records[0] ?? null
}

/** Decides on the credit of a Pix without a charge, once. */
const decideReceived = (
  { account, posted }: { readonly account: Account | null; readonly posted: Entry | null },
  pix: Credit,
  fresh: Fresh,
) => {
  if (posted) {
    // The Pix was credited before, for a charge or a transfer.
    if (posted.valueCents !== pix.valueCents) return left(failure('conflict', 'payment.contradictory'))
    return accept<CreditedPix>({ accountId: posted.accountId, posted: false })
  }
  if (!account) return left(UNKNOWN_ACCOUNT)
  const { id: accountId } = account
  const { endToEndId, txid, payer } = pix
  return accept<CreditedPix>(
    { accountId, posted: true, ...reachOf(account) },
    reserveUnique('pix-in', endToEndId, `account ${accountId}`, accountId),
    ...post(fresh, {
      accountId,
      kind: 'main',
      cause: `pix-in:${endToEndId}`,
      lines: paymentLines('PIX', account, { ...pix, method: 'pix' }),
      details: { description: DESCRIPTION, chargeId: null, txid, endToEnd: endToEndId, payer, receiver: null },
    }),
    recordEvent(fresh, 'pix.received', {
      accountId,
      subjectId: NO_RECORD,
      data: receivedPixView.on(SNAKE_CASE).encode(pix),
      urls: [],
    }),
  )
}

const DESCRIPTION = 'Pix recebido'

const payerView = view(
  'PixPayer',
  { name: output.text({ about: 'Nome' }), document: output.text({ about: 'Documento' }) },
  ({ name, document }: Party) => ({ name, document }),
)

/** A Pix without a charge, as webhooks show it. */
export const receivedPixView = view('ReceivedPix', {
  endToEndId: output.text({ about: 'endToEndId do pagamento' }),
  txid: nullable(output.text({ about: 'Identificador do Pix, se tem' })),
  valueCents: output.money({ wire: 'value', about: 'Valor' }),
  payer: nullable(output.view(payerView, { about: 'Quem pagou' })),
})
