import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { createSplitReceiver, listSplitReceivers, readSplitReceiver, revokeSplitReceiver } from './receiver.ts'
import { splitShares } from './share.ts'
import { splitReceivers as collection, promisedReceivers } from './split.ts'

/** The keys by which an account receives shares of the charges of other accounts, and the received shares. */
export const splitReceivers = {
  collections: [collection, splitShares, promisedReceivers],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Consents to receive shares: creates a key that other accounts name in the `splits` of a charge, a plan or a link,
     * for all accounts or those with the codes of `issuers`. The key allows its holder to send money to the account and
     * nothing else. Fails: `fields`.
     */
    create: createSplitReceiver(ports),
    /** Lists a page of the account's keys, newest first; revoked ones too. Fails: `fields`. */
    list: listSplitReceivers(ports),
    /** Reads one of the account's keys by its id. Fails: `split-receiver.unknown` (another account's too). */
    read: readSplitReceiver(ports),
    /**
     * Revokes a key, by its id: no new charge can name it. Charges and links that exist keep their shares. A revoked
     * key stays revoked. Fails: `split-receiver.unknown`.
     */
    revoke: revokeSplitReceiver(ports),
  }),
} satisfies PaymentsModule
