import { input } from '../../../../core/kernel/input/input.ts'
import { pick } from '../../../../core/kernel/input/table.ts'
import { membershipFilterFields } from '../../../../core/payments/access/team.ts'
import { newTeamMemberFields, teamMemberChangeFields } from '../../../../core/payments/access/team-changes.ts'
import { API } from '../../../../core/payments/actor.ts'
import { legacyDocument } from '../../../../core/payments/members/user.ts'
import { membershipExample } from './membership-example.ts'
import { membershipRows, shortName } from './membership-rows.ts'

const fields = { name: shortName, email: newTeamMemberFields.email, document: legacyDocument }

/** Programs that call for the account, by their memberships. Source: 01-access.md, Legacy API-key users; decisions.md §12. */
export const apiTokenRows = membershipRows({
  name: 'api-tokens',
  area: 'Usuários de API (legado)',
  path: '/access/manager/api-tokens',
  kind: 'programs',
  noun: 'Usuário API',
  nouns: 'Usuários API',
  someone: 'um usuário de API',
  everyone: 'os usuários de API',
  filter: input('ProgramFilter', pick(membershipFilterFields, 'page', 'perPage', 'search')),
  created: input('NewProgram', { ...fields, ...pick(newTeamMemberFields, 'phone') }),
  changed: input('ProgramChange', { ...fields, ...pick(teamMemberChangeFields, 'phone') }),
  examples: {
    membership: { ...membershipExample, role: { id: API.id, name: API.name } },
    given: 'program',
    create: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      document: '529.982.247-25',
      phone: '+55 11 99999-0000',
    },
    update: { name: 'Maria da Silva', email: 'maria@example.com', document: '529.982.247-25' },
  },
})
