import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { listTransactions } from './list-transactions.ts'
import { readBalance } from './read-balance.ts'

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
  }),
} satisfies PaymentsModule
