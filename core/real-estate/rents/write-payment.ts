import { conflict, failure, invalid, isLeft, issue, left, refusal, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, instant, money, optional } from '../../kernel/input/mod.ts'
import { all, always, type Change, check, eq, isIn, patch } from '../../kernel/records/record.ts'
import { acceptMade } from '../../kernel/resources/plain-use-cases.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import type { Store } from '../../ports/store.ts'
import { afterClosingCharges, afterSettlingCharge, CHARGED } from '../charging/close-charge.ts'
import type { CompanyActor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contract, contracts, copiedFields } from '../records/contract.ts'
import { notes } from '../records/fields.ts'
import {
  isOpen,
  OPEN_PAYMENTS,
  type Payment,
  payment,
  paymentMethod,
  paymentMoves,
  payments,
} from '../records/payment.ts'
import { type PaidFacts, paidByParts, paidFields, readPaidFacts } from '../terms/paid-terms.ts'
import { beginsIn } from '../terms/periods.ts'

const newPayment = payment.createInput
export type NewPayment = InputOf<typeof newPayment>

/** The receipt of a payment by hand. */
export const paymentReceipt = input('PaymentReceipt', {
  method: paymentMethod,
  paidAt: instant({ about: 'Quando foi pago' }),
  paidValueCents: money({
    wire: 'paidValue',
    minCents: 1,
    about: 'Quanto foi pago, sem o que chegou por cobranças (`receivedValue`), que se soma',
  }),
  receiptUrl: payment.spec.internal.receiptUrl,
  notes: optional(notes),
})

export type PaymentReceipt = InputOf<typeof paymentReceipt>

/** Guards that the payment is open, has no charge and is not removed. */
const uncharged = all(eq('removedAt', null), isIn('status', OPEN_PAYMENTS), eq('chargeId', null))

const removable = all(isIn('status', [...OPEN_PAYMENTS, 'Cancelled']), eq('chargeId', null), eq('receivedCents', null))

const CLOSED = failure('conflict', 'payment.closed')
const UNKNOWN = failure('not-found', 'payment.unknown')

type PaymentFields = DecodedOf<typeof newPayment>

const readFacts = async (store: Store, companyId: string, id: string | null, fields: PaymentFields) => ({
  facts: await payment.readFacts(store, companyId, id, fields),
  term: await contract.find(store, companyId, fields.contractId),
})

const unknownContract = () => invalid([issue('contractId', 'unknown')])

export const createPayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, submitted: NewPayment) =>
    withValidInput(ports, newPayment, submitted, (fields) =>
      useCase(
        ports,
        (store) => readFacts(store, companyId, null, fields),
        ({ facts, term }, fresh) => {
          if (!term) return left(unknownContract())
          const decision = payment.create(facts, companyId, fields, fresh, copiedFields(term))
          return acceptMade(decision, undefined, ...countRentWrite(fields, term))
        },
      ),
    )

/**
 * Returns the days that a rent bills after a replacement. A rent with another contract, type or month, or with a higher
 * value, counts for the whole month, as every rent by hand does: the rise may bill days that a run would bill again.
 */
const billedDaysAfter = ({ billedDays, ...before }: Payment, fields: PaymentFields): Payment['billedDays'] => {
  const isSame = (['contractId', 'type', 'period'] as const).every((field) => fields[field] === before[field])
  return isSame && fields.valueCents <= before.valueCents ? billedDays : null
}

export const replacePayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string, submitted: NewPayment) =>
    withValidInput(ports, newPayment, submitted, (fields) =>
      afterSettlingCharge(
        ports,
        () => payment.find(ports.store, companyId, id),
        useCase(
          ports,
          async (store) => {
            const read = await readFacts(store, companyId, id, fields)
            const { term } = read
            const paid = term && { companyId, contractId: term.id, propertyId: term.propertyId }
            return { ...read, paidFacts: paid && (await readPaidFacts(store, paid)) }
          },
          ({ facts, term, paidFacts }, fresh) => {
            const { record } = facts
            if (!record) return left(UNKNOWN)
            if (!term || !paidFacts) return left(unknownContract())
            if (!isOpen(record)) return left(CLOSED)
            if (record.chargeId !== null) return left(CHARGED)
            const derived = { ...copiedFields(term), billedDays: billedDaysAfter(record, fields) }
            // The money that has arrived may be all that is owed of a lower value.
            const paid = paidByParts({ ...record, ...fields, ...derived }, paidFacts, fresh)
            const decision = payment.update(facts, fields, fresh, { ...derived, ...paid })
            const unchanged = all(uncharged, eq('receivedCents', record.receivedCents))
            return acceptMade(
              decision,
              undefined,
              check(payments, record.id, unchanged),
              ...countRentWrite(fields, term),
            )
          },
        ),
      ),
    )

/**
 * Marks a payment as paid, unless it is paid, cancelled or has a charge. The money that charges have received is added.
 */
const decidePaid = (
  record: Payment | null,
  { paidAt, notes, paidValueCents: byHandCents, ...receipt }: DecodedOf<typeof paymentReceipt>,
  facts: PaidFacts | null,
  { now }: Fresh,
) => {
  if (!record || !facts) return left(UNKNOWN)
  if (!paymentMoves.can(record.status, 'Paid')) return left(CLOSED)
  if (record.chargeId !== null) return left(CHARGED)
  const paid = paidFields(record, paidAt, facts, byHandCents + (record.receivedCents ?? 0), byHandCents)
  const set = { ...receipt, ...(notes !== undefined && { notes }), ...paid, updatedAt: now }
  const when = all(uncharged, eq('receivedCents', record.receivedCents))
  return accept<Payment>({ ...record, ...set }, patch(payments, record.id, { set, when }))
}

/** The tolerated difference between the clocks of the caller and the server. */
const CLOCK_LEEWAY_SECONDS = 60

export const payPayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string, submitted: PaymentReceipt) =>
    withValidInput(ports, paymentReceipt, submitted, (receipt) =>
      useCaseOf<Payment>()(async (hooks) => {
        // An invalid receipt must not cancel the charge.
        if (receipt.paidAt > addSeconds(ports.clock.now(), CLOCK_LEEWAY_SECONDS))
          return left(invalid([issue('paidAt', 'future')]))
        return afterClosingCharges(
          ports,
          async () => [await payment.find(ports.store, companyId, id)],
          useCase(
            ports,
            async (store) => {
              const record = await payment.find(store, companyId, id)
              return { record, paidFacts: record && (await readPaidFacts(store, record)) }
            },
            ({ record, paidFacts }, fresh) => decidePaid(record, receipt, paidFacts, fresh),
          ),
        )(hooks)
      }),
    )

/** Refuses to remove a payment for which a part of the money has arrived, which would be lost. */
const refusePartPaid = (record: Payment | null) =>
  record && record.status !== 'Paid' && record.receivedCents !== null
    ? left(refusal('payment.part-paid', formatReais(record.receivedCents)))
    : right(null)

export const removePayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: CompanyActor, id: string) => {
    const find = () => payment.find(ports.store, companyId, id)
    const remove = useCase(
      ports,
      (store) => payment.readFacts(store, companyId, id, {}),
      (facts, fresh) => {
        const { record } = facts
        if (record?.status === 'Paid') return conflict('payment.paid')
        const decision = payment.remove(facts, fresh)
        if (isLeft(decision) || !record) return left(UNKNOWN)
        if (record.chargeId !== null) return left(CHARGED)
        const allowed = refusePartPaid(record)
        if (isLeft(allowed)) return allowed
        return accept(null, check(payments, record.id, removable), ...decision.right.changes)
      },
    )
    const closeAndRemove = afterClosingCharges(ports, async () => [await find()], remove)
    // A charge with a part of the money stays open, so that the rest can be paid.
    const removeUnlessPartPaid = useCaseOf<null>()(async (hooks) => {
      const allowed = refusePartPaid(await find())
      return isLeft(allowed) ? allowed : closeAndRemove(hooks)
    })
    return afterSettlingCharge(ports, find, removeUnlessPartPaid)
  }

/**
 * Counts a rent that is created or replaced, so that a concurrent rent run of its contract decides again. With a rent
 * of its first month, the automatic run no longer bills that month.
 */
const countRentWrite = ({ type, period }: Pick<Payment, 'type' | 'period'>, term: Contract): readonly Change[] => {
  if (type !== 'Rent') return []
  const set = beginsIn(term, period) ? { automaticFrom: null } : {}
  return [patch<Contract>(contracts, term.id, { add: { rentWrites: 1 }, set, when: always })]
}
