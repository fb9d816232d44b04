import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { type Change, check, insert, patch, type Take } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import type { PaymentNotice } from '../../../ports/bank.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import { byId } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { bankOperations } from '../../bank/operation.ts'
import type { BoundedCount } from '../../bounded-count.ts'
import { reserveUnique } from '../../claim.ts'
import { type Entry, postedPayments } from '../../ledger/ledger.ts'
import { post } from '../../ledger/post.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { asRead, type Charge, type ChargeStatus, chargeMoves, charges } from '../charge.ts'
import { entryDetails } from '../entry-details.ts'
import type { ChargeDetail } from '../find-charge.ts'
import { freeLinkPlaces, readLinkPlace } from '../link-places.ts'
import { type ChargeEventType, recordChargeEvent } from '../record-charge-event.ts'
import { newCancellation } from '../titles/cancel-title.ts'
import { earlierTitle } from '../titles/earlier-title.ts'
import { postOwedFee } from '../titles/issue-fee.ts'
import { findByTitle } from '../titles/other-title.ts'
import { PAYMENT_TYPE_IDS, paymentLines } from './payment-lines.ts'
import { paymentNotice } from './payment-notice.ts'

interface Facts {
  readonly detail: ChargeDetail
  readonly account: Account
  /** The line that posted a payment of this id, for whatever charge. */
  readonly posted: Entry | null
  /** The count of its link and address in which it has a place; null without one. */
  readonly place: BoundedCount | null
}

export interface Confirmed {
  readonly chargeId: number
  /** False where this payment was posted before. */
  readonly posted: boolean
}

/**
 * Takes a bank's notice that somebody paid: posts it once, fee included, moves the charge and tells of it, in one
 * commit. Money that arrives is never ignored: what the charge cannot take any more is credited and told as
 * `pix.received`. The same notice again changes nothing.
 * Fails: `fields` (by the notice's own names), `title.unknown`, `payment.elsewhere` (its id was posted for another charge,
 * of whatever account), `payment.contradictory` (it was posted with another amount).
 * Source: decisions.md §3, §9 and §11.
 */
export const confirmPayment = (ports: PaymentsPorts) => (told: PaymentNotice) =>
  withValidInput(ports, paymentNotice, told, (notice) =>
    useCase(
      ports,
      () => read(ports, notice),
      (facts, fresh) => decideConfirmation(ports.cipher, facts, notice, fresh),
    ),
  )

/** The bank's id of a payment: a nosso número is the account's own, an endToEndId everybody's. */
const idOf = ({ method, endToEndId }: PaymentNotice, accountId: number): string =>
  method === 'pix' ? endToEndId : `${accountId}|${endToEndId}`

const KIND = { pix: 'pix-in', boleto: 'boleto-in' } as const

const read = async (ports: PaymentsPorts, notice: PaymentNotice): Promise<Facts | null> => {
  const detail = await findByTitle(ports, notice.txid)
  if (!detail) return null
  const { accountId } = detail.charge
  const { account, posted } = await ports.store.read({
    account: byId(accounts, accountId),
    posted: postedPayments(notice.endToEndId, PAYMENT_TYPE_IDS, notice.method === 'pix' ? null : accountId),
  })
  const [first = null] = posted.records
  // That of this charge, where others have one too.
  const own = posted.records.find(({ chargeId }) => chargeId === detail.charge.id)
  return account && { detail, account, posted: own ?? first, place: await readLinkPlace(ports.store, detail.charge) }
}

export const decideConfirmation = (
  cipher: Pick<Cipher, 'seal'>,
  facts: Facts | null,
  notice: PaymentNotice,
  fresh: Fresh,
) => {
  if (!facts) return left(failure('not-found', 'title.unknown'))
  const { charge } = facts.detail
  if (facts.posted) return decideAgain(charge, facts.posted, notice)
  return accept<Confirmed>({ chargeId: charge.id, posted: true }, ...confirmed(cipher, facts, notice, fresh).changes)
}

/** The charge after a payment of an id that was not posted before, and all that posts and tells it. */
export const confirmed = (
  cipher: Pick<Cipher, 'seal'>,
  { detail, account, place }: Omit<Facts, 'posted'>,
  notice: PaymentNotice,
  fresh: Fresh,
) => {
  const { charge } = detail
  const { changes, after, type, take } = applyPayment(cipher, charge, notice, fresh)
  const { accountId } = charge
  const lines = paymentLines(charge.paymentMethod, account, notice)
  const leftCents = lines.reduce((sum, line) => sum + line.valueCents, 0)
  const posting = [
    ...changes,
    ...earlierTitle(after),
    // What racing notices of one id have not seen of each other.
    reserveUnique(KIND[notice.method], idOf(notice, accountId), charge.id, accountId),
    ...post(fresh, {
      accountId,
      kind: 'main',
      cause: `${KIND[notice.method]}:${notice.endToEndId}`,
      lines,
      telling: entryDetails(charge, { txid: notice.txid, endToEnd: notice.endToEndId, payer: notice.payer }),
    }),
    ...postOwedFee(fresh, charge, leftCents),
    ...(type === 'charge.paid' ? freeLinkPlaces(charge, place, fresh) : []),
    ...tell(type, charge).flatMap((told) =>
      recordChargeEvent(fresh, told, { ...detail, charge: after }, take, notice.valueCents),
    ),
  ]
  return { after, changes: posting }
}

/** Who asked for an instant payment is told of the Pix too that pays it. Source: decisions.md §9, Others. */
const tell = (type: ChargeEventType, { isInstant }: Charge): readonly ChargeEventType[] =>
  type === 'charge.paid' && isInstant ? [type, 'pix.received'] : [type]

/** A payment that was posted: the same again is none of it, and anything else a bank's mistake. */
const decideAgain = ({ id: chargeId }: Charge, posted: Entry, { valueCents }: PaymentNotice) => {
  if (posted.chargeId !== chargeId) return left(failure('conflict', 'payment.elsewhere'))
  if (posted.valueCents !== valueCents) return left(failure('conflict', 'payment.contradictory'))
  return accept<Confirmed>({ chargeId, posted: false })
}

interface AfterPayment {
  readonly changes: readonly Change[]
  readonly after: Charge
  readonly type: ChargeEventType
  readonly take?: Take<'amountPaidCents'>
}

const PAID: readonly ChargeStatus[] = ['paid', 'paidwithpix']

/** What the payment does to the charge: pays it, adds to one that was paid, or leaves any other as it is. */
const applyPayment = (
  cipher: Pick<Cipher, 'seal'>,
  charge: Charge,
  notice: PaymentNotice,
  fresh: Fresh,
): AfterPayment => {
  const { valueCents, paidAt, method } = notice
  const { now } = fresh
  const add = { amountPaidCents: valueCents }
  const after: Charge = { ...charge, amountPaidCents: (charge.amountPaidCents ?? 0) + valueCents, updatedAt: now }
  const take = { amountPaidCents: [[charges.name, charge.id], 'amountPaidCents'] } as const
  if (chargeMoves.can(charge.status, 'paid')) {
    const status = charge.paymentMethod === 'BOLEPIX' && method === 'pix' ? 'paidwithpix' : 'paid'
    const closing = closeOther(cipher, charge, notice, fresh)
    const set = { status, paymentDate: dayOf(paidAt), updatedAt: now, ...closing.set } as const
    const change = patch(charges, charge.id, { set, add, when: asRead(charge) })
    return { changes: [change, ...closing.changes], after: { ...after, ...set }, type: 'charge.paid', take }
  }
  const when = eq('status', charge.status)
  if (!PAID.includes(charge.status)) {
    return { changes: [check(charges, charge.id, when)], after: charge, type: 'pix.received' }
  }
  const change = patch(charges, charge.id, { set: { updatedAt: now }, add, when })
  return { changes: [change], after, type: 'pix.received', take }
}

/** Who paid a title that another one has replaced leaves that one to be closed: nobody is to pay twice. */
const closeOther = (cipher: Pick<Cipher, 'seal'>, charge: Charge, notice: PaymentNotice, fresh: Fresh) => {
  if (charge.txid === null || charge.txid === notice.txid || charge.operationId !== null) return NOTHING_TO_CLOSE
  const cancellation = newCancellation(cipher, charge, charge.txid, fresh)
  return { set: { operationId: cancellation.id }, changes: [insert(bankOperations, cancellation)] }
}

const NOTHING_TO_CLOSE = { set: {}, changes: [] } as const
