import { failure, isLeft, left, right } from '../../failure.ts'
import { type DecodedOf, guid, input, instant, money, nullable, object, oneOf } from '../../kernel/input/mod.ts'
import { type Change, check, eq, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { nextBusinessDay } from '../../kernel/values/day.ts'
import type { ChargeBalance, ChargeNotice } from '../../ports/charging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { recordEvent } from '../office.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { isOpen, type Payment, payments } from '../records/payment.ts'
import { stateRefund, stateReopening } from '../records/receipt-entry.ts'
import {
  afterEnd,
  isCovered,
  type PaidFacts,
  paidByParts,
  paidFields,
  paidTermsOf,
  readPaidFacts,
} from '../terms/paid-terms.ts'
import { endedOnOf } from '../terms/periods.ts'
import {
  type Charge,
  charges,
  orderIn,
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

export const takePayment = (ports: RealEstatePorts) => (submitted: ChargeNotice) =>
  withValidInput(ports, chargeNotice, submitted, (notice) =>
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

/** Marks the payment of a paid charge as paid, if it is open. The parts that other charges have received are added. */
const decidePayment = (
  { charge, payment, other, terms }: Facts,
  notice: DecodedOf<typeof chargeNotice>,
  fresh: Fresh,
) => {
  if (!charge) return left(failure('not-found', 'charge.unknown'))
  if (charge.state === 'paid') return accept({ isTaken: true })
  const { valueCents, paidAt, method } = notice
  const facts = { charge, payment }
  const paidCharge = { state: 'paid', dueAt: null } as const
  if (!payment || !terms || payment.removedAt !== null || !isOpen(payment))
    return accept({ isTaken: false }, ...patchMoney(facts, valueCents, { charge: paidCharge }, fresh))
  const cents = receivedWith(facts, valueCents) ?? 0
  const paid = { ...paidFields(payment, paidAt, terms, cents), method, chargeId: null }
  return accept(
    { isTaken: true },
    ...patchMoney(facts, valueCents, { charge: paidCharge, payment: paid }, fresh),
    check(payments, payment.id, eq('removedAt', null)),
    ...closeOther(other, fresh),
  )
}

const chargeBalance = input(null, {
  reference: guid(),
  receivedCents: money(),
  paid: nullable(object(input(null, { paidAt: instant(), method: oneOf(['Pix', 'Boleto']) }))),
})
type Balance = DecodedOf<typeof chargeBalance>

export const recordBalance = (ports: RealEstatePorts) => (submitted: ChargeBalance) =>
  withValidInput(ports, chargeBalance, submitted, (balance) =>
    useCaseOf<null>()(async () => {
      const outcome = await useCase(
        ports,
        (store) => readFacts(store, balance.reference),
        (facts, fresh) => decideBalance(ports.cipher, facts, balance, fresh),
      )()
      if (isLeft(outcome)) return outcome
      const line = LOG_LINES[outcome.right]
      const { reference: charge, receivedCents } = balance
      if (line !== undefined) ports.log.warn(line, { charge, receivedCents })
      return right(null)
    }),
  )

/**
 * The effect of the notice of a balance: none or a part for an open charge, a payment that its parts have paid, a
 * payment that is open again or cancelled with its contract, or only another amount of a charge whose payment keeps its
 * status. The operator's log has the last three.
 */
type Effect = 'expected' | 'settled' | 'reopened' | 'cancelled' | 'kept'

const LOG_LINES: { readonly [E in Effect]?: string } = {
  reopened: 'a charge was refunded in full: its payment is open again',
  cancelled: 'a charge was refunded in full after the end of its contract: its payment is cancelled',
  kept: 'the amount that a charge has received changed: its payment keeps its status',
}

/** Records the money of a charge. An open payment is paid once the parts of its charges are all that is owed. */
const decideBalance = (cipher: Pick<Cipher, 'open'>, read: Facts, balance: Balance, fresh: Fresh) => {
  const { charge, payment, other, terms } = read
  const { receivedCents } = balance
  if (!charge) return left(failure('not-found', 'charge.unknown'))
  const isKnown = receivedCents === (charge.receivedCents ?? 0)
  if (receivedCents === 0 && (charge.state === 'paid' || !isKnown))
    return decideWithoutSettlement({ ...read, charge }, balance, fresh)
  const facts = { charge, payment }
  const after = payment && {
    ...payment,
    receivedCents: receivedWith(facts, receivedCents),
    receivedMethod: orderIn(cipher, charge).method,
  }
  const set = after && terms && paidByParts(after, terms, fresh)
  if (set) {
    return accept<Effect>(
      'settled',
      ...patchMoney(
        facts,
        receivedCents,
        { charge: charge.state === 'open' ? cancelling(fresh) : {}, payment: set },
        fresh,
      ),
      check(payments, after.id, eq('removedAt', null)),
      ...closeOther(other, fresh),
    )
  }
  return isKnown ? accept<Effect>('expected') : decideWithoutSettlement({ ...read, charge }, balance, fresh)
}

/**
 * Decides on a balance that does not settle an open payment. A paid payment is opened again after a full refund of one
 * of its charges, unless the money that is left still pays it. Any other payment keeps its status.
 */
const decideWithoutSettlement = (
  { charge, payment, terms, contract }: Facts & { readonly charge: Charge },
  { receivedCents: cents, paid }: Balance,
  fresh: Fresh,
) => {
  const facts = { charge, payment }
  const isRefundedInFull = cents === 0
  const chargeFields = isRefundedInFull && charge.state === 'paid' ? ENDED : {}
  const byHandCents = payment?.status === 'Paid' ? byHandIn(payment, paid) : null
  if (payment && terms && byHandCents !== null) {
    const leftCents = (receivedWith(facts, cents) ?? 0) + byHandCents
    return isRefundedInFull && !isCovered(payment, terms, leftCents)
      ? reopen({ charge, payment, terms, contract }, chargeFields, leftCents, fresh)
      : keepPaid({ charge, payment, terms }, { cents, chargeFields, leftCents }, fresh)
  }
  const isExpected = payment && isOpen(payment) && payment.removedAt === null && payment.chargeId === charge.id
  return accept<Effect>(isExpected ? 'expected' : 'kept', ...patchMoney(facts, cents, { charge: chargeFields }, fresh))
}

const ENDED = { state: 'ended', dueAt: null } as const satisfies Partial<Charge>

interface ReopenFacts {
  readonly charge: Charge
  readonly payment: Payment
  readonly terms: PaidFacts
  readonly contract: Contract | null
}

const UNPAID = {
  method: null,
  paidAt: null,
  paidMonth: null,
  paidValueCents: null,
  byHandCents: null,
  ...RELEASED,
} as const satisfies Partial<Payment>

/**
 * Opens a paid payment again after a refund that leaves too little money. If it is due after the end of its contract,
 * it becomes what the end would have made of it with the money that is left.
 */
const reopen = (
  { charge, payment, terms, contract }: ReopenFacts,
  chargeFields: Partial<Charge>,
  leftCents: number,
  fresh: Fresh,
) => {
  const { companyId, id: subjectId, dueDate } = payment
  const defaulted = { companyId, subjectId, type: 'payment.defaulted' as const, data: {} }
  const paidTerms = storedTerms(payment, terms)
  const { statedCents, changes } = stateReopening(payment, paidTerms, leftCents, fresh)
  const opened = {
    ...UNPAID,
    status: nextBusinessDay(dueDate) < fresh.today ? 'Defaulted' : 'Pending',
    receivedCents: leftCents > 0 ? leftCents : null,
    statedCents,
    // These terms apply to the money that receipt entries state.
    paidOwnerId: statedCents === null ? null : paidTerms.paidOwnerId,
    paidAdministrationPercentage: statedCents === null ? null : paidTerms.paidAdministrationPercentage,
  } as const
  const endedOn = contract && endedOnOf(contract)
  const ended =
    contract && endedOn !== null && dueDate > endedOn
      ? afterEnd({ ...payment, ...opened }, contract, terms, endedOn, fresh)
      : {}
  const set: Partial<Payment> = { ...opened, ...ended }
  return accept<Effect>(
    set.status === 'Cancelled' ? 'cancelled' : set.status === 'Paid' ? 'kept' : 'reopened',
    ...patchMoney({ charge, payment }, 0, { charge: chargeFields, payment: set }, fresh),
    ...changes,
    ...(set.status === 'Defaulted' ? [recordEvent(fresh, defaulted)] : []),
    // A concurrent end of the contract has not read this payment as an open one: one of the two decisions is repeated.
    ...(contract
      ? [patch(contracts, contract.id, { add: { rentWrites: 1 }, when: eq('status', contract.status) })]
      : []),
  )
}

/** Records the money of a charge whose payment stays paid. Statements show no more of it than what is left. */
const keepPaid = (
  { charge, payment, terms }: Pick<ReopenFacts, 'charge' | 'payment' | 'terms'>,
  {
    cents,
    chargeFields,
    leftCents,
  }: { readonly cents: number; readonly chargeFields: Partial<Charge>; readonly leftCents: number },
  fresh: Fresh,
) => {
  const { set, changes } = stateRefund(payment, storedTerms(payment, terms), leftCents, fresh)
  return accept<Effect>(
    'kept',
    ...patchMoney({ charge, payment }, cents, { charge: chargeFields, payment: set }, fresh),
    ...changes,
  )
}

/** Returns the terms under which a payment was paid; the current ones if release 0.10.0 marked it as paid. */
const storedTerms = (payment: Payment, terms: PaidFacts) =>
  payment.paidOwnerId === null ? paidTermsOf(payment, payment.paidAt ?? '', terms) : payment

/**
 * Returns the money of a paid payment that was recorded by hand; null if that is unknown, because an earlier release
 * marked it as paid and the notice does not name the bank payment that paid it.
 */
const byHandIn = (payment: Payment, paid: Balance['paid']): number | null =>
  payment.byHandCents ?? (isPaidBy(payment, paid) ? 0 : null)

/** Reports whether a payment is stored as paid by the bank payment that a notice of a balance names. */
const isPaidBy = ({ status, paidAt, method }: Payment, paid: Balance['paid']): boolean =>
  status === 'Paid' && paid !== null && paidAt === paid.paidAt && method === paid.method

/** Reads a charge, its payment, the payment's current charge if it is another one, the contract, and the terms. */
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

type Facts = Awaited<ReturnType<typeof readFacts>>

const cancelling = ({ steady }: Fresh) => ({ state: 'cancelling', dueAt: steady }) as const

/**
 * Cancels the payment's other charge, so that the payment is not paid twice. A charge that is still being issued is
 * cancelled when its issue ends (`decideIssue`).
 */
const closeOther = (other: Charge | null, fresh: Fresh): readonly Change[] =>
  other?.state === 'open' ? [patchCharge(other, cancelling(fresh), fresh)] : []
