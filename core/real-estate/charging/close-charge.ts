import { failure, isLeft, left, refusal, right } from '../../failure.ts'
import type { Change } from '../../kernel/records/record.ts'
import {
  accept,
  decideAndCommit,
  type Fresh,
  finishOperation,
  leaseEnd,
  type RunnerCode,
  type UseCase,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { MAX_BANK_CALLS } from '../../limits.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { EndedCharge } from '../../ports/charging.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { isOpen, type Payment } from '../records/payment.ts'
import {
  CHARGE_LEASE_SECONDS,
  type Charge,
  type ChargeFacts,
  chargingOf,
  issueCharge,
  orderIn,
  patchCharge,
  patchMoney,
  RELEASED,
  readChargeFacts,
  UNAVAILABLE,
} from './charge.ts'

type ChargedPayment = Pick<Payment, 'status' | 'chargeId'>
type IssuerCode = RunnerCode | 'charging.unavailable'

/** The payment has a charge that can be paid. */
export const CHARGED = failure('conflict', 'payment.charged')

/**
 * Runs a use case that ends payments, after it has cancelled their charges. If a cancellation fails, no payment ends.
 * Fails: `charge.uncancelled`, `charging.unavailable`.
 */
export const afterClosingCharges = <V, C extends string, I extends string>(
  ports: RealEstatePorts,
  findPayments: () => Promise<readonly (ChargedPayment | null)[]>,
  endPayments: UseCase<V, C, I>,
): UseCase<V, C | IssuerCode | 'charge.uncancelled', I> =>
  after(async () => closeCharges(ports, openChargesOf(await findPayments()))(), endPayments)

/**
 * Runs a use case that changes a payment, after it has settled the payment's charge (`settleCharge`).
 * Fails: `charging.unavailable`.
 */
export const afterSettlingCharge = <V, C extends string, I extends string>(
  ports: RealEstatePorts,
  findPayment: () => Promise<ChargedPayment | null>,
  change: UseCase<V, C, I>,
): UseCase<V, C | IssuerCode, I> =>
  after(
    useCaseOf<null>()(async () => {
      const [id] = openChargesOf([await findPayment()])
      return id === undefined ? right(null) : settleCharge(ports)(id)()
    }),
    change,
  )

/** Runs a use case after a step; a failure of the step is its failure. */
export const after =
  <V, C extends string, I extends string, D extends string>(
    first: UseCase<unknown, D, never>,
    then: UseCase<V, C, I>,
  ): UseCase<V, C | D, I> =>
  async (hooks) => {
    const outcome = await first()
    return isLeft(outcome) ? outcome : then(hooks)
  }

const openChargesOf = (payments: readonly (ChargedPayment | null)[]): readonly string[] =>
  payments.flatMap((each) => (each && isOpen(each) && each.chargeId !== null ? [each.chargeId] : []))

const closeCharges = (ports: RealEstatePorts, ids: readonly string[]) =>
  useCaseOf<null>()(async () => {
    for (let done = 0; done < ids.length; done += MAX_BANK_CALLS) {
      const slice = ids.slice(done, done + MAX_BANK_CALLS)
      const closed = await Promise.all(slice.map((id) => closeCharge(ports)(id)()))
      const refused = closed.find(isLeft)
      if (refused) return refused
    }
    return right(null)
  })

/**
 * Cancels a charge, so that it cannot be paid; a charge that is being issued is issued first.
 * Fails: `charge.uncancelled` (refused: it can still be paid, or is paid), `charging.unavailable`.
 */
const closeCharge = (ports: RealEstatePorts) => (id: string) =>
  useCaseOf<null>()(async () => {
    const { charge } = await readChargeFacts(ports.store, id)
    if (charge?.state === 'issuing') await issueCharge(ports)(id)()
    const begun = await beginCancellation(ports, id)
    return isLeft(begun) ? begun : resumeCancellation(ports)(id)()
  })

const beginCancellation = (ports: RealEstatePorts, id: string) =>
  decideAndCommit(
    ports,
    (store) => readChargeFacts(store, id),
    ({ charge }, fresh) => {
      if (charge?.state === 'issuing') return left(UNAVAILABLE)
      if (charge?.state !== 'open') return accept(null)
      const dueAt = leaseEnd(fresh, CHARGE_LEASE_SECONDS)
      return accept(null, patchCharge(charge, { state: 'cancelling', dueAt, trace: fresh.trace ?? null }, fresh))
    },
  )

/**
 * Resumes the cancellation of a charge.
 * Fails: `charge.uncancelled` (refused: it can still be paid, or is paid), `charging.unavailable`.
 */
export const resumeCancellation = (ports: RealEstatePorts) => (id: string) =>
  useCaseOf<null>()(async (hooks) => {
    const { charge } = await readChargeFacts(ports.store, id)
    if (charge?.state !== 'cancelling') return right(null)
    const answer = await chargingOf(ports).cancel(orderIn(ports.cipher, charge))
    return finishOperation(
      ports,
      (store) => readChargeFacts(store, id),
      (facts, fresh) => decideCancellation(facts, answer, fresh),
    )(hooks)
  })

/** Applies the issuer's answer to a cancellation. After a refusal the charge is open again. */
const decideCancellation = (facts: ChargeFacts, answer: BankAnswer<EndedCharge>, fresh: Fresh) => {
  const { charge } = facts
  if (!charge) return accept(right(null))
  if (answer.outcome === 'unavailable' || answer.outcome === 'unknown') return accept(left(UNAVAILABLE))
  const isFirst = charge.state === 'cancelling'
  if (answer.outcome === 'refused') {
    const { reason } = answer
    return accept(
      left(refusal('charge.uncancelled', reason)),
      ...(isFirst ? [patchCharge(charge, { state: 'open', reason }, fresh)] : []),
    )
  }
  const changes = closeAs('cancelled', { ...facts, charge }, answer.value, fresh)
  return accept(right(null), ...(isFirst ? changes : []))
}

/**
 * Completes a pending cancellation of a charge, and stores the issuer's state of an open one: a part that it has
 * received, or its end, which releases it from its payment. Fails: `charging.unavailable`.
 */
const settleCharge = (ports: RealEstatePorts) => (id: string) =>
  useCaseOf<null>()(async () => {
    // The next read of the charge shows the result.
    await resumeCancellation(ports)(id)()
    const { charge } = await readChargeFacts(ports.store, id)
    if (charge?.state === 'cancelling') return left(UNAVAILABLE)
    if (charge?.state !== 'open') return right(null)
    const answer = await chargingOf(ports).find(orderIn(ports.cipher, charge))
    if (answer.outcome !== 'done') return left(UNAVAILABLE)
    const { status, receivedCents } = answer.value ?? { status: 'Ended', receivedCents: charge.receivedCents ?? 0 }
    // The notice of the payment stores it.
    if (status === 'Paid') return right(null)
    return decideAndCommit(
      ports,
      (store) => readChargeFacts(store, id),
      ({ charge, payment }, fresh) => {
        if (charge?.state !== 'open') return accept(null)
        const facts = { charge, payment }
        if (status === 'Ended') return accept(null, ...closeAs('ended', facts, { receivedCents }, fresh))
        const isKnown = receivedCents === (charge.receivedCents ?? 0)
        return accept(null, ...(isKnown ? [] : patchMoney(facts, receivedCents, {}, fresh)))
      },
    )
  })

/** Closes a charge and releases it from its payment; both keep the received amount. */
const closeAs = (
  state: 'cancelled' | 'ended',
  facts: ChargeFacts & { readonly charge: Charge },
  { receivedCents }: EndedCharge,
  fresh: Fresh,
): readonly Change[] => {
  const payment = facts.payment?.chargeId === facts.charge.id ? RELEASED : {}
  return patchMoney(facts, receivedCents, { charge: { state, dueAt: null }, payment }, fresh)
}
