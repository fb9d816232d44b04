import { sweepOf } from '../../kernel/running/jobs.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { sendTransfer, transferOperations } from './send.ts'
import { transfers as collection, sentTransfers } from './transfer.ts'

/** Money that goes from one account of the platform to another. */
export const transfers = {
  collections: [collection, sentTransfers.collection],
  operations: (ports: PaymentsPorts) => [transferOperations(ports)],
  sweeps: [sweepOf(sentTransfers.collection)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Sends so many cents by Pix, without a fee, to the account whose API key is given, both at the bank of
     * `internalTransferBank`; `pending` while the bank has not answered: it is then held, and the worker asks.
     * Counts in the daily and nightly limits of the account, as a withdrawal does; a failure gives the amount back.
     * Fails: `fields` (`unknown` for a key of no account, `withdrawal.limit-left`), `account.unknown`, `organization.inactive`, `bank.unsupported`,
     * `transfer.source-bank`, `transfer.self`, `transfer.destination-inactive`, `transfer.destination-bank`, `transfer.no-key`,
     * `transfer.repeated` (the same within half an hour), `transfer.balance`, `transfer.unknown`, `bank.refused`,
     * `bank.unavailable` (nothing left).
     * Source: 02-billing.md, Internal transfer; decisions.md §5 and §11.
     */
    send: sendTransfer(ports),
    /**
     * Carries on a transfer of which the bank has said nothing yet, by its txid. Whoever comes after the answer is told the same.
     * Fails: `transfer.unknown`, `bank.refused`, `bank.unavailable`.
     * Source: decisions.md §5.
     */
    resume: transferOperations(ports).again,
  }),
} satisfies PaymentsModule
