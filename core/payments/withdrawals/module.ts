import { always, type Change, type Collection, eq, not, patch, type Rec } from '../../kernel/records/record.ts'
import { sweepOf } from '../../kernel/running/jobs.ts'
import { fold } from '../../kernel/values/text.ts'
import { type Migration, migrationOf } from '../../office/migrations.ts'
import { boundedCounts } from '../bounded-count.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { confirmWithdrawal } from './confirm.ts'
import { payAccount, payKey } from './direct-payment.ts'
import { keyLookups, lookUpKey } from './key-lookup.ts'
import { payOutSums, readLimits, sentWithdrawals } from './limits.ts'
import { payOutOperations, resumePayOut } from './pay-out.ts'
import { addRecipient, removeRecipient } from './recipient-changes.ts'
import {
  frequentRecipients,
  listPaidParties,
  paidParties,
  readRecipient,
  recipientSearch,
  recipients,
} from './recipients.ts'
import { listWithdrawals, readWithdrawal } from './views.ts'
import { withdrawals as collection, searchOf } from './withdrawal.ts'

/** Payments by Pix out of an account, and their recipients. */
export const withdrawals = {
  collections: [collection, recipients, paidParties, payOutSums, sentWithdrawals.collection, keyLookups, boundedCounts],
  operations: (ports: PaymentsPorts) => [payOutOperations(ports)],
  migrations: () => maskSearches,
  sweeps: [sweepOf(payOutSums), sweepOf(sentWithdrawals.collection), sweepOf(keyLookups), sweepOf(boundedCounts)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Looks up the owner of a Pix key at the bank, and stores a withdrawal that awaits confirmation; values are in
     * cents. A repeat of key and value within an hour returns the stored withdrawal if it still awaits confirmation, or
     * fails with `withdrawal.started` if `repeats` is `'refused'`. An account with a CNPJ may make 1,000 look-ups an
     * hour without a confirmed withdrawal, an account with a CPF 100.
     * Fails: `fields` (`pix-key`, `balance.insufficient`, `withdrawal.started`), `account.unknown`,
     * `organization.inactive`, `bank.unsupported`, `key.throttled`, `key.unknown`, `withdrawal.used` (it was confirmed
     * meanwhile), `bank.refused`, `bank.unavailable`.
     */
    lookUp: lookUpKey(ports),
    /**
     * Confirms a withdrawal that was looked up: reserves the value in cents and the account's fee, and sends it to the
     * bank once. The caller has checked the account's PIN. Without an answer of the bank it is pending, and the worker
     * requests the outcome.
     * Fails: `fields` (`withdrawal.other-key`, `withdrawal.other-value`, `withdrawal.limit`, `withdrawal.limit-left`,
     * `withdrawal.repeated`, `balance.insufficient`), `account.unknown`, `organization.inactive`, `bank.unsupported`,
     * `second-factor.required` (the account requires it from this value on, and no unused proof was attached),
     * `withdrawal.unknown` (also two hours after the look-up), `withdrawal.used`, `withdrawals.waiting` (50 wait for
     * the bank), `bank.refused`, `bank.unavailable` (it may be confirmed again, also with another value if it was
     * looked up without one).
     */
    confirm: confirmWithdrawal(ports),
    /**
     * Pays out a value in cents to a Pix key, without an earlier look-up; the account's fee is added. The caller has
     * checked the PIN. If a document is passed, it must be that of the key's owner.
     * Fails: `fields` (`pix-key`, `withdrawal.other-document`, `withdrawal.limit`, `withdrawal.limit-left`,
     * `withdrawal.repeated`, `balance.insufficient`), `account.unknown`, `organization.inactive`, `bank.unsupported`,
     * `second-factor.required`, `key.throttled`, `key.unknown`, `withdrawal.unknown`, `withdrawals.waiting`,
     * `bank.refused`, `bank.unavailable` (the withdrawal awaits confirmation).
     */
    payKey: payKey(ports),
    /**
     * Pays out a value in cents to an account at any bank, by its bank data; the account's fee is added. The caller has
     * checked the PIN. Fails: `fields` (`unknown` bank, `bank-branch`, `bank-account`, `withdrawal.limit`,
     * `withdrawal.limit-left`, `withdrawal.repeated`, `balance.insufficient`), `account.unknown`,
     * `organization.inactive`, `bank.unsupported`, `second-factor.required`, `withdrawal.unknown`,
     * `withdrawals.waiting`, `bank.refused`, `bank.unavailable` (a failed withdrawal is stored).
     */
    payAccount: payAccount(ports),
    /**
     * Resumes a withdrawal without an answer of the bank, by the intent that is stored with an idempotency key.
     * Fails: `withdrawal.unknown`, `bank.refused`, `bank.unavailable`.
     */
    resume: resumePayOut(ports),
    /**
     * Returns a withdrawal of the account that was sent to the bank, with its statement entry.
     * Fails: `withdrawal.unknown`.
     */
    read: readWithdrawal(ports),
    /** Lists the withdrawals that were sent to the bank, newest first. Fails: `fields`. */
    list: listWithdrawals(ports),
    /**
     * Reads the limits on money that leaves the account, in cents: by transaction, day and night, each with the used
     * and the remaining part and the end of its period. The same sums decide a withdrawal.
     * Fails: `account.unknown`.
     */
    readLimits: readLimits(ports),
    /** Returns the ten recipients that the account has paid most often. Fails: `fields`. */
    frequentRecipients: frequentRecipients(ports),
    /** Returns a recipient of the account. Fails: `recipient.unknown`. */
    readRecipient: readRecipient(ports),
    /**
     * Adds the owner of a Pix key to the recipients, whom the bank names; a known recipient stays as it is. The look-up
     * counts as those of withdrawals.
     * Fails: `fields` (`pix-key`), `account.unknown`, `organization.inactive`, `bank.unsupported`, `key.throttled`,
     * `key.unknown`, `bank.refused`, `bank.unavailable`.
     */
    addRecipient: addRecipient(ports),
    /**
     * Removes a recipient of the account, and its party if it was the last one; its withdrawals stay, and a further one
     * stores it anew. Fails: `recipient.unknown`.
     */
    removeRecipient: removeRecipient(ports),
    /** Lists the paid parties, one for each document, newest first, with their recipients. Fails: `fields`. */
    listPaidParties: listPaidParties(ports),
  }),
} satisfies PaymentsModule

/**
 * Removes hidden digits of documents from the search texts that releases before 0.14.0 stored. A party that was paid by
 * key first and by account later is found by its whole document again after its next payment.
 */
const maskSearches: readonly Migration[] = [
  migrationOf({
    name: 'mask-withdrawal-search',
    from: collection,
    where: not(eq('key', null)),
    changes: (withdrawal) => replaceSearch(collection, withdrawal, searchOf(withdrawal)),
  }),
  migrationOf({
    name: 'mask-recipient-search',
    from: recipients,
    where: not(eq('key', null)),
    changes: (recipient) => replaceSearch(recipients, recipient, recipientSearch(recipient)),
  }),
  migrationOf({
    name: 'mask-party-search',
    from: paidParties,
    where: always,
    changes: (party) => {
      // The lines of a party whose first recipient has a key: name, whole document and key.
      const [, document, key, ...more] = party.search.split('\n')
      const isWhole = document === fold(party.document) && key !== undefined && key !== document && more.length === 0
      return isWhole ? replaceSearch(paidParties, party, recipientSearch({ ...party, key })) : []
    },
  }),
]

const replaceSearch = <R extends Rec & { readonly search: string }>(
  from: Collection<R>,
  { id, search: stored }: R,
  search: string,
): readonly Change[] =>
  search === stored ? [] : [patch(from, id, { set: { search } as Partial<R>, when: eq('search', stored) })]
