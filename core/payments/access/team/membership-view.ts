import { pick } from '../../../kernel/input/table.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { readUseCase } from '../../../kernel/running/use-case.ts'
import { parseId } from '../../../kernel/values/text.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { API, roleOf, roleView } from '../../actor.ts'
import { membershipFields, memberships } from '../../members/membership.ts'
import { memberView, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { MembershipKind } from './list-memberships.ts'
import { shownMember, type TeamMember } from './team-member.ts'

/** The account's membership of this id and kind. Fails: `user.unknown`, for any other and for what is no id too. */
export const readMembership =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, kind: MembershipKind, pathId: string) =>
    readUseCase('user.unknown', async (): Promise<TeamMember | null> => {
      const id = parseId(pathId)
      const membership = id === null ? null : await store.find(byId(memberships, id))
      if (membership?.accountId !== accountId || (membership.roleId === API.id) !== (kind === 'programs')) return null
      const user = await store.find(byId(users, membership.userId))
      return user && shownMember({ user, membership })
    })

/** Source: 01-access.md, Legacy account-user membership. */
export const membershipView = view(
  'Membership',
  {
    ...pick(membershipFields, 'id', 'userId', 'accountId'),
    user: output.view(memberView, { about: 'Quem trabalha na conta' }),
    role: output.view(roleView, { about: 'Perfil na conta' }),
    ...pick(membershipFields, 'status', 'createdAt', 'updatedAt'),
  },
  ({ user, membership }: TeamMember) => ({ ...membership, user, role: roleOf(membership.roleId) }),
)
