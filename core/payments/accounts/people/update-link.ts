import { isLeft, left } from '../../../fp.ts'
import { type Change, patch } from '../../../kernel/change.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Fresh } from '../../../kernel/fresh.ts'
import { type Decided, decided, type UseCase, useCase } from '../../../kernel/use-case.ts'
import { all, eq } from '../../../kernel/where.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type ChangeFacts, readChangeFacts, type UserChange } from '../../identity/change-user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Account, accounts } from '../account.ts'
import { type Membership, memberships } from '../membership.ts'
import { countAdmins, keepsAdmin } from './change-link.ts'
import { type Colleague, findColleague } from './colleague.ts'
import { otherLink } from './other-link.ts'
import { type ColleagueChange, decideChange } from './update-colleague.ts'

/** What of a link and its user is to change; what is left out stays. */
export interface LinkChange extends ColleagueChange {
  readonly roleId?: number | undefined
  /** 1 active, 0 inactive: an inactive link opens nothing. */
  readonly status?: number | undefined
}

interface Facts extends ChangeFacts {
  readonly account: Account | null
  readonly colleague: Colleague | null
  readonly isShared: boolean
}

type Wanted = UserChange & Pick<LinkChange, 'roleId' | 'status'>

/**
 * Changes a link, and its user as `updateColleague` does.
 * Fails: `user.unknown`, `user.shared`, `user.last-admin`, `fields` (`email.taken`, `document.taken`).
 * Source: 01-access.md, PUT /access/manager/users/{id}; decisions.md §12, Roles and People.
 */
export const updateLink =
  (ports: PaymentsPorts) =>
  (actor: Pick<Actor, 'accountId' | 'userId'>, userId: number, change: LinkChange): UseCase<Colleague> =>
  async (rider) => {
    const { password, ...others } = change
    const hashed = password === undefined ? {} : { passwordHash: await ports.hasher.hash(password) }
    const wanted: Wanted = { ...others, ...hashed }
    return useCase(
      ports,
      (store) => readFacts(store, actor.accountId, userId, wanted),
      (facts, fresh) => decideLink(facts, actor.userId === userId, wanted, fresh),
    )(rider)
  }

const readFacts = async (store: Store, accountId: number, userId: number, wanted: Wanted): Promise<Facts> => ({
  ...(await readChangeFacts(store, userId, wanted)),
  account: await store.find(byId(accounts, accountId)),
  colleague: await findColleague(store, accountId, userId),
  isShared: (await otherLink(store, accountId, userId)) !== null,
})

export const decideLink = (
  { account, ...facts }: Facts,
  isOneself: boolean,
  { roleId, status, ...wanted }: Wanted,
  fresh: Fresh,
): Decided<Colleague> => {
  const { colleague } = facts
  if (!account || !colleague) return left(failure('not-found', 'user.unknown'))
  const before = colleague.link
  const after: Membership = { ...before, roleId: roleId ?? before.roleId, status: status ?? before.status }
  const refused = keepsAdmin(account, before, after)
  if (refused) return left(refused)
  const changed = decideChange(facts, isOneself, wanted, fresh)
  if (isLeft(changed)) return changed
  const { changes, value } = changed.right
  const isMoved = after.roleId !== before.roleId || after.status !== before.status
  const link = isMoved ? { ...after, updatedAt: fresh.now } : before
  const moved: readonly Change[] = isMoved
    ? [
        patch(memberships, before.id, {
          set: { roleId: link.roleId, status: link.status, updatedAt: fresh.now },
          when: all(eq('roleId', before.roleId), eq('status', before.status)),
        }),
        ...countAdmins(account.id, before, after),
      ]
    : []
  return decided((taken) => ({ user: value(taken).user, link }), ...changes, ...moved)
}
