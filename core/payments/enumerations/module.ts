import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { listBanks } from './list-banks.ts'

/** What the codes of the API mean; those that nobody searches are the table `enumerations`. */
export const enumerations = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * The banks of Brazil that match, all of them without a filter; texts match without accents and case.
     * Fails: `fields`.
     * Source: 02-billing.md, Enumerations; decisions.md §9, Enumerations.
     */
    listBanks: listBanks(ports),
  }),
} satisfies PaymentsModule
