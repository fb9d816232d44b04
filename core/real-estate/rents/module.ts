import { issueCharge } from '../charging/charge.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { chargePayment } from './charge-payment.ts'
import { quotePayment } from './quote-payment.ts'
import { listPayments, readPayment } from './read-payment.ts'
import { reportDefaulted, reportRevenue } from './reports.ts'
import { rentJobs, runRent } from './run-rent.ts'
import { createPayment, payPayment, removePayment, replacePayment } from './write-payment.ts'

/** The payments of contracts: rents and other amounts owed. */
export const payments = {
  jobs: rentJobs,
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns a page of the company's payments, newest first; owners and tenants see their own. The search covers
     * property code and client name.
     * Fails: `fields`.
     */
    list: listPayments(ports),
    /**
     * Returns a payment of the company; owners and tenants see their own.
     * Fails: `payment.unknown`.
     */
    read: readPayment(ports),
    /**
     * Creates a pending payment; values are cents.
     * Fails: `fields` (`unknown` contract).
     */
    create: createPayment(ports),
    /**
     * Replaces the fields of a payment that is neither paid nor cancelled. The payment is marked as paid if charges
     * have already received all that it then owes. Fails: `fields` (`unknown` contract), `payment.unknown`,
     * `payment.closed`, `payment.charged` (by an open charge), `charging.unavailable`.
     */
    replace: replacePayment(ports),
    /**
     * Marks a payment as paid, whatever the value; cents. An open charge is cancelled first; the money that charges
     * have received is added. Fails: `fields` (`future` for a `paidAt` more than a minute ahead), `payment.unknown`,
     * `payment.closed` (paid or cancelled), `charge.uncancelled` (refused, nothing changed), `charging.unavailable`,
     * `payment.charged` (meanwhile).
     */
    pay: payPayment(ports),
    /**
     * Removes a payment that is not paid; an open charge is cancelled first. Fails: `payment.unknown`, `payment.paid`,
     * `payment.part-paid` (by a charge), `charge.uncancelled` (refused, nothing changed), `charging.unavailable`,
     * `payment.charged` (meanwhile).
     */
    remove: removePayment(ports),
    /**
     * Returns the overdue payments: marked as defaulted, or pending past their due date. Values are cents.
     * Fails: `fields`.
     */
    reportDefaulted: reportDefaulted(ports),
    /**
     * Returns the revenue by São Paulo month of payment; cents. The default is the twelve months up to the current one.
     * Fails: `fields` (`not-before`, `period.long`).
     */
    reportRevenue: reportRevenue(ports),
    /**
     * Returns the amount owed if a payment is paid on a day, by default today: with fine and interest if late, less the
     * discount if in time; cents.
     * Fails: `fields`, `payment.unknown`, `payment.closed` (paid or cancelled).
     */
    quote: quotePayment(ports),
    /**
     * Charges a payment's client by Pix or boleto, on the agency's payment account; cents. Returns the open charge, if
     * any, also if it has another method. First cancels an open charge that asks another amount than is owed today,
     * since the payment is late or a former charge has received a part. A new charge is for the amount that charges
     * have not received; if there is none, the payment is marked as paid. Fails: `fields`, `payment.unknown`,
     * `payment.closed` (paid, just now too, or cancelled), `payment.no-account`, `payment.no-tax-id` (of its client),
     * `payment.nothing-due` (the discount is all of it), `charge.refused`, `charge.ended` (meanwhile),
     * `charge.uncancelled` (the former charge cannot be cancelled), `charging.unavailable` (the issue continues in the
     * background).
     */
    charge: chargePayment(ports),
    /**
     * Resumes the issue of a charge by its id, or finds the issued one.
     * Fails: `charge.ended` (no such charge, or it cannot be paid any more), `charge.refused`, `charging.unavailable`,
     * `payment.closed` (meanwhile).
     */
    resumeCharge: issueCharge(ports),
    /**
     * Creates the rent of a month for each lease that was let in it, for the days that no rent of the lease has billed;
     * an ended lease owes the days that it was let. A second rent of a month, after a renewal for example, names its
     * days in `notes`. A rent that is already overdue is Defaulted. Other leases are skipped with a reason. With
     * `dryRun` nothing is stored, and a second run of the month bills no day again. A lease whose rents bill days that
     * it was not let is skipped, and so is one with a cancelled rent of the month that has money. Values are cents.
     * Fails: `fields`.
     */
    runRent: runRent(ports),
  }),
} satisfies RealEstateModule
