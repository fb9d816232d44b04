import { issueCharge } from '../charging/charge.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { chargePayment } from './charge-payment.ts'
import { quotePayment } from './quote.ts'
import { listPayments, readPayment } from './read-payment.ts'
import { reportDefaulted, reportRevenue } from './reports.ts'
import { rentJobs, runRent } from './run-rent.ts'
import { createPayment, payPayment, removePayment, replacePayment } from './write-payment.ts'

/** What is owed under contracts, and what was paid of it. */
export const payments = {
  jobs: rentJobs,
  useCases: (ports: RealEstatePorts) => ({
    /**
     * A page of the company's payments, the newest first; owners and tenants see their own. A search looks through property
     * code and client name.
     * Fails: `fields`.
     */
    list: listPayments(ports),
    /**
     * One of the company's payments, by its id; of owners and tenants their own.
     * Fails: `payment.unknown`.
     */
    read: readPayment(ports),
    /**
     * Makes a payment, pending; values are cents.
     * Fails: `fields` (`unknown` contract).
     */
    create: createPayment(ports),
    /**
     * Replaces what is told of a payment that is not paid or cancelled.
     * Fails: `fields` (`unknown` contract), `payment.unknown`, `payment.closed`, `payment.charged` (its payer can pay what they
     * were charged), `charging.unavailable`.
     */
    replace: replacePayment(ports),
    /**
     * Records that a payment was paid, in whole or in part; cents. An open charge of it is cancelled first.
     * Fails: `fields` (`future` for a `paidAt` more than a minute ahead), `payment.unknown`, `payment.closed` (paid already, or cancelled), `charge.uncancelled` (refused, nothing
     * changed), `charging.unavailable`, `payment.charged` (meanwhile).
     */
    pay: payPayment(ports),
    /**
     * Removes a payment that was not paid; what its payer was charged is cancelled first.
     * Fails: `payment.unknown`, `payment.paid`, `charge.uncancelled` (refused, nothing changed), `charging.unavailable`,
     * `payment.charged` (meanwhile).
     */
    remove: removePayment(ports),
    /**
     * What is overdue: marked as defaulted, or pending past its due date; values are cents.
     * Fails: `fields`.
     */
    reportDefaulted: reportDefaulted(ports),
    /**
     * What was paid, by the São Paulo month in which it was; cents. Twelve months up to the current one unless asked.
     * Fails: `fields` (`not-before`, `period.long`).
     */
    reportRevenue: reportRevenue(ports),
    /**
     * What would be owed of a payment if it were paid on a day, today unless told: with fine and interest once it is late, less
     * the discount until it is due; cents.
     * Fails: `fields`, `payment.unknown`, `payment.closed` (paid already, or cancelled).
     */
    quote: quotePayment(ports),
    /**
     * Charges a payment's client by Pix or boleto, on the agency's payment account. An open charge is returned, whatever its
     * method; one that asks less than a late payment owes today is cancelled first. Cents.
     * Fails: `fields`, `payment.unknown`, `payment.closed` (paid already, or cancelled), `payment.no-account`,
     * `payment.no-tax-id` (its client has none), `payment.nothing-due` (the discount is all of it), `charge.refused`,
     * `charge.ended` (meanwhile), `charge.uncancelled` (the bank refuses to cancel the former charge), `charging.unavailable`
     * (it is being issued, and goes on).
     */
    charge: chargePayment(ports),
    /**
     * Carries on a charge that was begun, by its id, or finds the one that was issued.
     * Fails: `charge.ended` (there is none, or nobody can pay it any more), `charge.refused`, `charging.unavailable`,
     * `payment.closed` (meanwhile).
     */
    resumeCharge: issueCharge(ports),
    /**
     * Makes the rent of a month for each lease that was let in it and has none, ended ones for the days that they were let;
     * a rent that is overdue already is Defaulted. The other leases are skipped with a reason. With `dryRun` nothing is made.
     * A second run of the month makes nothing more. Values are cents.
     * Fails: `fields`.
     */
    runRent: runRent(ports),
  }),
} satisfies RealEstateModule
