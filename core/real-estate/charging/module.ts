import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { charges } from './charge.ts'
import { chargeQueue } from './charge-queue.ts'
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
     * Source: issue 15.
     */
    setAccount: setPaymentAccount(ports),
    /**
     * The account that the company's payers pay into.
     * Fails: `payment-account.unknown` (none was said).
     * Source: issue 15.
     */
    readAccount: readPaymentAccount(ports),
    /**
     * Takes the notice that a charge was paid: its payment is paid by it, once, with what came; cents. The same notice again
     * changes nothing. `isTaken` is false where the money came for what was owed no more.
     * Fails: `fields`, `charge.unknown`.
     * Source: issue 15.
     */
    paid: takePayment(ports),
  }),
} satisfies RealEstateModule
