import { left } from '../../../fp.ts'
import { patch } from '../../../kernel/change.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Fresh } from '../../../kernel/fresh.ts'
import { type Decided, decided, type UseCase, useCase } from '../../../kernel/use-case.ts'
import { eq } from '../../../kernel/where.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Account, accounts } from '../account.ts'
import { type AccountDetail, accountDetail } from '../account-view.ts'

const SET = failure('conflict', 'pin.set')

/**
 * Gives an account its first PIN, of six digits. Fails: `pin.set`, `account.unknown`.
 * Source: 01-access.md, POST /access/account/pin.
 */
export const setPin =
  (ports: PaymentsPorts) =>
  ({ accountId, roleId }: Pick<Actor, 'accountId' | 'roleId'>, pin: string): UseCase<AccountDetail> =>
  async (rider) => {
    const pinHash = await ports.hasher.hash(pin)
    return useCase(
      ports,
      (store) => store.find(byId(accounts, accountId)),
      (account, fresh) => decidePin(account, pinHash, fresh, (after) => accountDetail(ports, after, roleId)),
    )(rider)
  }

export const decidePin = <V>(
  account: Account | null,
  pinHash: string,
  { now }: Pick<Fresh, 'now'>,
  shown: (after: Account) => V,
): Decided<V> => {
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
  if (account.pinHash !== null) return left(SET)
  const set = { pinHash, updatedAt: now }
  return decided(shown({ ...account, ...set }), patch(accounts, account.id, { set, when: eq('pinHash', null) }))
}
