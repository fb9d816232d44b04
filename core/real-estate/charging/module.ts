import { isLeft } from '../../fp.ts'
import { applyOutcome, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { orThrow } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { CHARGE_LEASE_SECONDS, charges, issueCharge } from './charge.ts'
import { cancelCharge } from './close-charge.ts'
import { paymentAccounts, readPaymentAccount, setPaymentAccount } from './payment-account.ts'
import { takePayment } from './take-payment.ts'

/** Whom a company's payers pay, and what came of it. */
export const charging = {
  collections: [charges, paymentAccounts],
  queues: (ports: RealEstatePorts) => [chargeQueue(ports)],
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Says which account the company's payers pay into from now on; what they were charged before goes into the former one.
     * Fails: `fields` (`unknown` key), `charging.unavailable`.
     */
    setAccount: setPaymentAccount(ports),
    /**
     * The account that the company's payers pay into.
     * Fails: `payment-account.unknown` (none was said).
     */
    readAccount: readPaymentAccount(ports),
    /**
     * Takes the notice that a charge was paid: its payment is paid by it, once, with what came; cents. The same notice again
     * changes nothing. `isTaken` is false where the money came for what was owed no more.
     * Fails: `fields`, `charge.unknown`.
     */
    paid: takePayment(ports),
  }),
} satisfies RealEstateModule

const AT_ONCE = 16
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 600
const MOST_DOUBLINGS = 10

/** With these nothing was recorded; any other failure is an outcome. */
const UNRECORDED: readonly string[] = ['store.busy', 'store.unavailable']

const waitSeconds = (attempts: number): number =>
  Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(attempts, MOST_DOUBLINGS))

/** Charges that were begun, or are to be cancelled, and nobody has heard of since. */
export const chargeQueue = (ports: RealEstatePorts): Queue =>
  queueOf({
    collection: charges,
    owner: 'companyId',
    leaseSeconds: CHARGE_LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (claimed) => {
      const { id, state, attempts } = claimed
      const outcome = state === 'cancelling' ? await cancelCharge(ports)(id)() : await issueCharge(ports)(id)()
      if (!isLeft(outcome)) return
      if (UNRECORDED.includes(outcome.left.code)) orThrow(outcome)
      const isAway = outcome.left.code === 'charging.unavailable'
      const dueAt = isAway ? addSeconds(ports.clock.steady(), waitSeconds(attempts)) : null
      await applyOutcome(ports.store, charges, claimed, { dueAt })
    },
  })
