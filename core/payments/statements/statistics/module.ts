import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { countBoletos } from './count-boletos.ts'
import { readStatistics } from './read-statistics.ts'

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
