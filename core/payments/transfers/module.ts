import { sweepOf } from '../../kernel/running/jobs.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { sendTransfer, transferOperations } from './send.ts'
import { transfers as collection, sentTransfers } from './transfer.ts'

/** Transfers between two accounts of the platform. */
export const transfers = {
  collections: [collection, sentTransfers.collection],
  operations: (ports: PaymentsPorts) => [transferOperations(ports)],
  sweeps: [sweepOf(sentTransfers.collection)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Sends a value in cents by Pix, without a fee, to the account of an API key; both accounts must be at the bank of
     * `internalTransferBank`. Without an answer of the bank it is `pending`: the value stays reserved, and the worker
     * requests the outcome. Counts in the daily and nightly limits of the account; a failed transfer is subtracted.
     * Fails: `fields` (`unknown` for a key of no account, `withdrawal.limit-left`), `account.unknown`,
     * `organization.inactive`, `second-factor.required` (the account requires it from this value on, and no unused
     * proof was attached), `bank.unsupported`, `transfer.source-bank`, `transfer.self`,
     * `transfer.destination-inactive`, `transfer.destination-bank`, `transfer.no-key`, `transfer.repeated` (within half
     * an hour), `transfer.balance`, `transfer.unknown`, `bank.refused`, `bank.unavailable` (no money was sent).
     */
    send: sendTransfer(ports),
    /**
     * Resumes a transfer without an answer of the bank, by its txid. Returns the stored result after it.
     * Fails: `transfer.unknown`, `bank.refused`, `bank.unavailable`.
     */
    resume: transferOperations(ports).repeat,
  }),
} satisfies PaymentsModule
