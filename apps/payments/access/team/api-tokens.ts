import { body } from '../../../../core/kernel/input/body.ts'
import { nullable, nullIfAbsent, optional } from '../../../../core/kernel/input/codec.ts'
import { email, line, unmarked } from '../../../../core/kernel/input/fields/texts.ts'
import { inQuery, query } from '../../../../core/kernel/input/query.ts'
import { API } from '../../../../core/payments/role.ts'
import { membershipRows } from './membership-rows.ts'
import { membershipExample } from './membership-shape.ts'

const MAX_NAME = 30

const fields = {
  name: line({ max: MAX_NAME }),
  email: email({ max: 255 }),
  document: unmarked({ max: 20 }),
}

const newProgram = body({ ...fields, phone: nullIfAbsent(line({ max: 20 })) })
const programChange = body({ ...fields, phone: optional(nullable(line({ max: 20 }))) })

const filters = query({
  page: inQuery.page(),
  per_page: inQuery.perPage({ usual: 100 }),
  search: inQuery.text(),
})

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
  filters,
  filterOf: ({ page, per_page: perPage, search }) => ({ page, perPage, search }),
  created: newProgram,
  newOf: (person) => ({ ...person, roleId: API.id, password: null }),
  changed: programChange,
  changeOf: (change) => change,
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
