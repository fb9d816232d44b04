import { optional } from '../../../../core/kernel/input/field.ts'
import { input } from '../../../../core/kernel/input/input.ts'
import { membershipFilter } from '../../../../core/payments/access/team.ts'
import {
  newTeamMemberFields,
  peopleNeedPassword,
  teamMemberChangeFields,
} from '../../../../core/payments/access/team-changes.ts'
import { legacyDocument, legacyPasswords } from '../../../../core/payments/members/user.ts'
import { membershipExample } from './membership-example.ts'
import { membershipRows, shortName } from './membership-rows.ts'

const newMembership = input(
  'NewMembership',
  {
    ...newTeamMemberFields,
    name: shortName,
    document: legacyDocument,
    password: optional(legacyPasswords.first),
  },
  peopleNeedPassword,
)

/** People of the account by their memberships. Source: 01-access.md, Legacy account users; decisions.md §12, People. */
export const managerUserRows = membershipRows({
  name: 'manager-users',
  area: 'Usuários da conta (legado)',
  path: '/access/manager/users',
  kind: 'people',
  noun: 'Usuário',
  nouns: 'Usuários',
  someone: 'um usuário',
  everyone: 'os usuários',
  filter: membershipFilter,
  created: newMembership,
  changed: input('MembershipChange', { ...teamMemberChangeFields, name: optional(shortName) }),
  examples: {
    membership: membershipExample,
    given: 'membership',
    create: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      document: '529.982.247-25',
      role: 3,
      password: 'correto e longo',
      phone: '+55 11 99999-0000',
    },
    update: { name: 'Maria da Silva', role: 3, status: 1 },
  },
})
