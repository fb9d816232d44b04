import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { reportCharges } from './report-charges.ts'

/** What became of an account’s charges, in sums. */
export const reports = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * The account's charges by the day or month on which they are due, and by status, deleted ones too: how many, and their
     * sums in cents.
     * Fails: `fields`.
     * Source: 02-billing.md, Charges (GET /reports/invoices); decisions.md §9, Charges.
     */
    charges: reportCharges(ports),
  }),
} satisfies PaymentsModule
