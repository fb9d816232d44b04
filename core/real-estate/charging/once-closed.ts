import { failure } from '../../failure.ts'
import { isLeft, right } from '../../fp.ts'
import { type RunnerCode, type UseCase, useCaseOf } from '../../kernel/running/use-case.ts'
import { MAX_BANK_CALLS } from '../../limits.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { isOpen, type Payment } from '../records/payment.ts'
import { closeCharge } from './close.ts'
import { settleCharge } from './settle.ts'

type Charged = Pick<Payment, 'status' | 'chargeId'>
type AwayCode = RunnerCode | 'charging.unavailable'

/** A payment that its payer can pay by what they were charged. */
export const CHARGED = failure('conflict', 'payment.charged')

const chargesOf = (payments: readonly (Charged | null)[]): readonly string[] =>
  payments.flatMap((each) => (each && isOpen(each) && each.chargeId !== null ? [each.chargeId] : []))

const after =
  <V, C extends string, I extends string, D extends string>(
    first: UseCase<unknown, D, never>,
    then: UseCase<V, C, I>,
  ): UseCase<V, C | D, I> =>
  async (hooks) => {
    const outcome = await first()
    return isLeft(outcome) ? outcome : then(hooks)
  }

const closeAll = (ports: RealEstatePorts, ids: readonly string[]) =>
  useCaseOf<null>()(async () => {
    for (let begun = 0; begun < ids.length; begun += MAX_BANK_CALLS) {
      const some = ids.slice(begun, begun + MAX_BANK_CALLS)
      const closed = await Promise.all(some.map((id) => closeCharge(ports)(id)()))
      const refused = closed.find(isLeft)
      if (refused) return refused
    }
    return right(null)
  })

/**
 * What ends payments, once nobody can pay them by what they were charged; nothing is ended where one cannot be cancelled.
 * Fails: `charge.uncancelled`, `charging.unavailable`.
 */
export const onceClosed = <V, C extends string, I extends string>(
  ports: RealEstatePorts,
  ended: () => Promise<readonly (Charged | null)[]>,
  ending: UseCase<V, C, I>,
): UseCase<V, C | AwayCode | 'charge.uncancelled', I> =>
  after(async () => closeAll(ports, chargesOf(await ended()))(), ending)

/** What changes a payment, once a charge is off it that nobody can pay any more. Fails: `charging.unavailable`. */
export const onceSettled = <V, C extends string, I extends string>(
  ports: RealEstatePorts,
  changed: () => Promise<Charged | null>,
  change: UseCase<V, C, I>,
): UseCase<V, C | AwayCode, I> =>
  after(
    useCaseOf<null>()(async () => {
      const [id] = chargesOf([await changed()])
      const settled = id === undefined ? right(null) : await settleCharge(ports)(id)()
      return isLeft(settled) ? settled : right(null)
    }),
    change,
  )
