import { failure, isLeft, left, right } from '../../failure.ts'
import { type DecodedOf, guid, input, instant, money, nullable, object, oneOf } from '../../kernel/input/mod.ts'
import { type Change, check, eq } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, nextBusinessDay } from '../../kernel/values/day.ts'
import type { ChargeBalance, ChargeNotice } from '../../ports/charging.ts'
import { byId, type Store } from '../../ports/store.ts'
import { recordEvent } from '../office.ts'
import { type PaidFacts, paidTermsOf, readPaidFacts } from '../paid-terms.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { isOpen, type Payment, paidAs, payments } from '../records/payment.ts'
import { returnEntries } from '../records/receipt-entry.ts'
import {
  type Charge,
  type ChargeFacts,
  charges,
  patchCharge,
  patchMoney,
  RELEASED,
  readChargeFacts,
  receivedWith,
} from './charge.ts'

const chargeNotice = input(null, {
  reference: guid(),
  valueCents: money({ minCents: 1 }),
  paidAt: instant(),
  method: oneOf(['Pix', 'Boleto']),
})

/** Reads a charge with its payment, the payment's other current charge, and the terms of the payment. */
const readFacts = async (store: Store, reference: string) => {
  const facts = await readChargeFacts(store, reference)
  const chargeId = facts.payment?.chargeId ?? null
  const isOther = chargeId !== null && chargeId !== reference
  return {
    ...facts,
    other: isOther ? await store.find(byId(charges, chargeId)) : null,
    terms: facts.payment && (await readPaidFacts(store, facts.payment)),
  }
}

/**
 * Cancels the payment's other charge, so that it is not paid twice. A charge that is being issued is cancelled by
 * `decideIssued`.
 */
const closeOther = (other: Charge | null, fresh: Fresh): readonly Change[] =>
  other?.state === 'open' ? [patchCharge(other, { state: 'cancelling', dueAt: fresh.steady }, fresh)] : []

const decidePayment = (
  { charge, payment, other, terms }: Awaited<ReturnType<typeof readFacts>>,
  notice: DecodedOf<typeof chargeNotice>,
  fresh: Fresh,
) => {
  if (!charge) return left(failure('not-found', 'charge.unknown'))
  if (charge.state === 'paid') return accept({ isTaken: true })
  const { valueCents, paidAt, method } = notice
  const facts = { charge, payment }
  const paid = { state: 'paid', dueAt: null } as const
  if (!payment || !terms || payment.removedAt !== null || !isOpen(payment))
    return accept({ isTaken: false }, ...patchMoney(facts, valueCents, { charge: paid }, fresh))
  // The amounts that other charges have received count as paid, too.
  const paidValueCents = receivedWith(facts, valueCents)
  const set = { ...paidAs(paidAt), ...paidTermsOf(payment, paidAt, terms), method, paidValueCents, chargeId: null }
  return accept(
    { isTaken: true },
    ...patchMoney(facts, valueCents, { charge: paid, payment: set }, fresh),
    check(payments, payment.id, eq('removedAt', null)),
    ...closeOther(other, fresh),
  )
}

export const takePayment = (ports: RealEstatePorts) => (given: ChargeNotice) =>
  withValidInput(ports, chargeNotice, given, (notice) =>
    useCaseOf<{ readonly isTaken: boolean }>()(async (hooks) => {
      const outcome = await useCase(
        ports,
        (store) => readFacts(store, notice.reference),
        (facts, fresh) => decidePayment(facts, notice, fresh),
      )(hooks)
      const isLate = !isLeft(outcome) && !outcome.right.isTaken
      if (isLate) ports.log.warn('a charge was paid whose payment is closed', { charge: notice.reference })
      return outcome
    }),
  )

const chargeBalance = input(null, {
  reference: guid(),
  receivedCents: money(),
  paid: nullable(object(input(null, { paidAt: instant(), method: oneOf(['Pix', 'Boleto']) }))),
})

/** A payment after the refund of its charge: open again, and overdue if its due date is past. */
const reopened = ({ dueDate }: Payment, today: Day) =>
  ({
    status: nextBusinessDay(dueDate) < today ? 'Defaulted' : 'Pending',
    method: null,
    paidAt: null,
    paidMonth: null,
    paidValueCents: null,
    paidOwnerId: null,
    paidAdministrationPercentage: null,
    ...RELEASED,
  }) as const satisfies Partial<Payment>

/** Returns the terms under which a payment was paid; the current ones if release 0.10.0 marked it as paid. */
const storedTerms = (payment: Payment, terms: PaidFacts) =>
  payment.paidOwnerId === null ? paidTermsOf(payment, payment.paidAt ?? '', terms) : payment

/** Reports whether a payment is stored as paid by the bank payment that a notice of a balance names. */
const isPaidBy = (payment: Payment | null, paid: DecodedOf<typeof chargeBalance>['paid']): payment is Payment =>
  payment?.status === 'Paid' && paid !== null && payment.paidAt === paid.paidAt && payment.method === paid.method

/**
 * Stores the amount that a charge has received. If a paid charge was refunded in full, ends it and opens its payment again,
 * provided that this charge had paid it. After any other change a paid payment stays paid.
 */
const decideBalance = (
  { charge, payment, terms }: ChargeFacts & { readonly terms: PaidFacts | null },
  { receivedCents, paid }: DecodedOf<typeof chargeBalance>,
  fresh: Fresh,
) => {
  if (!charge) return left(failure('not-found', 'charge.unknown'))
  const facts = { charge, payment }
  if (charge.state === 'paid' && receivedCents === 0) {
    if (!terms || !isPaidBy(payment, paid))
      return accept<Noted>('kept', ...patchMoney(facts, 0, { charge: { state: 'ended', dueAt: null } }, fresh))
    const set = reopened(payment, fresh.today)
    const event = { companyId: payment.companyId, subjectId: payment.id, type: 'payment.defaulted' as const, data: {} }
    return accept<Noted>(
      'reopened',
      ...patchMoney(facts, 0, { charge: { state: 'ended', dueAt: null }, payment: set }, fresh),
      ...returnEntries(payment, storedTerms(payment, terms), fresh),
      ...(set.status === 'Defaulted' ? [recordEvent(fresh, event)] : []),
    )
  }
  if (receivedCents === (charge.receivedCents ?? 0)) return accept<Noted>('expected')
  const isExpected = payment && isOpen(payment) && payment.removedAt === null && payment.chargeId === charge.id
  return accept<Noted>(isExpected ? 'expected' : 'kept', ...patchMoney(facts, receivedCents, {}, fresh))
}

/**
 * The effect of a notice of a balance: none or a part for an open charge, a payment that is open again, or only another amount
 * of a charge whose payment keeps its status. The operator's log has the last two only.
 */
type Noted = 'expected' | 'reopened' | 'kept'

const LINES: { readonly [N in Noted]?: string } = {
  reopened: 'a charge was refunded in full: its payment is open again',
  kept: 'the amount that a charge has received changed: its payment keeps its status',
}

export const noteBalance = (ports: RealEstatePorts) => (given: ChargeBalance) =>
  withValidInput(ports, chargeBalance, given, (balance) =>
    useCaseOf<null>()(async () => {
      const outcome = await useCase(
        ports,
        (store) => readFacts(store, balance.reference),
        (facts, fresh) => decideBalance(facts, balance, fresh),
      )()
      if (isLeft(outcome)) return outcome
      const line = LINES[outcome.right]
      const { reference: charge, receivedCents } = balance
      if (line !== undefined) ports.log.warn(line, { charge, receivedCents })
      return right(null)
    }),
  )
