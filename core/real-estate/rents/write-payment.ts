import { failure, invalid, isLeft, issue, left, refusal, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, instant, money, optional } from '../../kernel/input/mod.ts'
import { all, always, type Change, check, eq, isIn, patch } from '../../kernel/records/record.ts'
import { acceptMade } from '../../kernel/resources/plain-use-cases.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import type { Store } from '../../ports/store.ts'
import { afterClosingCharges, afterSettlingCharge, CHARGED } from '../charging/close-charge.ts'
import { paidByParts } from '../charging/coverage.ts'
import { type PaidFacts, paidTermsOf, readPaidFacts } from '../paid-terms.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contract, contracts } from '../records/contract.ts'
import { notes } from '../records/fields.ts'
import {
  isOpen,
  OPEN_PAYMENTS,
  type Payment,
  paidAs,
  payment,
  paymentMethod,
  paymentMoves,
  payments,
  unstated,
} from '../records/payment.ts'

type In = Pick<Actor, 'companyId'>

const newPayment = payment.createInput
export type NewPayment = InputOf<typeof newPayment>

/** The payment as it was made. */
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

const readFacts = async (store: Store, companyId: string, id: string | null, sent: DecodedOf<typeof newPayment>) => {
  const of = await contract.find(store, companyId, sent.contractId)
  return {
    facts: await payment.readFacts(store, companyId, id, sent),
    of,
    terms: of && (await readPaidFacts(store, { companyId, contractId: of.id, propertyId: of.propertyId })),
  }
}

/** The contract's fields that a payment copies for lists. */
export const copiesOf = ({ propertyId, clientId, propertyCode, clientName }: Contract) => ({
  propertyId,
  clientId,
  propertyCode,
  clientName,
})

const unknownContract = () => invalid([issue('contractId', 'unknown')])

export const createPayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, given: NewPayment) =>
    withValidInput(ports, newPayment, given, (sent) =>
      useCase(
        ports,
        (store) => readFacts(store, companyId, null, sent),
        ({ facts, of }, fresh) => {
          if (!of) return left(unknownContract())
          const made = payment.create(facts, companyId, sent, fresh, copiesOf(of))
          return acceptMade(made, undefined, ...noteRent(sent))
        },
      ),
    )

/**
 * The days that a rent bills after a replacement. A rent that moves or rises is one by hand, which counts for the whole
 * month: a rise may bill days that a run would bill again.
 */
const daysAfter = ({ billedDays, ...before }: Payment, sent: DecodedOf<typeof newPayment>): Payment['billedDays'] => {
  const isSame = (['contractId', 'type', 'period'] as const).every((field) => sent[field] === before[field])
  return isSame && sent.valueCents <= before.valueCents ? billedDays : null
}

export const replacePayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, id: string, given: NewPayment) =>
    withValidInput(ports, newPayment, given, (sent) =>
      afterSettlingCharge(
        ports,
        () => payment.find(ports.store, companyId, id),
        useCase(
          ports,
          (store) => readFacts(store, companyId, id, sent),
          ({ facts, of, terms }, fresh) => {
            const { record } = facts
            if (!record) return left(UNKNOWN)
            if (!of || !terms) return left(unknownContract())
            if (!isOpen(record)) return left(CLOSED)
            if (record.chargeId !== null) return left(CHARGED)
            const copies = { ...copiesOf(of), billedDays: daysAfter(record, sent) }
            // The parts that have arrived may be all that is owed of a lower value.
            const paid = paidByParts({ ...record, ...sent, ...copies }, terms, null, fresh)
            const made = payment.update(facts, sent, fresh, { ...copies, ...paid })
            const unchanged = all(uncharged, eq('receivedCents', record.receivedCents))
            return acceptMade(made, undefined, check(payments, record.id, unchanged), ...noteRent(sent))
          },
        ),
      ),
    )

/** Marks a payment as paid, unless it is paid, cancelled or being charged. */
const decidePaid = (
  record: Payment | null,
  { paidAt, notes, ...receipt }: DecodedOf<typeof paymentReceipt>,
  terms: PaidFacts | null,
  { now }: Fresh,
) => {
  if (!record || !terms) return left(UNKNOWN)
  if (!paymentMoves.can(record.status, 'Paid')) return left(CLOSED)
  if (record.chargeId !== null) return left(CHARGED)
  // The part that charges have received is paid, too.
  const paidValueCents = unstated(record, receipt.paidValueCents + (record.receivedCents ?? 0))
  const byHandCents = receipt.paidValueCents
  const paid = { ...receipt, ...(notes !== undefined && { notes }), ...paidAs(paidAt), paidValueCents, byHandCents }
  const set = { ...paid, ...paidTermsOf(record, paidAt, terms), updatedAt: now }
  const when = all(uncharged, eq('receivedCents', record.receivedCents))
  return accept<Payment>({ ...record, ...set }, patch(payments, record.id, { set, when }))
}

/** The tolerated difference between the clocks of the caller and the server. */
const CLOCK_LEEWAY_SECONDS = 60

export const payPayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, id: string, given: PaymentReceipt) =>
    withValidInput(ports, paymentReceipt, given, (receipt) =>
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
              return { record, terms: record && (await readPaidFacts(store, record)) }
            },
            ({ record, terms }, fresh) => decidePaid(record, receipt, terms, fresh),
          ),
        )(hooks)
      }),
    )

/** Refuses to remove a payment of which charges have received a part, which would be lost. */
const withoutPart = (record: Payment | null) =>
  record && record.status !== 'Paid' && record.receivedCents !== null
    ? left(refusal('payment.part-paid', formatReais(record.receivedCents)))
    : right(null)

export const removePayment =
  (ports: RealEstatePorts) =>
  ({ companyId }: In, id: string) => {
    const find = () => payment.find(ports.store, companyId, id)
    const removing = useCase(
      ports,
      (store) => payment.readFacts(store, companyId, id, {}),
      (facts, fresh) => {
        const { record } = facts
        if (record?.status === 'Paid') return left(failure('conflict', 'payment.paid'))
        const made = payment.remove(facts, fresh)
        if (isLeft(made) || !record) return left(UNKNOWN)
        if (record.chargeId !== null) return left(CHARGED)
        const allowed = withoutPart(record)
        if (isLeft(allowed)) return allowed
        return accept(null, check(payments, record.id, removable), ...made.right.changes)
      },
    )
    const closing = afterClosingCharges(ports, async () => [await find()], removing)
    // A charge with a part of the money stays open, so that the rest can be paid.
    const checked = useCaseOf<null>()(async (hooks) => {
      const allowed = withoutPart(await find())
      return isLeft(allowed) ? allowed : closing(hooks)
    })
    return afterSettlingCharge(ports, find, checked)
  }

/** Counts a rent of the contract, so that a concurrent rent run decides again. */
const noteRent = ({ contractId, type }: Pick<Payment, 'contractId' | 'type'>): readonly Change[] =>
  type === 'Rent' ? [patch<Contract>(contracts, contractId, { add: { rentWrites: 1 }, when: always })] : []
