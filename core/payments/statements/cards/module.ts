import { cardTransactions as collection } from '../../cards/card-transaction.ts'
import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { listCardEntries, readCardBalance } from './card-entries.ts'
import { earlierSales } from './earlier-sales.ts'
import { listCardTransactions } from './list-card-transactions.ts'
import { sumCardTransactions } from './sum-card-transactions.ts'
import { withdrawCard } from './withdraw-card.ts'

/** What an account sold by card: it stays beside the balance until it is withdrawn. */
export const cardSales = {
  collections: [collection],
  migrations: () => [earlierSales],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * A page of the sales by card, the newest first, in cents; from the oldest, those count as withdrawn whose nets all that was
     * withdrawn covers.
     * Fails: `fields`.
     * Source: 02-billing.md, Card transaction; decisions.md §4 and §11.
     */
    list: listCardTransactions(ports),
    /**
     * What the sales by card of some days came to, in cents, and what of them was withdrawn.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (card-transactions/summary); decisions.md §4.
     */
    summarize: sumCardTransactions(ports),
    /**
     * A page of settlements and withdrawals of cards, the newest first, each with the card balance after it, in cents.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (GET /transactions/card).
     */
    listEntries: listCardEntries(ports),
    /**
     * What settlements and withdrawals of cards come to on some days, in cents; of all days, what can be withdrawn.
     * Fails: `fields`.
     * Source: 02-billing.md, Statements and reports (GET /transactions/card/balance).
     */
    readBalance: readCardBalance(ports),
    /**
     * Moves cents from the card balance to the balance that can be spent, in one movement, without a PIN or a fee; the account's
     * organization must be ACTIVE.
     * Fails: `fields`, `account.unknown`, `organization.inactive`, `card-balance.insufficient`.
     * Source: 02-billing.md, Statements and reports (POST /transactions/card/withdraw); decisions.md §4 and §11, Fees.
     */
    withdraw: withdrawCard(ports),
  }),
} satisfies PaymentsModule
