import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { simulatePayment } from './simulate-payment.ts'

/** What would be, without anything being created. */
export const simulations = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * What an amount in cents would be by each method: at once by Pix and boleto, in 1 to 12 parts by card, of which the first
     * takes the cents left over.
     * Fails: `fields`.
     * Source: 02-billing.md, Charges (POST /billing/simulate-payment); decisions.md §9, Charges.
     */
    payment: simulatePayment(ports),
  }),
} satisfies PaymentsModule
