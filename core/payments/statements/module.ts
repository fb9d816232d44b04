import { cardTransactions as collection } from '../cards/card-transaction.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { listCardEntries, readCardBalance, withdrawCard } from './card-balance.ts'
import { listCardTransactions, storeEarlierSales, sumCardTransactions } from './card-sales.ts'
import { extract, extractDays, listBalanceDays, listStatementDays } from './day-statements.ts'
import { listSummed, listTransactions, readBalance, readTransaction } from './entries.ts'
import { listConfirmed, listPeriod, reportByDay, reportByMethod, reportByType } from './extracts.ts'
import { countBoletos, readStatistics } from './statistics.ts'
import { chartSales, readSettlement, readTotals, reportSales, sumByType, summarizePeriods } from './summaries.ts'

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

/** What an account sold by card: it stays beside the balance until it is withdrawn. */
export const cardSales = {
  collections: [collection],
  migrations: () => [storeEarlierSales],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * A page of the sales by card, the newest first, in cents; from the oldest, those count as withdrawn whose nets all that was
     * withdrawn covers.
     * Fails: `fields`.
     * Source: 02-billing.md, Card transaction; decisions.md §4 and §11.
     */
    list: listCardTransactions(ports),
    /**
     * What the sales by card of some days came to, in cents, and what of them was withdrawn.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (card-transactions/summary); decisions.md §4.
     */
    summarize: sumCardTransactions(ports),
    /**
     * A page of settlements and withdrawals of cards, the newest first, each with the card balance after it, in cents.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (GET /transactions/card).
     */
    listEntries: listCardEntries(ports),
    /**
     * What settlements and withdrawals of cards come to on some days, in cents; of all days, what can be withdrawn.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (GET /transactions/card/balance).
     */
    readBalance: readCardBalance(ports),
    /**
     * Moves cents from the card balance to the balance that can be spent, in one movement, without a PIN or a fee; the account's
     * organization must be ACTIVE.
     * Fails: `fields`, `account.unknown`, `organization.inactive`, `card-balance.insufficient`.
     * Source: 02-billing.md, Statements and reports (POST /transactions/card/withdraw); decisions.md §4 and §11, Fees.
     */
    withdraw: withdrawCard(ports),
  }),
} satisfies PaymentsModule

/** Single figures of an account, for dashboards. */
export const statistics = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * The figures that are asked for over some days (the last thirty where none are named): what was issued in them, came in and
     * went out, and what is pending and due in them; sums in cents, without a sign.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (POST /consolidation/statistic/cards); decisions.md §11, Sums.
     */
    read: readStatistics(ports),
    /**
     * How many boletos were issued in each day, month or year, by what has become of them; deleted ones are counted too.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (GET /consolidation/statistic/boletos).
     */
    countBoletos: countBoletos(ports),
  }),
} satisfies PaymentsModule
