import { body } from '../../../../../core/kernel/body.ts'
import { nullable, nullIfAbsent, optional } from '../../../../../core/kernel/codec.ts'
import { email, text, unmarked } from '../../../../../core/kernel/fields/texts.ts'
import { inQuery, query } from '../../../../../core/kernel/query.ts'
import type { Colleague } from '../../../../../core/payments/accounts/people/colleague.ts'
import { linkView } from '../../../../../core/payments/accounts/people/link.ts'
import { API } from '../../../../../core/payments/accounts/role.ts'
import { json, page } from '../../../../http/json-reply.ts'
import type { AnyRow } from '../../../../http/row.ts'
import { route } from '../../../house.ts'
import { shown } from '../shown.ts'
import { linkExample, linkMeta, linkMetaExample, linkShape } from './link-shape.ts'

const area = 'Usuários de API (legado)'
const use = '/v1/users'

const MAX_NAME = 30

const fields = {
  name: text({ max: MAX_NAME }),
  email: email({ max: 255 }),
  document: unmarked({ max: 20 }),
}

const newProgram = body({ ...fields, phone: nullIfAbsent(text({ max: 20 })) })
const programChange = body({ ...fields, phone: optional(nullable(text({ max: 20 }))) })

const filters = query({
  page: inQuery.page(),
  per_page: inQuery.perPage({ usual: 100 }),
  search: inQuery.text(),
})

const LISTED = 'Usuários API listados com sucesso!'
const CREATED = 'Usuário API criado com sucesso!'
const SHOWN = 'Usuário API recuperado com sucesso!'
const UPDATED = 'Usuário API atualizado com sucesso!'
const REMOVED = 'Usuário API removido com sucesso!'
const programExample = { ...linkExample, role: { id: API.id, name: API.name } }
const errors = { 'record.missing': { status: 404, message: 'Usuário API não encontrado.' } }

/** Programs that call for the account, by their links. Source: 01-access.md, Legacy API-key users; decisions.md §12. */
export const apiTokenRows: readonly AnyRow[] = [
  route({
    name: 'api-tokens.list',
    area,
    summary: 'Lista os usuários de API da conta',
    methods: ['GET'],
    paths: ['/access/manager/api-tokens'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:read',
    input: { query: filters },
    output: linkShape,
    run: ({ core, actor }, { query: asked }) => {
      const { page: number, per_page: perPage, search } = asked
      return core.listLinks(actor, 'programs', { page: number, perPage, search })
    },
    reply: page<Colleague>({ view: linkView, meta: linkMeta, message: LISTED }),
    deprecated: { use },
    example: {
      given: 'program',
      reply: { code: 200, success: true, data: [programExample], meta: linkMetaExample, message: LISTED },
    },
  }),
  route({
    name: 'api-tokens.create',
    area,
    summary: 'Cria um usuário de API na conta',
    methods: ['POST'],
    paths: ['/access/manager/api-tokens'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:write',
    input: { body: newProgram },
    output: linkShape,
    run: ({ core, actor }, { body: person }) => core.addColleague(actor, { ...person, roleId: API.id, password: null }),
    reply: json({ status: 201, message: CREATED, view: linkView }),
    deprecated: { use },
    example: {
      given: 'organization',
      request: {
        body: {
          name: 'Maria da Silva',
          email: 'maria@example.com',
          document: '529.982.247-25',
          phone: '+55 11 99999-0000',
        },
      },
      reply: { code: 201, success: true, data: programExample, message: CREATED },
    },
  }),
  route({
    name: 'api-tokens.show',
    area,
    summary: 'Mostra um usuário de API pelo seu vínculo',
    methods: ['GET'],
    paths: ['/access/manager/api-tokens/:id'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:read',
    record: ({ core, actor, asked }) => core.readLink(actor, 'programs', asked.params.id ?? ''),
    input: {},
    output: linkShape,
    run: ({ record }) => shown(record),
    reply: json({ message: SHOWN, view: linkView }),
    errors,
    deprecated: { use },
    example: {
      given: 'program',
      request: { params: { id: '2' } },
      reply: { code: 200, success: true, data: programExample, message: SHOWN },
    },
  }),
  route({
    name: 'api-tokens.update',
    area,
    summary: 'Altera um usuário de API',
    methods: ['PUT', 'PATCH'],
    paths: ['/access/manager/api-tokens/:id'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:write',
    record: ({ core, actor, asked }) => core.readLink(actor, 'programs', asked.params.id ?? ''),
    input: { body: programChange },
    output: linkShape,
    run: ({ core, actor, record }, { body: change }) => core.updateLink(actor, record.user.id, change),
    reply: json({ message: UPDATED, view: linkView }),
    errors,
    deprecated: { use },
    example: {
      given: 'program',
      request: {
        params: { id: '2' },
        body: { name: 'Maria da Silva', email: 'maria@example.com', document: '529.982.247-25' },
      },
      reply: { code: 200, success: true, data: programExample, message: UPDATED },
    },
  }),
  route({
    name: 'api-tokens.remove',
    area,
    summary: 'Remove um usuário de API',
    methods: ['DELETE'],
    paths: ['/access/manager/api-tokens/:id'],
    dialect: 'envelope',
    auth: 'account',
    permission: 'users:write',
    record: ({ core, actor, asked }) => core.readLink(actor, 'programs', asked.params.id ?? ''),
    input: {},
    output: linkShape,
    run: ({ core, actor, record }) => core.removeColleague(actor, record.user.id),
    reply: json({ message: REMOVED, view: linkView }),
    errors,
    deprecated: { use },
    example: {
      given: 'program',
      request: { params: { id: '2' } },
      reply: { code: 200, success: true, data: programExample, message: REMOVED },
    },
  }),
]
