import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { reportCharges } from './report-charges.ts'

/** Sums of an account's charges. */
export const reports = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Counts and sums the account's charges by due day or month and by status, deleted ones included, in cents.
     * Fails: `fields`.
     */
    charges: reportCharges(ports),
  }),
} satisfies PaymentsModule
