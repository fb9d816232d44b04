import { failure, isLeft, left, right } from '../../failure.ts'
import { type DecodedOf, guid, input, instant, money, nullable, object, oneOf } from '../../kernel/input/mod.ts'
import { type Change, check, eq, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, nextBusinessDay } from '../../kernel/values/day.ts'
import type { ChargeBalance, ChargeNotice } from '../../ports/charging.ts'
import { byId, type Store } from '../../ports/store.ts'
import { recordEvent } from '../office.ts'
import { type PaidFacts, paidTermsOf, readPaidFacts } from '../paid-terms.ts'
import { endedOnOf } from '../periods.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { isOpen, type Payment, paidAs, payments } from '../records/payment.ts'
import { returnEntries } from '../records/receipt-entry.ts'
import { type Charge, charges, patchCharge, patchMoney, RELEASED, readChargeFacts, receivedWith } from './charge.ts'

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
    contract: facts.payment && (await store.find(byId(contracts, facts.payment.contractId))),
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

/**
 * Returns the status of a payment after the refund of its charge: open again, and overdue if its due date is past. One that was
 * due after the end of its contract is cancelled, as the end would have done.
 */
const statusAfterRefund = ({ dueDate }: Payment, contract: Contract | null, today: Day) => {
  const endedOn = contract && endedOnOf(contract)
  if (endedOn !== null && dueDate > endedOn) return 'Cancelled'
  return nextBusinessDay(dueDate) < today ? 'Defaulted' : 'Pending'
}

const UNPAID = {
  method: null,
  paidAt: null,
  paidMonth: null,
  paidValueCents: null,
  paidOwnerId: null,
  paidAdministrationPercentage: null,
  ...RELEASED,
} as const satisfies Partial<Payment>

/** Returns the terms under which a payment was paid; the current ones if release 0.10.0 marked it as paid. */
const storedTerms = (payment: Payment, terms: PaidFacts) =>
  payment.paidOwnerId === null ? paidTermsOf(payment, payment.paidAt ?? '', terms) : payment

/** Reports whether a payment is stored as paid by the bank payment that a notice of a balance names. */
const isPaidBy = ({ status, paidAt, method }: Payment, paid: DecodedOf<typeof chargeBalance>['paid']): boolean =>
  status === 'Paid' && paid !== null && paidAt === paid.paidAt && method === paid.method

/** Reports whether parts have paid a payment, at the end of its contract: any other payment has a method. */
const isPaidByParts = ({ status, method }: Payment): boolean => status === 'Paid' && method === null

/** Opens or cancels a payment whose money went back. */
const reopen = (
  { charge, payment, terms, contract }: ReopenFacts,
  own: Partial<Charge>,
  receivedCents: number,
  fresh: Fresh,
) => {
  const { companyId, id: subjectId } = payment
  const status = statusAfterRefund(payment, contract, fresh.today)
  const defaulted = { companyId, subjectId, type: 'payment.defaulted' as const, data: {} }
  return accept<Noted>(
    status === 'Cancelled' ? 'cancelled' : 'reopened',
    ...patchMoney({ charge, payment }, receivedCents, { charge: own, payment: { ...UNPAID, status } }, fresh),
    ...returnEntries(payment, storedTerms(payment, terms), fresh),
    ...(status === 'Defaulted' ? [recordEvent(fresh, defaulted)] : []),
    // The end of the contract that is decided meanwhile has not read an open payment: either decision is repeated.
    ...(contract
      ? [patch(contracts, contract.id, { add: { rentWrites: 1 }, when: eq('status', contract.status) })]
      : []),
  )
}

interface ReopenFacts {
  readonly charge: Charge
  readonly payment: Payment
  readonly terms: PaidFacts
  readonly contract: Contract | null
}

const ENDED = { state: 'ended', dueAt: null } as const satisfies Partial<Charge>

/**
 * Stores the amount that a charge has received. If a paid charge was refunded in full, ends it and opens its payment again,
 * provided that this charge had paid it. A payment that parts have paid opens again once all of them are refunded. After any
 * other change a paid payment stays paid.
 */
const decideBalance = (
  { charge, payment, terms, contract }: Awaited<ReturnType<typeof readFacts>>,
  { receivedCents, paid }: DecodedOf<typeof chargeBalance>,
  fresh: Fresh,
) => {
  if (!charge) return left(failure('not-found', 'charge.unknown'))
  const facts = { charge, payment }
  const isRefunded = charge.state === 'paid' && receivedCents === 0
  const own = isRefunded ? ENDED : {}
  if (payment && terms) {
    const isUnpaid = isPaidByParts(payment) && receivedWith(facts, receivedCents) === null
    if (isUnpaid || (isRefunded && isPaidBy(payment, paid)))
      return reopen({ charge, payment, terms, contract }, own, receivedCents, fresh)
  }
  if (isRefunded) return accept<Noted>('kept', ...patchMoney(facts, 0, { charge: own }, fresh))
  if (receivedCents === (charge.receivedCents ?? 0)) return accept<Noted>('expected')
  const isExpected = payment && isOpen(payment) && payment.removedAt === null && payment.chargeId === charge.id
  return accept<Noted>(isExpected ? 'expected' : 'kept', ...patchMoney(facts, receivedCents, {}, fresh))
}

/**
 * The effect of a notice of a balance: none or a part for an open charge, a payment that is open again or cancelled with its
 * contract, or only another amount of a charge whose payment keeps its status. The operator's log has all but the first.
 */
type Noted = 'expected' | 'reopened' | 'cancelled' | 'kept'

const LINES: { readonly [N in Noted]?: string } = {
  reopened: 'a charge was refunded in full: its payment is open again',
  cancelled: 'a charge was refunded in full after the end of its contract: its payment is cancelled',
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
