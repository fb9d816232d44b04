import { failure } from '../../../failure.ts'
import { isLeft, left } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { pick } from '../../../kernel/input/table.ts'
import { patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../../office/guesses.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type By, recordAudit } from '../../office/audit.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Account, accounts } from '../account.ts'
import { pinFields } from '../account-fields.ts'
import { type AccountDetail, accountDetail } from '../account-view.ts'

const SET = failure('conflict', 'pin.set')

/** A first PIN. */
export const firstPin = input('FirstPin', pick(pinFields, 'pin'))

export type FirstPin = InputOf<typeof firstPin>

/**
 * Gives an account its first PIN, of six digits. Fails: `fields`, `pin.set`, `account.unknown`, `server.busy`.
 * Source: 01-access.md, POST /access/account/pin.
 */
export const setPin =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'permissions'> & By, given: FirstPin) =>
    withValidInput(ports, firstPin, given, ({ pin }) =>
      hashingUseCaseOf<AccountDetail>()(async (hooks) => {
        const pinHash = await ports.hasher.hash(pin, actor.origin)
        return useCase(
          ports,
          (store) => store.find(byId(accounts, actor.accountId)),
          (account, fresh) => {
            const set = decidePin(account, actor, pinHash, fresh)
            if (isLeft(set)) return set
            const { changes, value } = set.right
            return accept((taken) => accountDetail(ports, value(taken), actor.permissions), ...changes)
          },
        )(hooks)
      }),
    )

export const decidePin = (account: Account | null, by: By, pinHash: string, fresh: Fresh) => {
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
  if (account.pinHash !== null) return left(SET)
  const set = { pinHash, updatedAt: fresh.now }
  const named = `account:${account.id}` as const
  return accept<Account>(
    { ...account, ...set },
    patch(accounts, account.id, { set, when: eq('pinHash', null) }),
    ...recordAudit(fresh, by, { chain: named, action: 'pin.set', subject: named }),
  )
}
