import { body } from '../../../../../core/kernel/body.ts'
import { nullable, nullIfAbsent, optional } from '../../../../../core/kernel/codec.ts'
import { issue } from '../../../../../core/kernel/failure.ts'
import { oneOf } from '../../../../../core/kernel/fields/choices.ts'
import { email, secret, text, unmarked } from '../../../../../core/kernel/fields/texts.ts'
import { inQuery, query } from '../../../../../core/kernel/query.ts'
import { rule } from '../../../../../core/kernel/rules.ts'
import type { Colleague } from '../../../../../core/payments/accounts/people/colleague.ts'
import { linkView } from '../../../../../core/payments/accounts/people/link.ts'
import { API, ROLES } from '../../../../../core/payments/accounts/role.ts'
import { json, page } from '../../../../http/json-reply.ts'
import type { AnyRow } from '../../../../http/row.ts'
import { route } from '../../../house.ts'
import { shown } from '../shown.ts'
import { linkExample, linkMeta, linkMetaExample, linkShape } from './link-shape.ts'

const area = 'Usuários da conta (legado)'
const use = '/v1/users'

const roleIds = ROLES.map(({ id }) => id)
const MAX_NAME = 30

const newLink = body(
  {
    name: text({ max: MAX_NAME }),
    email: email({ max: 255 }),
    document: unmarked({ max: 20 }),
    role: oneOf(roleIds),
    password: optional(secret({ min: 5 })),
    phone: nullIfAbsent(text({ max: 20 })),
  },
  rule(['role', 'password'], ({ role, password }) =>
    role !== API.id && password === undefined ? [issue('password', 'required')] : [],
  ),
)

const linkChange = body({
  name: optional(text({ max: MAX_NAME })),
  email: optional(email({ max: 255 })),
  document: optional(unmarked({ max: 20 })),
  phone: optional(nullable(text({ max: 20 }))),
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

const LISTED = 'Usuários listados com sucesso!'
const CREATED = 'Usuário criado com sucesso!'
const SHOWN = 'Usuário recuperado com sucesso!'
const UPDATED = 'Usuário atualizado com sucesso!'
const REMOVED = 'Usuário removido com sucesso!'
const errors = { 'record.missing': { status: 404, message: 'Usuário não encontrado.' } }

/** People of the account by their links. Source: 01-access.md, Legacy account users; decisions.md §12, People. */
export const managerUserRows: readonly AnyRow[] = [
  route({
    name: 'manager-users.list',
    area,
    summary: 'Lista os usuários da conta, sem quem pergunta',
    methods: ['GET'],
    paths: ['/access/manager/users'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:read',
    input: { query: filters },
    output: linkShape,
    run: ({ core, actor }, { query: asked }) => {
      const { page: number, per_page: perPage, search, status, role: roleId } = asked
      return core.listLinks(actor, 'people', { page: number, perPage, search, status, roleId })
    },
    reply: page<Colleague>({ view: linkView, meta: linkMeta, message: LISTED }),
    deprecated: { use },
    example: {
      given: 'link',
      reply: { code: 200, success: true, data: [linkExample], meta: linkMetaExample, message: LISTED },
    },
  }),
  route({
    name: 'manager-users.create',
    area,
    summary: 'Cria um usuário na conta',
    methods: ['POST'],
    paths: ['/access/manager/users'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:write',
    input: { body: newLink },
    output: linkShape,
    run: ({ core, actor }, { body: { role: roleId, password = null, ...person } }) =>
      core.addColleague(actor, { ...person, roleId, password }),
    reply: json({ status: 201, message: CREATED, view: linkView }),
    deprecated: { use },
    example: {
      given: 'organization',
      request: {
        body: {
          name: 'Maria da Silva',
          email: 'maria@example.com',
          document: '529.982.247-25',
          role: 3,
          password: 'correto e longo',
          phone: '+55 11 99999-0000',
        },
      },
      reply: { code: 201, success: true, data: linkExample, message: CREATED },
    },
  }),
  route({
    name: 'manager-users.show',
    area,
    summary: 'Mostra um usuário da conta pelo seu vínculo',
    methods: ['GET'],
    paths: ['/access/manager/users/:id'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:read',
    record: ({ core, actor, asked }) => core.readLink(actor, 'people', asked.params.id ?? ''),
    input: {},
    output: linkShape,
    run: ({ record }) => shown(record),
    reply: json({ message: SHOWN, view: linkView }),
    errors,
    deprecated: { use },
    example: {
      given: 'link',
      request: { params: { id: '2' } },
      reply: { code: 200, success: true, data: linkExample, message: SHOWN },
    },
  }),
  route({
    name: 'manager-users.update',
    area,
    summary: 'Altera um usuário da conta e o seu vínculo',
    methods: ['PUT', 'PATCH'],
    paths: ['/access/manager/users/:id'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:write',
    record: ({ core, actor, asked }) => core.readLink(actor, 'people', asked.params.id ?? ''),
    input: { body: linkChange },
    output: linkShape,
    run: ({ core, actor, record }, { body: { role: roleId, ...change } }) =>
      core.updateLink(actor, record.user.id, { ...change, roleId }),
    reply: json({ message: UPDATED, view: linkView }),
    errors,
    deprecated: { use },
    example: {
      given: 'link',
      request: { params: { id: '2' }, body: { name: 'Maria da Silva', role: 3, status: 1 } },
      reply: { code: 200, success: true, data: linkExample, message: UPDATED },
    },
  }),
  route({
    name: 'manager-users.remove',
    area,
    summary: 'Remove um usuário da conta',
    methods: ['DELETE'],
    paths: ['/access/manager/users/:id'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:write',
    record: ({ core, actor, asked }) => core.readLink(actor, 'people', asked.params.id ?? ''),
    input: {},
    output: linkShape,
    run: ({ core, actor, record }) => core.removeColleague(actor, record.user.id),
    reply: json({ message: REMOVED, view: linkView }),
    errors,
    deprecated: { use },
    example: {
      given: 'link',
      request: { params: { id: '2' } },
      reply: { code: 200, success: true, data: linkExample, message: REMOVED },
    },
  }),
]
