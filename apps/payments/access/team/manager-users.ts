import { issue } from '../../../../core/failure.ts'
import { body } from '../../../../core/kernel/input/body.ts'
import { nullable, nullIfAbsent, optional } from '../../../../core/kernel/input/codec.ts'
import { oneOf } from '../../../../core/kernel/input/fields/choices.ts'
import { email, line, secret, unmarked } from '../../../../core/kernel/input/fields/texts.ts'
import { inQuery, query } from '../../../../core/kernel/input/query.ts'
import { rule } from '../../../../core/kernel/input/rules.ts'
import { API, ROLES } from '../../../../core/payments/role.ts'
import { membershipRows } from './membership-rows.ts'
import { membershipExample } from './membership-shape.ts'

const roleIds = ROLES.map(({ id }) => id)
const MAX_NAME = 30

const newMembership = body(
  {
    name: line({ max: MAX_NAME }),
    email: email({ max: 255 }),
    document: unmarked({ max: 20 }),
    role: oneOf(roleIds),
    password: optional(secret({ min: 5 })),
    phone: nullIfAbsent(line({ max: 20 })),
  },
  rule(['role', 'password'], ({ role, password }) =>
    role !== API.id && password === undefined ? [issue('password', 'required')] : [],
  ),
)

const membershipChange = body({
  name: optional(line({ max: MAX_NAME })),
  email: optional(email({ max: 255 })),
  document: optional(unmarked({ max: 20 })),
  phone: optional(nullable(line({ max: 20 }))),
  password: optional(secret({ min: 6 })),
  role: optional(oneOf(roleIds)),
  status: optional(oneOf([0, 1])),
})

const filters = query({
  page: inQuery.page(),
  per_page: inQuery.perPage({ usual: 100 }),
  search: inQuery.text(),
  status: inQuery.integer({ min: 0, max: 1 }),
  role: inQuery.integer({ min: 1, max: roleIds.length }),
})

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
  filters,
  filterOf: ({ page, per_page: perPage, search, status, role: roleId }) => ({ page, perPage, search, status, roleId }),
  created: newMembership,
  newOf: ({ role: roleId, password = null, ...person }) => ({ ...person, roleId, password }),
  changed: membershipChange,
  changeOf: ({ role: roleId, ...change }) => ({ ...change, roleId }),
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
