import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { check, patch, type Take } from '../../kernel/records/change.ts'
import { eq, isIn } from '../../kernel/records/where.ts'
import { checked } from '../../kernel/running/checked.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { decided, useCase } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import type { PaymentNotice } from '../../ports/bank.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { reserveUnique } from '../claim.ts'
import { type Entry, postedPayments } from '../ledger/entry.ts'
import { type Line, post } from '../ledger/post.ts'
import { PIX_IN, PIX_IN_FEE } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Charge, type ChargeStatus, chargeMoves, charges } from './charge.ts'
import { type ChargeDetail, findCharge } from './find-charge.ts'
import { type ChargeEventType, recordChargeEvent } from './record-charge-event.ts'
import { earlierTitle } from './titles/earlier-title.ts'
import { paymentNotice } from './titles/payment-notice.ts'

interface Facts {
  readonly detail: ChargeDetail
  readonly account: Account
  /** The line that posted a payment of this id, for whatever charge. */
  readonly posted: Entry | null
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
  checked(ports, paymentNotice, told, (notice) =>
    useCase(
      ports,
      () => read(ports, notice),
      (facts, fresh) => decideConfirmation(facts, notice, fresh),
    ),
  )

const causeOf = ({ endToEndId }: PaymentNotice): string => `pix-in:${endToEndId}`

const read = async (ports: PaymentsPorts, { txid, endToEndId }: PaymentNotice): Promise<Facts | null> => {
  const detail = await findCharge(ports, { txid })
  if (!detail) return null
  const { account, posted } = await ports.store.read({
    account: byId(accounts, detail.charge.accountId),
    posted: postedPayments(endToEndId),
  })
  const [first = null] = posted.records
  // That of this charge, where others have one too.
  const own = posted.records.find(({ chargeId }) => chargeId === detail.charge.id)
  return account && { detail, account, posted: own ?? first }
}

export const decideConfirmation = (facts: Facts | null, notice: PaymentNotice, fresh: Fresh) => {
  if (!facts) return left(failure('not-found', 'title.unknown'))
  const { detail, account, posted } = facts
  const { charge, client } = detail
  if (posted) return decideAgain(charge, posted, notice)
  const { change, after, type, take } = applyPayment(charge, notice, fresh)
  return decided<Confirmed>(
    { chargeId: charge.id, posted: true },
    ...earlierTitle(charge),
    change,
    // What racing notices of one id have not seen of each other.
    reserveUnique('pix-in', notice.endToEndId, charge.id, charge.accountId),
    ...post(fresh, {
      accountId: charge.accountId,
      kind: 'main',
      cause: causeOf(notice),
      lines: linesOf(account, notice.valueCents),
      telling: {
        description: charge.description ?? `Cobrança ${charge.id}`,
        chargeId: charge.id,
        txid: notice.txid,
        endToEnd: notice.endToEndId,
        payer: notice.payer,
        receiver: null,
      },
    }),
    recordChargeEvent(fresh, type, after, client, take),
  )
}

/** A payment that was posted: the same again is none of it, and anything else a bank's mistake. */
const decideAgain = ({ id: chargeId }: Charge, posted: Entry, { valueCents }: PaymentNotice) => {
  if (posted.chargeId !== chargeId) return left(failure('conflict', 'payment.elsewhere'))
  if (posted.valueCents !== valueCents) return left(failure('conflict', 'payment.contradictory'))
  return decided<Confirmed>({ chargeId, posted: false })
}

/** The gross amount, and the fee after it, capped at what came in; a zero fee posts nothing. */
const linesOf = ({ taxes: fees }: Account, valueCents: number): readonly Line[] => {
  const feeCents = Math.min(fees.pixInCents, valueCents)
  const gross: Line = { type: PIX_IN, valueCents, against: 'clearing' }
  return feeCents === 0 ? [gross] : [gross, { type: PIX_IN_FEE, valueCents: -feeCents, against: 'fees' }]
}

interface AfterPayment {
  readonly change: ReturnType<typeof patch>
  readonly after: Charge
  readonly type: ChargeEventType
  readonly take?: Take<'amountPaidCents'>
}

/** What the payment does to the charge: pays it, adds to one that was paid, or leaves any other as it is. */
const applyPayment = (charge: Charge, { valueCents, paidAt }: PaymentNotice, { now }: Fresh): AfterPayment => {
  const paid: readonly ChargeStatus[] = ['paid', 'paidwithpix']
  const after: Charge = { ...charge, amountPaidCents: (charge.amountPaidCents ?? 0) + valueCents, updatedAt: now }
  const add = { amountPaidCents: valueCents }
  const take = { amountPaidCents: [[charges.name, charge.id], 'amountPaidCents'] } as const
  if (chargeMoves.can(charge.status, 'paid')) {
    const set = { status: 'paid', paymentDate: dayOf(paidAt), updatedAt: now } as const
    const when = isIn('status', ['pending', 'expired'])
    const change = patch(charges, charge.id, { set, add, when })
    return { change, after: { ...after, ...set }, type: 'charge.paid', take }
  }
  const when = eq('status', charge.status)
  if (!paid.includes(charge.status)) {
    return { change: check(charges, charge.id, when), after: charge, type: 'pix.received' }
  }
  const change = patch(charges, charge.id, { set: { updatedAt: now }, add, when })
  return { change, after, type: 'pix.received', take }
}
