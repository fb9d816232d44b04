import { invalid, issue } from '../../../failure.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { gt } from '../../../kernel/records/where.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { ADMIN } from '../../actor.ts'
import type { Membership } from '../../members/membership.ts'
import { ACTIVE_MEMBERSHIP } from '../../members/membership.ts'

type HeldRole = Pick<Membership, 'roleId' | 'status'>

const isAdmin = (membership: HeldRole | null): boolean =>
  membership?.roleId === ADMIN.id && membership.status === ACTIVE_MEMBERSHIP

/** Why a membership may not become this, or be removed: an account keeps an active ADMIN. */
export const keepsAdmin = ({ admins }: Pick<Account, 'admins'>, before: HeldRole, after: HeldRole | null) =>
  isAdmin(before) && !isAdmin(after) && admins < 2
    ? invalid([issue(changedIn(before, after), 'user.last-admin')], 'user.last-admin')
    : null

const changedIn = (before: HeldRole, after: HeldRole | null): string =>
  after === null ? 'id' : after.roleId === before.roleId ? 'status' : 'roleId'

/**
 * How the account's count of active ADMINs follows a membership: every writer of an ADMIN's membership goes through the account, so that
 * of two at once the second one counts again.
 */
export const countAdmins = (accountId: number, before: HeldRole | null, after: HeldRole | null): readonly Change[] => {
  const step = Number(isAdmin(after)) - Number(isAdmin(before))
  if (step === 0) return []
  return [patch(accounts, accountId, { add: { admins: step }, when: gt('admins', step < 0 ? 1 : 0) })]
}
