import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { listTransactions } from './list-transactions.ts'
import { readBalance } from './read-balance.ts'

/** What an account has, and what moved it. */
export const statements = {
  useCases: (ports: PaymentsPorts) => ({
    /** The account’s balance, in cents. */
    readBalance: readBalance(ports),
    /** The account’s transactions: a page of them. */
    listTransactions: listTransactions(ports),
  }),
} satisfies PaymentsModule
