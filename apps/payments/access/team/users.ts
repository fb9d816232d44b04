import { t } from '../../../../core/fp.ts'
import { body } from '../../../../core/kernel/input/body.ts'
import { nullable, optional } from '../../../../core/kernel/input/codec.ts'
import { email, line, secret } from '../../../../core/kernel/input/fields/texts.ts'
import { requiredWith, sameAs } from '../../../../core/kernel/input/rules.ts'
import type { TeamMember } from '../../../../core/payments/access/team/team-member.ts'
import { userView } from '../../../../core/payments/members/user.ts'
import { MANAGER } from '../../../../core/payments/role.ts'
import { json, list } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { shown } from '../../shown.ts'
import { requestedPage, v1Page } from '../../v1-page.ts'
import { newPerson } from '../people/person-body.ts'
import { userExample, userFields } from '../people/user-shape.ts'

const area = 'Usuários'

const userChange = body(
  {
    name: optional(line({ max: 255 })),
    email: optional(email({ max: 255 })),
    phone: optional(nullable(line({ max: 20 }))),
    password: optional(secret({ min: 8 })),
    password_confirmation: optional(secret()),
  },
  requiredWith(['password_confirmation'], 'password'),
  sameAs('password_confirmation', 'password'),
)

const userShape = t.type(userFields)
const view = ({ user }: TeamMember) => userView(user)
const errors = { 'record.missing': { status: 404, message: 'Usuário não encontrado.' } }

/** Source: 01-access.md, v1 users; decisions.md §12, People. */
export const userRows: readonly AnyRow[] = [
  route({
    name: 'users.list',
    area,
    summary: 'Lista os usuários da organização, do mais novo ao mais antigo',
    methods: ['GET'],
    paths: ['/v1/users'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'users:read',
    input: { query: v1Page },
    output: userShape,
    run: ({ core, actor, request }, { query }) => core.team.list(actor, requestedPage(request, query)),
    reply: list<TeamMember>({ key: 'users', message: 'Usuários listados com sucesso.', view }),
    example: {
      given: 'organization',
      reply: { code: 200, success: true, users: [userExample], message: 'Usuários listados com sucesso.' },
    },
  }),
  route({
    name: 'users.create',
    area,
    summary: 'Cria um usuário na organização',
    methods: ['POST'],
    paths: ['/v1/users'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'users:write',
    input: { body: newPerson },
    output: userShape,
    run: ({ core, actor }, { body: { password_confirmation: _, ...sent } }) =>
      core.team.add(actor, { ...sent, document: null, roleId: MANAGER.id }),
    reply: json({ status: 201, key: 'user', message: 'Usuário criado com sucesso.', view }),
    example: {
      given: 'organization',
      request: {
        body: {
          name: 'Maria da Silva',
          email: 'maria@example.com',
          password: 'correto e longo',
          password_confirmation: 'correto e longo',
          phone: '+55 11 99999-0000',
        },
      },
      reply: { code: 201, success: true, user: userExample, message: 'Usuário criado com sucesso.' },
    },
  }),
  route({
    name: 'users.show',
    area,
    summary: 'Mostra um usuário da organização',
    methods: ['GET'],
    paths: ['/v1/users/:id'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'users:read',
    record: ({ core, actor, request }) => core.team.read(actor, request.params.id ?? ''),
    input: {},
    output: userShape,
    run: ({ record }) => shown(record),
    reply: json({ key: 'user', message: 'Usuário obtido com sucesso.', view }),
    errors,
    example: {
      given: 'teamMember',
      request: { params: { id: '1' } },
      reply: { code: 200, success: true, user: userExample, message: 'Usuário obtido com sucesso.' },
    },
  }),
  route({
    name: 'users.update',
    area,
    summary: 'Altera um usuário da organização',
    methods: ['PUT', 'PATCH'],
    paths: ['/v1/users/:id'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'users:write',
    record: ({ core, actor, request }) => core.team.read(actor, request.params.id ?? ''),
    input: { body: userChange },
    output: userShape,
    run: ({ core, actor, record }, { body: { password_confirmation: _, ...sent } }) =>
      core.team.update(actor, record.user.id, sent),
    reply: json({ key: 'user', message: 'Usuário atualizado com sucesso.', view }),
    errors,
    example: {
      given: 'teamMember',
      request: { params: { id: '1' }, body: { name: 'Maria da Silva', phone: '+55 11 99999-0000' } },
      reply: { code: 200, success: true, user: userExample, message: 'Usuário atualizado com sucesso.' },
    },
  }),
  route({
    name: 'users.remove',
    area,
    summary: 'Remove um usuário da organização',
    methods: ['DELETE'],
    paths: ['/v1/users/:id'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'users:write',
    record: ({ core, actor, request }) => core.team.read(actor, request.params.id ?? ''),
    input: {},
    output: t.null,
    run: ({ core, actor, record }) => core.team.remove(actor, record.user.id),
    reply: json({ message: 'Usuário removido com sucesso.' }),
    errors,
    example: {
      given: 'teamMember',
      request: { params: { id: '1' } },
      reply: { code: 200, success: true, message: 'Usuário removido com sucesso.' },
    },
  }),
]
