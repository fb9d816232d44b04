import { isLeft } from '../../failure.ts'
import { applyOutcome, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { orThrow } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { CHARGE_LEASE_SECONDS, charges, issueCharge } from './charge.ts'
import { cancelCharge } from './close-charge.ts'
import { paymentAccounts, readPaymentAccount, setPaymentAccount } from './payment-account.ts'
import { recordBalance, takePayment } from './take-payment.ts'

/** The payment account of a company, and the notices of money that its charges receive or return. */
export const charging = {
  collections: [charges, paymentAccounts],
  queues: (ports: RealEstatePorts) => [chargeQueue(ports)],
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Sets the account that receives the company's payments. Earlier charges still pay into the former one.
     * Fails: `fields` (`unknown` key), `charging.unavailable`.
     */
    setAccount: setPaymentAccount(ports),
    /**
     * Returns the account that receives the company's payments.
     * Fails: `payment-account.unknown` (none is set).
     */
    readAccount: readPaymentAccount(ports),
    /**
     * Takes the notice that a charge was paid, in cents, and marks its payment as paid, once. A duplicate notice
     * changes nothing. `isTaken` is false if the payment was not open.
     * Fails: `fields`, `charge.unknown`.
     */
    paid: takePayment(ports),
    /**
     * Records the money of a charge, in cents, after a partial payment, a refund, or a payment of a closed charge. The
     * charge's payment is marked as paid once the parts of its charges are all that is owed. After the full refund of
     * one of them it is opened again, or cancelled if it is due after the end of its contract, unless the rest of the
     * money pays it. A duplicate changes nothing. Fails: `fields`, `charge.unknown`.
     */
    changed: recordBalance(ports),
  }),
} satisfies RealEstateModule

const AT_ONCE = 16
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 600
const MOST_DOUBLINGS = 10

/** The failures after which no outcome is stored, so that the queue repeats the work. */
const UNSTORED: readonly string[] = ['store.busy', 'store.unavailable']

const waitSeconds = (attempts: number): number =>
  Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(attempts, MOST_DOUBLINGS))

const chargeQueue = (ports: RealEstatePorts): Queue =>
  queueOf({
    collection: charges,
    owner: 'companyId',
    leaseSeconds: CHARGE_LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (charge) => {
      const { id, state, attempts } = charge
      const outcome = state === 'cancelling' ? await cancelCharge(ports)(id)() : await issueCharge(ports)(id)()
      if (!isLeft(outcome)) return
      if (UNSTORED.includes(outcome.left.code)) orThrow(outcome)
      const isAway = outcome.left.code === 'charging.unavailable'
      const dueAt = isAway ? addSeconds(ports.clock.steady(), waitSeconds(attempts)) : null
      await applyOutcome(ports.store, charges, charge, { dueAt })
    },
  })
