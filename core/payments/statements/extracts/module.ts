import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { listConfirmed, listPeriod } from './list-period.ts'
import { readTransaction } from './read-transaction.ts'
import { reportByDay, reportByMethod, reportByType } from './report-period.ts'

/** An account’s statement by periods: entries with their running balances, and what the days of a period came to. */
export const extracts = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * A page of a period's entries (the last thirty days where none are named), the newest first, in cents; beside it what the
     * period's days came to, whatever else the page is narrowed by: balances at its ends and now, what came in and went out.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (v2); decisions.md §11, Sums.
     */
    list: listPeriod(ports),
    /**
     * A page of all confirmed entries, the newest first, in cents.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (v2/extract).
     */
    listConfirmed: listConfirmed(ports),
    /**
     * One of the account's entries, by its id.
     * Fails: `transaction.unknown`, for another account's too.
     * Source: 02-billing.md, Statements and reports (v2/transactions/{id}).
     */
    read: readTransaction(ports),
    /**
     * What moved on each day by each type, signed, in cents: what is confirmed, where no status is named.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (v2/extract/report/transactions); decisions.md §11, Sums.
     */
    byDay: reportByDay(ports),
    /**
     * What is confirmed in a period by each type, signed, in cents.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (v2/extract/report/summary); decisions.md §11, Sums.
     */
    byType: reportByType(ports),
    /**
     * What came in for charges in a period by each payment method, in cents, the most used first.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (v2/extract/report/payment-methods); decisions.md §4 and §11.
     */
    byMethod: reportByMethod(ports),
  }),
} satisfies PaymentsModule
