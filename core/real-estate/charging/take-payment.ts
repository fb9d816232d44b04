import { failure, isLeft, left } from '../../failure.ts'
import { type DecodedOf, guid, input, instant, money, oneOf } from '../../kernel/input/mod.ts'
import { all, type Change, eq, isIn, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { ChargeNotice } from '../../ports/charging.ts'
import { byId, type Store } from '../../ports/store.ts'
import { paidTermsOf, readPaidFacts } from '../paid-terms.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { isOpen, OPEN_PAYMENTS, paidAs, payments } from '../records/payment.ts'
import { type Charge, charges, patchCharge, readChargeFacts } from './charge.ts'

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
  const { valueCents: paidValueCents, paidAt, method } = notice
  const chargeChanges = charge.state === 'paid' ? [] : [patchCharge(charge, { state: 'paid' }, fresh)]
  if (!payment || !terms || payment.removedAt !== null || !isOpen(payment) || chargeChanges.length === 0)
    return accept({ isTaken: charge.state === 'paid' }, ...chargeChanges)
  const paidTerms = paidTermsOf(payment, paidAt, terms)
  const set = { ...paidAs(paidAt), ...paidTerms, method, paidValueCents, chargeId: null, updatedAt: fresh.now }
  const when = all(eq('removedAt', null), isIn('status', OPEN_PAYMENTS), eq('chargeId', payment.chargeId))
  return accept(
    { isTaken: true },
    ...chargeChanges,
    patch(payments, payment.id, { set, when }),
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
      if (isLate) ports.log.warn('money came for a payment that is owed no more', { charge: notice.reference })
      return outcome
    }),
  )
