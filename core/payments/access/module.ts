import { memberships } from '../members/membership.ts'
import { users } from '../members/user.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { findByApiKey } from './find-by-api-key.ts'
import { listOwnAccounts } from './list-own-accounts.ts'
import { readAccount } from './read-account.ts'
import { resolveAccount } from './resolve-account.ts'

/** Where a caller may act, and as what. */
export const access = {
  collections: [users, memberships],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * The account that a call is about, and what its caller may do there: the one it names, else their token's, else
     * their newest.
     * Fails: `organization.none`, `organization.unknown` (removed, and on v1 somebody else's), `account.foreign`
     * (somebody else's, on legacy).
     * Source: decisions.md §1, Active account; §12, Context and sessions.
     */
    resolveAccount: resolveAccount(ports),
    /**
     * The account that somebody acts in, its fees and limits in cents; who may write it sees its API key and webhook
     * secret.
     * Fails: `account.unknown`.
     * Source: 01-access.md, GET /access/account; decisions.md §12, Account.
     */
    readAccount: readAccount(ports),
    /**
     * Every account that a person works in and their token opens, the newest membership first.
     * Source: 01-access.md, GET /access/accounts.
     */
    listOwnAccounts: listOwnAccounts(ports),
    /**
     * The account of an API key, and its longest-standing ADMIN, in whose name a program of the same house acts there.
     * Fails: `key.wrong` (a removed account's, too).
     * Source: issue 15.
     */
    findByApiKey: findByApiKey(ports),
  }),
} satisfies PaymentsModule
