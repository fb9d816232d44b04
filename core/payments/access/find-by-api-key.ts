import { readUseCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { claimId, claims } from '../claim.ts'
import { adminsOf } from '../members/membership.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** The account of an API key, and in whose name a program acts there. */
export interface KeyedAccount extends Pick<Actor, 'userId' | 'accountId'> {
  readonly name: string
}

/**
 * The account of an API key, for a program of the same house: what it does there is done by its longest-standing ADMIN. No guess is
 * counted, since nobody guesses a key.
 * Fails: `key.wrong` (a removed account's, too).
 */
export const findByApiKey =
  ({ store, digest }: Pick<PaymentsPorts, 'store' | 'digest'>) =>
  (apiKey: string) =>
    readUseCase('key.wrong', async (): Promise<KeyedAccount | null> => {
      const claim = await store.find(byId(claims, claimId('api-key', digest.sha256(apiKey))))
      if (typeof claim?.holder !== 'number') return null
      const { account, admins } = await store.read({
        account: byId(accounts, claim.holder),
        admins: adminsOf(claim.holder),
      })
      const admin = admins.records.at(-1)
      if (!account || account.removedAt !== null || !admin) return null
      return { accountId: account.id, userId: admin.userId, name: account.name }
    })
