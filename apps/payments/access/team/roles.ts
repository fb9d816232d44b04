import { right } from '../../../../core/fp.ts'
import { SNAKE_CASE } from '../../../../core/kernel/input/field.ts'
import { paging } from '../../../../core/kernel/input/query.ts'
import { offsetOf } from '../../../../core/kernel/values/page.ts'
import { ASSIGNABLE_ROLES, guardRoleView, type Role } from '../../../../core/payments/actor.ts'
import { page } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'

const LISTED = 'Perfis listados com sucesso.'

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
    input: { query: paging },
    run:
      (_call, { query: asked }) =>
      async () => {
        const start = offsetOf(asked)
        const records = ASSIGNABLE_ROLES.slice(start, start + asked.perPage)
        return right({ ...asked, records, total: ASSIGNABLE_ROLES.length })
      },
    reply: page<Role>({ view: guardRoleView, message: LISTED }),
    example: {
      given: 'organization',
      reply: {
        code: 200,
        success: true,
        data: ASSIGNABLE_ROLES.map(guardRoleView.on(SNAKE_CASE).encode),
        meta: { current_page: 1, per_page: 15, total: ASSIGNABLE_ROLES.length, last_page: 1 },
        message: LISTED,
      },
    },
  }),
]
