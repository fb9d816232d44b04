import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { exports as collection } from './export.ts'
import { exportQueue } from './export-queue.ts'
import { downloadTransactions, exportStatement, exportTransactions, openExport, readExport } from './export-requests.ts'
import { readReceipt } from './read-receipt.ts'

/** What an account has, as documents: tables, statements and receipts. */
export const exports = {
  collections: [collection],
  queues: (ports: PaymentsPorts) => [exportQueue(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Lets the worker write the account's transactions as `csv`, `xlsx` or `pdf`, in the order in which they were entered, as
     * they are at this instant; whoever asked is told by the notification of its `notificationId` once the file is there.
     * Fails: `fields` (`export.pdf-max`: over 20,000 of them), `export.empty`.
     * Source: 02-billing.md, POST /consolidation/transactions/export-document; decisions.md §4.
     */
    exportTransactions: exportTransactions(ports),
    /**
     * The same file at once, made while it is read.
     * Fails: `fields` (`export.pdf-max`), `export.empty`.
     * Source: 02-billing.md, POST /consolidation/transactions/export-document.
     */
    downloadTransactions: downloadTransactions(ports),
    /**
     * Lets the worker draw the account's statement of at most 60 days apart as a PDF, with the balances of each day; an empty
     * one, too.
     * Fails: `fields` (`range.max`, `export.pdf-max`: over 20,000 entries).
     * Source: 02-billing.md, POST /consolidation/extract/export-document; decisions.md §11, Transfers and exports.
     */
    exportStatement: exportStatement(ports),
    /**
     * How far an export of the account is: its `state`, and `done` of `total` entries.
     * Fails: `export.unknown`.
     * Source: decisions.md §4.
     */
    read: readExport(ports),
    /**
     * The file of an export, for 7 days (604,800 seconds), by the id of its notification, for whoever has that.
     * Fails: `export.unknown` (also where the notification was removed), `export.pending` (not yet written), `export.type` (a
     * notification that tells of something else).
     * Source: 02-billing.md, GET /consolidation/exports/download/{id}; decisions.md §11, Transfers and exports.
     */
    open: openExport(ports),
    /**
     * One transaction of the account as a PDF to be passed on.
     * Fails: `transaction.unknown`.
     * Source: 02-billing.md, GET /consolidation/transaction/{id}/generate-pdf.
     */
    readReceipt: readReceipt(ports),
  }),
} satisfies PaymentsModule
