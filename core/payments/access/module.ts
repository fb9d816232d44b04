import { memberships } from '../members/membership.ts'
import { users } from '../members/user.ts'
import type { PaymentsModule } from '../payments-module.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { listOwnAccounts } from './list-own-accounts.ts'
import { readAccount } from './read-account.ts'
import { resolveAccount } from './resolve-account.ts'

/** Where a caller may act, and as what. */
export const access = {
  collections: [users, memberships],
  useCases: (ports: PaymentsPorts) => ({
    /** The account that a call is about, and what its caller may do there. */
    resolveAccount: resolveAccount(ports),
    /** The account that somebody acts in, with its secrets for who may write it. */
    readAccount: readAccount(ports),
    /** Every account that a person works in, the newest membership first. */
    listOwnAccounts: listOwnAccounts(ports),
  }),
} satisfies PaymentsModule
