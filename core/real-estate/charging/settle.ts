import { left, right } from '../../fp.ts'
import { accept, decideAndCommit, useCaseOf } from '../../kernel/running/use-case.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { orderIn } from './charge.ts'
import { chargingOf } from './charging-of.ts'
import { cancelCharge } from './close.ts'
import { AWAY, chargeSet, ofPayment, RELEASED, readChargeFacts } from './issue.ts'

/**
 * Whether a charge can be paid, or was: one that cannot be any more is its payment's no longer, and one that is being cancelled is.
 * Fails: `charging.unavailable`.
 */
export const settleCharge = (ports: RealEstatePorts) => (id: string) =>
  useCaseOf<boolean>()(async () => {
    // Whatever comes of it, the charge says so.
    await cancelCharge(ports)(id)()
    const { charge } = await readChargeFacts(ports.store, id)
    if (charge?.state === 'cancelling') return left(AWAY)
    if (charge?.state !== 'open') return right(charge?.state === 'issuing')
    const answer = await chargingOf(ports).find(orderIn(ports.cipher, charge))
    if (answer.outcome !== 'done') return left(AWAY)
    if (answer.value && answer.value.status !== 'Ended') return right(true)
    return decideAndCommit(
      ports,
      (store) => readChargeFacts(store, id),
      (facts, fresh) => {
        const changes =
          facts.charge?.state === 'open'
            ? [chargeSet(facts.charge, { state: 'ended' }, fresh), ...ofPayment(facts, RELEASED, fresh)]
            : []
        return accept(false, ...changes)
      },
    )
  })
