import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { downloadCharges } from './charge-table.ts'
import { exports as collection } from './export.ts'
import { exportQueue } from './export-queue.ts'
import { downloadTransactions, exportStatement, exportTransactions, openExport, readExport } from './export-requests.ts'
import { readReceipt } from './read-receipt.ts'

/** Documents of an account: tables, statements and receipts. */
export const exports = {
  collections: [collection],
  queues: (ports: PaymentsPorts) => [exportQueue(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Enqueues an export of the account's current transactions as `csv`, `xlsx` or `pdf`, in the order of their
     * posting. The notification `notificationId` reports to the user that the file is ready. Fails: `fields`
     * (`export.pdf-max`: over 20,000 entries), `export.empty`.
     */
    exportTransactions: exportTransactions(ports),
    /** Creates the file at once, while it is read. Fails: `fields` (`export.pdf-max`), `export.empty`. */
    downloadTransactions: downloadTransactions(ports),
    /**
     * Creates a document of the account's charges that a filter matches as `csv`, `xlsx` or `pdf`, while it is read, in
     * the order of their issue; deleted ones only if the filter names their status. A PDF has the filters and the sums.
     * Fails: `fields` (`export.pdf-charges-max`: over 20,000), `export.empty`.
     */
    downloadCharges: downloadCharges(ports),
    /**
     * Enqueues a PDF of the account's statement, with the balances of each day. The ends are at most 60 days apart; the
     * statement may be empty.
     * Fails: `fields` (`range.max`, `export.pdf-max`: over 20,000 entries).
     */
    exportStatement: exportStatement(ports),
    /**
     * Reads the progress of an export of the account: its `state`, and `done` of `total` entries.
     * Fails: `export.unknown`.
     */
    read: readExport(ports),
    /**
     * Opens the file of an export, for 7 days (604,800 seconds) unless the operator has set another term. The id of its
     * notification is the only credential. Fails: `export.unknown` (also if the notification was removed),
     * `export.pending` (not yet written), `export.type` (a notification of another type).
     */
    open: openExport(ports),
    /** Creates a receipt of one transaction as a PDF. CPFs of the parties are masked. Fails: `transaction.unknown`. */
    readReceipt: readReceipt(ports),
  }),
} satisfies PaymentsModule
