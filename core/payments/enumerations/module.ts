import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { listBanks } from './list-banks.ts'

/** The searchable lists of codes; the other ones are the table `enumerations`. */
export const enumerations = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Lists the matching banks of Brazil, by default all. Texts match without regard to accents and case.
     * Fails: `fields`.
     */
    listBanks: listBanks(ports),
  }),
} satisfies PaymentsModule
