import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { extractDays } from './days/extract-days.ts'
import { listBalanceDays } from './days/list-balance-days.ts'
import { listStatementDays } from './days/list-statement-days.ts'
import { reportSales } from './days/report-sales.ts'
import { summarizePeriods } from './days/summarize-periods.ts'
import { listTransactions } from './list-transactions.ts'
import { extract } from './lists/extract.ts'
import { listSummed } from './lists/list-summed.ts'
import { readTransaction } from './lists/read-transaction.ts'
import { readBalance } from './read-balance.ts'
import { chartSales } from './summaries/chart-sales.ts'
import { readSettlement } from './summaries/read-settlement.ts'
import { readTotals } from './summaries/read-totals.ts'
import { sumByType } from './summaries/sum-by-type.ts'

/** What an account has, and what moved it. */
export const statements = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * What the account has at this instant, in cents.
     * Source: decisions.md §4.
     */
    readBalance: readBalance(ports),
    /**
     * A page of what moved the account's balance, the newest first, in cents, with its sums; days are those of São
     * Paulo.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports; decisions.md §11, Sums.
     */
    listTransactions: listTransactions(ports),
    /**
     * The same of the confirmed lines alone, or of another status.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (transactions-v2); decisions.md §11, Sums.
     */
    listSummed: listSummed(ports),
    /**
     * One of the account's lines.
     * Fails: `transaction.unknown`.
     * Source: 02-billing.md, Statements and reports.
     */
    readTransaction: readTransaction(ports),
    /**
     * A page of up to 10,000 lines of some days, today where none are named, the newest first, read while they are told; with
     * what the confirmed ones come to by type, and the balance at the end of the days, in cents.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports; decisions.md §4, §11.
     */
    extract: extract(ports),
    /**
     * The account with each of its last 30 days: the balance at its end, in cents, and its lines, read while they are told.
     * Fails: `account.unknown`.
     * Source: 02-billing.md, Statements and reports; decisions.md §4.
     */
    listBalanceDays: listBalanceDays(ports),
    /**
     * A page of the days on which something was posted, the oldest first, each with its opening and closing balance in cents
     * and all its lines, read while they are told.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (statement-detailed); decisions.md §11.
     */
    listStatementDays: listStatementDays(ports),
    /**
     * The lines of some days that match, day by day, read while they are told, with what the confirmed ones come to and the
     * balance at the end of each day, in cents.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (transactions/extract); decisions.md §11.
     */
    extractDays: extractDays(ports),
    /**
     * What came in and went out by day or by month, in cents, with the lines of each, read while they are told.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (balance-summary); decisions.md §11.
     */
    summarizePeriods: summarizePeriods(ports),
    /**
     * What came in and went out on each day, in cents, with the balance at its end; the last 30 days where none are named.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (sales-per-month); decisions.md §11, Sums.
     */
    reportSales: reportSales(ports),
    /**
     * What came in by Pix, boleto and bolepix in each of the last twelve months, in cents.
     * Source: 02-billing.md, Statements and reports (sales-per-month-group-month); decisions.md §11, Shapes.
     */
    chartSales: chartSales(ports),
    /**
     * What came in by Pix, boleto and bolepix and went out by Pix, in cents, in the last 30 days where none are named; and what
     * the account has now.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (transactions/totals); decisions.md §11, Sums.
     */
    readTotals: readTotals(ports),
    /**
     * The confirmed lines by type, in cents, of all days where none are named.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (grouped-by-method); decisions.md §11.
     */
    sumByType: sumByType(ports),
    /**
     * What was received by Pix and by transfer since a day, the last of the month before where none is named, in cents.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (get-settlement-statement); decisions.md §11, Sums.
     */
    readSettlement: readSettlement(ports),
  }),
} satisfies PaymentsModule
