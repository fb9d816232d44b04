import { sweepOf } from '../../kernel/running/jobs.ts'
import { boundedCounts } from '../bounded-count.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { confirmWithdrawal } from './confirm.ts'
import { payAccount, payKey } from './direct-payment.ts'
import { keyLookups, lookUpKey } from './key-lookup.ts'
import { payOutSums, sentWithdrawals } from './limits.ts'
import { payOutOperations, resumePayOut } from './pay-out.ts'
import { frequentRecipients, listPaidParties, paidParties, readRecipient, recipients } from './recipients.ts'
import { listWithdrawals, readWithdrawal } from './views.ts'
import { withdrawals as collection } from './withdrawal.ts'

/** Money that leaves an account by Pix, and whom it has reached. */
export const withdrawals = {
  collections: [collection, recipients, paidParties, payOutSums, sentWithdrawals.collection, keyLookups, boundedCounts],
  operations: (ports: PaymentsPorts) => [payOutOperations(ports)],
  sweeps: [sweepOf(payOutSums), sweepOf(sentWithdrawals.collection), sweepOf(keyLookups), sweepOf(boundedCounts)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Looks a Pix key up at the bank, and stores a withdrawal to its owner that awaits confirmation; values in cents. The same
     * key and value within the hour (3,600 seconds) returns it again, or with `'refused'` is wrong. At most 1,000 look-ups an hour
     * of an account with a CNPJ and 100 of one with a CPF stay without a withdrawal.
     * Fails: `fields` (`pix-key`, `balance.insufficient`, `withdrawal.started`), `account.unknown`, `organization.inactive`,
     * `bank.unsupported`, `key.throttled`, `key.unknown`, `withdrawal.used` (it was confirmed at this moment), `bank.refused`,
     * `bank.unavailable`.
     * Source: 02-billing.md, Withdrawals; decisions.md §5 and §11.
     */
    lookUp: lookUpKey(ports),
    /**
     * Pays a withdrawal out that was looked up, in cents and with the account's fee beside it; the account's PIN was asked for
     * before. What the bank does not answer is pending, and the worker asks until it knows.
     * Fails: `fields` (`withdrawal.other-key`, `withdrawal.other-value`, `withdrawal.limit`, `withdrawal.limit-left`,
     * `withdrawal.repeated`, `balance.insufficient`), `account.unknown`, `organization.inactive`, `bank.unsupported`,
     * `withdrawal.unknown`, `withdrawal.used`, `withdrawals.waiting` (50 wait for the bank), `bank.refused`,
     * `bank.unavailable` (it may be confirmed again).
     * Source: 02-billing.md, Withdrawals; decisions.md §5 and §11.
     */
    confirm: confirmWithdrawal(ports),
    /**
     * Pays out to a Pix key at once, in cents and with the account's fee beside it; the account's PIN was asked for before. A
     * document that is given must be the owner's.
     * Fails: `fields` (`pix-key`, `withdrawal.other-document`, `withdrawal.limit`, `withdrawal.limit-left`,
     * `withdrawal.repeated`, `balance.insufficient`), `account.unknown`, `organization.inactive`, `bank.unsupported`,
     * `key.throttled`, `key.unknown`, `withdrawal.unknown`, `withdrawals.waiting`, `bank.refused`, `bank.unavailable` (a failed withdrawal
     * awaits).
     * Source: decisions.md §5 and §11, Withdrawals.
     */
    payKey: payKey(ports),
    /**
     * Pays out to an account at any bank by its data, in cents and with the account's fee beside it; the PIN of the paying
     * account was asked for before.
     * Fails: `fields` (`unknown` bank, `bank-branch`, `bank-account`, `withdrawal.limit`, `withdrawal.limit-left`,
     * `withdrawal.repeated`, `balance.insufficient`), `account.unknown`, `organization.inactive`, `bank.unsupported`,
     * `withdrawal.unknown`, `withdrawals.waiting`, `bank.refused`, `bank.unavailable` (a failed withdrawal is kept).
     * Source: 02-billing.md, Withdrawals; decisions.md §5 and §11.
     */
    payAccount: payAccount(ports),
    /**
     * Carries on a withdrawal of which the bank has said nothing yet, by the intent that a key keeps.
     * Fails: `withdrawal.unknown`, `bank.refused`, `bank.unavailable`.
     * Source: decisions.md §5.
     */
    resume: resumePayOut(ports),
    /**
     * A withdrawal of the account that was handed to the bank, with its line of the statement.
     * Fails: `withdrawal.unknown`.
     * Source: 02-billing.md, GET /recipients/{id}.
     */
    read: readWithdrawal(ports),
    /**
     * A page of what was handed to the bank, the newest first.
     * Fails: `fields`.
     * Source: 02-billing.md, GET /recipients; decisions.md §11, Withdrawals.
     */
    list: listWithdrawals(ports),
    /**
     * The ten recipients whom the account has paid most often.
     * Fails: `fields`.
     * Source: 02-billing.md, GET /recipients/frequent.
     */
    frequentRecipients: frequentRecipients(ports),
    /**
     * A recipient of the account.
     * Fails: `recipient.unknown`.
     * Source: 02-billing.md, Legacy instant-payment module.
     */
    readRecipient: readRecipient(ports),
    /**
     * A page of those whom the account has paid, one for each document, the newest first, with where they were paid.
     * Fails: `fields`.
     * Source: decisions.md §11, Withdrawals.
     */
    listPaidParties: listPaidParties(ports),
  }),
} satisfies PaymentsModule
