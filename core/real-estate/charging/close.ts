import { refusal } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { leaseEnd } from '../../kernel/running/fresh.ts'
import { accept, decideAndCommit, finishOperation, useCaseOf } from '../../kernel/running/use-case.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { CHARGE_LEASE_SECONDS, orderIn } from './charge.ts'
import { chargingOf } from './charging-of.ts'
import { AWAY, type ChargeFacts, chargeSet, issueCharge, ofPayment, RELEASED, readChargeFacts } from './issue.ts'

/** What the answer to a cancellation makes of a charge: a refusal leaves it as it was. */
const decideCancelled = (facts: ChargeFacts, answer: BankAnswer<null>, fresh: Fresh) => {
  const { charge } = facts
  if (!charge) return accept(right(null))
  if (answer.outcome === 'unavailable' || answer.outcome === 'unknown') return accept(left(AWAY))
  const isFirst = charge.state === 'cancelling'
  if (answer.outcome === 'refused') {
    const { reason } = answer
    return accept(
      left(refusal('charge.uncancelled', reason)),
      ...(isFirst ? [chargeSet(charge, { state: 'open', reason }, fresh)] : []),
    )
  }
  const changes = [chargeSet(charge, { state: 'cancelled' }, fresh), ...ofPayment(facts, RELEASED, fresh)]
  return accept(right(null), ...(isFirst ? changes : []))
}

/**
 * Carries on the cancellation of a charge.
 * Fails: `charge.uncancelled` (refused: it can still be paid, or was), `charging.unavailable`.
 */
export const cancelCharge = (ports: RealEstatePorts) => (id: string) =>
  useCaseOf<null>()(async (hooks) => {
    const { charge } = await readChargeFacts(ports.store, id)
    if (charge?.state !== 'cancelling') return right(null)
    const answer = await chargingOf(ports).cancel(orderIn(ports.cipher, charge))
    return finishOperation(
      ports,
      (store) => readChargeFacts(store, id),
      (facts, fresh) => decideCancelled(facts, answer, fresh),
    )(hooks)
  })

/** That a charge is to be cancelled, if it can be paid. */
const beginCancellation = (ports: RealEstatePorts, id: string) =>
  decideAndCommit(
    ports,
    (store) => readChargeFacts(store, id),
    ({ charge }, fresh) => {
      if (charge?.state === 'issuing') return left(AWAY)
      if (charge?.state !== 'open') return accept(null)
      const dueAt = leaseEnd(fresh, CHARGE_LEASE_SECONDS)
      return accept(null, chargeSet(charge, { state: 'cancelling', dueAt, trace: fresh.trace ?? null }, fresh))
    },
  )

/**
 * Sees to it that nobody can pay a charge any more: one that is still being issued is issued first.
 * Fails: `charge.uncancelled` (refused: it can still be paid, or was), `charging.unavailable`.
 */
export const closeCharge = (ports: RealEstatePorts) => (id: string) =>
  useCaseOf<null>()(async () => {
    const { charge } = await readChargeFacts(ports.store, id)
    if (charge?.state === 'issuing') await issueCharge(ports)(id)()
    const begun = await beginCancellation(ports, id)
    return isLeft(begun) ? begun : cancelCharge(ports)(id)()
  })
