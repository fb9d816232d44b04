import { right, t } from '../../../../core/fp.ts'
import { out } from '../../../../core/kernel/input/outputs.ts'
import { inQuery, query } from '../../../../core/kernel/input/query.ts'
import { offsetOf } from '../../../../core/kernel/values/page.ts'
import { ORDINARY_ROLES, type Role } from '../../../../core/payments/role.ts'
import { page } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'

const LISTED = 'Perfis listados com sucesso.'

const roleView = ({ id, name, permissions }: Role) => ({ id, name, guard_name: 'api', permissions })

/** Source: 01-access.md, GET /access/manager/guard/roles; decisions.md §1, Roles and permissions. */
export const roleRows: readonly AnyRow[] = [
  route({
    name: 'roles.list',
    area: 'Usuários da conta (legado)',
    summary: 'Lista os perfis que uma conta dá aos seus usuários',
    methods: ['GET'],
    paths: ['/access/manager/guard/roles'],
    dialect: 'envelope',
    auth: 'account',
    input: { query: query({ page: inQuery.page(), per_page: inQuery.perPage() }) },
    output: t.type({ id: out.id, name: t.string, guard_name: t.literal('api'), permissions: t.array(t.string) }),
    run:
      (_call, { query: { page: number, per_page: perPage } }) =>
      async () => {
        const request = { page: number, perPage }
        const start = offsetOf(request)
        const records = ORDINARY_ROLES.slice(start, start + perPage)
        return right({ ...request, records, total: ORDINARY_ROLES.length })
      },
    reply: page<Role>({ view: roleView, message: LISTED }),
    deprecated: true,
    example: {
      given: 'organization',
      reply: {
        code: 200,
        success: true,
        data: ORDINARY_ROLES.map((role) => ({ ...roleView(role), permissions: [...role.permissions] })),
        meta: { current_page: 1, per_page: 15, total: ORDINARY_ROLES.length, last_page: 1 },
        message: LISTED,
      },
    },
  }),
]
