import { cardTransactions as collection } from '../charges/card.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import {
  listCardEntries,
  listCardTransactions,
  readCardBalance,
  sumCardTransactions,
  withdrawCard,
} from './card-sales.ts'
import { extract, extractDays, listBalanceDays, listStatementDays } from './day-statements.ts'
import { listSummed, listTransactions, readBalance, readBalances, readTransaction } from './entries.ts'
import { listConfirmed, listPeriod, reportByDay, reportByMethod, reportByType } from './extracts.ts'
import { countBoletos, readStatistics } from './statistics.ts'
import { chartSales, readSettlement, readTotals, reportSales, sumByType, summarizePeriods } from './summaries.ts'

/** The account's balance and its entries. */
export const statements = {
  useCases: (ports: PaymentsPorts) => ({
    /** Reads the account's current balance, in cents. */
    readBalance: readBalance(ports),
    /** Reads the account's balance, its available and its reserved part, and the card balance, in cents. */
    readBalances: readBalances(ports),
    /**
     * Lists the account's entries, the newest first, with their sums in cents. Days are those of São Paulo.
     * Fails: `fields`.
     */
    listTransactions: listTransactions(ports),
    /** Lists the entries of a status, by default the confirmed ones, with their sums by type. Fails: `fields`. */
    listSummed: listSummed(ports),
    /**
     * Reads an entry of the account, by its id.
     * Fails: `transaction.unknown` (also for an entry of another account).
     */
    readTransaction: readTransaction(ports),
    /**
     * Lists up to 10,000 entries a page of a range of days, by default today, the newest first, streamed; with the
     * confirmed sums by type and the balance at the end of the range, in cents.
     * Fails: `fields`.
     */
    extract: extract(ports),
    /**
     * Reads the account with each of its last 30 days: its closing balance, in cents, and its entries, streamed.
     * Fails: `account.unknown`.
     */
    listBalanceDays: listBalanceDays(ports),
    /**
     * Lists the days with entries, the oldest first, each with its opening and closing balance in cents and all its
     * entries, streamed.
     * Fails: `fields`.
     */
    listStatementDays: listStatementDays(ports),
    /**
     * Reads the matching entries of a range of days, day by day, streamed, with the confirmed sum and the closing
     * balance of each day, in cents.
     * Fails: `fields`.
     */
    extractDays: extractDays(ports),
    /** Sums income and expenses by day or month, in cents, with the entries of each, streamed. Fails: `fields`. */
    summarizePeriods: summarizePeriods(ports),
    /**
     * Reports income, expenses and closing balance of each day, in cents; by default of the last 30 days.
     * Fails: `fields`.
     */
    reportSales: reportSales(ports),
    /** Sums the income by Pix, boleto and bolepix in each of the last twelve months, in cents. */
    chartSales: chartSales(ports),
    /**
     * Sums the income by Pix, boleto and bolepix and the expenses by Pix, in cents, by default of the last 30 days;
     * with the current balance.
     * Fails: `fields`.
     */
    readTotals: readTotals(ports),
    /** Sums the confirmed entries by type, in cents; by default of all days. Fails: `fields`. */
    sumByType: sumByType(ports),
    /**
     * Sums the amounts received by Pix and by transfer since a day, by default the last day of the previous month, in
     * cents.
     * Fails: `fields`.
     */
    readSettlement: readSettlement(ports),
  }),
} satisfies PaymentsModule

/** The account's statement by periods: entries with running balances, and the sums of a period. */
export const extracts = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Lists the entries of a period, by default the last 30 days, the newest first, in cents; with the period's
     * opening, closing and current balance, income and expenses, which depend only on its days.
     * Fails: `fields`.
     */
    list: listPeriod(ports),
    /** Lists all confirmed entries, the newest first, in cents. Fails: `fields`. */
    listConfirmed: listConfirmed(ports),
    /**
     * Reads an entry of the account, by its id.
     * Fails: `transaction.unknown` (also for an entry of another account).
     */
    read: readTransaction(ports),
    /** Sums entries by day and type, signed, in cents; by default the confirmed ones. Fails: `fields`. */
    byDay: reportByDay(ports),
    /** Sums the confirmed entries of a period by type, signed, in cents. Fails: `fields`. */
    byType: reportByType(ports),
    /** Sums the income from charges in a period by payment method, in cents, the most used first. Fails: `fields`. */
    byMethod: reportByMethod(ports),
  }),
} satisfies PaymentsModule

/** The account's card sales. Their proceeds stay in the card balance until they are withdrawn. */
export const cardSales = {
  collections: [collection],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Lists card sales, the newest first, in cents. From the oldest on, a sale counts as withdrawn if the sum of all
     * withdrawals covers its net amount and those before it.
     * Fails: `fields`.
     */
    list: listCardTransactions(ports),
    /** Sums the card sales of a range of days, with the pending and the withdrawn part, in cents. Fails: `fields`. */
    summarize: sumCardTransactions(ports),
    /**
     * Lists card settlements and withdrawals, the newest first, each with the card balance after it, in cents.
     * Fails: `fields`.
     */
    listEntries: listCardEntries(ports),
    /**
     * Sums card settlements and withdrawals of a range of days, in cents; without one this is the card balance.
     * Fails: `fields`.
     */
    readBalance: readCardBalance(ports),
    /**
     * Moves an amount from the card balance to the main balance, in one movement, without a PIN or a fee. The account's
     * organization must be ACTIVE.
     * Fails: `fields`, `account.unknown`, `organization.inactive`, `card-balance.insufficient`.
     */
    withdraw: withdrawCard(ports),
  }),
} satisfies PaymentsModule

/** The account's figures for dashboards. */
export const statistics = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Reads the requested figures of a range of days, by default the last 30: charges issued, income and expenses, and
     * pending charges due. Sums are in cents, without a sign.
     * Fails: `fields`.
     */
    read: readStatistics(ports),
    /** Counts the boletos issued in each day, month or year, by status, deleted ones included. Fails: `fields`. */
    countBoletos: countBoletos(ports),
  }),
} satisfies PaymentsModule
