import { allOptional, input, paging, pick, requiredWith, sameAs, view } from '../../../core/kernel/input/mod.ts'
import { userChangeFields } from '../../../core/payments/access/change-user.ts'
import { guardedField } from '../../../core/payments/access/log-in.ts'
import { registrationFields } from '../../../core/payments/access/register.ts'
import type { TeamMember } from '../../../core/payments/access/team.ts'
import { passwordFields, userView } from '../../../core/payments/members/user.ts'
import { MANAGER } from '../../../core/payments/payments-ports.ts'
import { json, list } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { type AccountCall, requestedPage, route, succeedWith } from '../api.ts'

const newPersonFields = { ...registrationFields, passwordConfirmation: passwordFields.passwordConfirmation }

/** The input of a user whom a member of the organization creates. */
const newPerson = input('NewUser', newPersonFields, sameAs('passwordConfirmation', 'password'))

export const signUp = input(
  'SignUp',
  { ...newPersonFields, guarded: guardedField },
  sameAs('passwordConfirmation', 'password'),
)

/** An example of `userView`. */
export const userExample = {
  id: 1,
  name: 'Maria da Silva',
  email: 'maria@example.com',
  phone: '+55 11 99999-0000',
  email_verified_at: null,
}

export const newUserExample = {
  name: 'Maria da Silva',
  email: 'maria@example.com',
  password: 'correto e longo',
  password_confirmation: 'correto e longo',
  phone: '+55 11 99999-0000',
}

/** An example of `memberView`, the user of legacy routes. */
export const memberExample = {
  id: 1,
  name: 'Maria da Silva',
  email: 'maria@example.com',
  phone: '+55 11 99999-0000',
  document: null,
  status: 'ACTIVE',
}

const userChange = input(
  'UserChange',
  { ...pick(userChangeFields, 'name', 'email', 'phone'), ...allOptional(passwordFields) },
  requiredWith(['passwordConfirmation'], 'password'),
  sameAs('passwordConfirmation', 'password'),
)

const memberUserView = view('User', userView.table, ({ user }: TeamMember) => user)

const shared = { area: 'Usuários', dialect: 'v1', auth: 'organization' } as const

const one = {
  ...shared,
  paths: ['/v1/users/:id'],
  record: ({ core, actor, request }: AccountCall) => core.team.read(actor, request.params.id ?? ''),
} as const

export const userRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'users.list',
    summary: 'Lista os usuários da organização, do mais novo ao mais antigo',
    paths: ['/v1/users'],
    permission: 'users:read',
    input: { query: paging },
    run: ({ core, actor, request }, { query }) => core.team.list(actor, requestedPage(request, query)),
    reply: list<TeamMember>({ key: 'users', message: 'Usuários listados com sucesso.', view: memberUserView }),
    example: { given: 'organization', data: userExample },
  }),
  route({
    ...shared,
    name: 'users.create',
    summary: 'Cria um usuário na organização',
    methods: ['POST'],
    paths: ['/v1/users'],
    permission: 'users:write',
    input: { body: newPerson },
    run: ({ core, actor }, { body: sent }) => core.team.add(actor, { ...sent, roleId: MANAGER.id }),
    reply: json({ status: 201, key: 'user', message: 'Usuário criado com sucesso.', view: memberUserView }),
    errors: { 'account.unknown': {}, 'second-factor.required': {} },
    example: { given: 'organization', request: { body: newUserExample }, data: userExample },
  }),
  route({
    ...one,
    name: 'users.show',
    summary: 'Mostra um usuário da organização',
    permission: 'users:read',
    run: ({ record }) => succeedWith(record),
    reply: json({ key: 'user', message: 'Usuário obtido com sucesso.', view: memberUserView }),
    errors: { 'user.unknown': {} },
    example: { given: 'teamMember', request: { params: { id: '1' } }, data: userExample },
  }),
  route({
    ...one,
    name: 'users.update',
    summary: 'Altera um usuário da organização',
    methods: ['PUT', 'PATCH'],
    permission: 'users:write',
    input: { body: userChange },
    run: ({ core, actor, record }, { body: sent }) => core.team.update(actor, record.user.id, sent),
    reply: json({ key: 'user', message: 'Usuário atualizado com sucesso.', view: memberUserView }),
    errors: {
      'user.unknown': {},
      'user.shared': {},
      'user.last-admin': {},
      'password.stale': {},
      'second-factor.required': {},
    },
    example: {
      given: 'teamMember',
      request: { params: { id: '1' }, body: { name: 'Maria da Silva', phone: '+55 11 99999-0000' } },
      data: userExample,
    },
  }),
  route({
    ...one,
    name: 'users.remove',
    summary: 'Remove um usuário da organização',
    methods: ['DELETE'],
    permission: 'users:write',
    run: ({ core, actor, record }) => core.team.remove(actor, record.user.id),
    reply: json({ message: 'Usuário removido com sucesso.' }),
    errors: { 'user.unknown': {}, 'user.last-admin': {}, 'user.self': {} },
    example: { given: 'teamMember', request: { params: { id: '1' } } },
  }),
  route({
    ...one,
    name: 'users.reset-second-factor',
    summary: 'Retira o segundo fator de um usuário que perdeu o aplicativo e os códigos; exige X-Second-Factor',
    methods: ['DELETE'],
    paths: ['/v1/users/:id/second-factor'],
    permission: 'users:write',
    run: ({ core, actor, record }) => core.secondFactor.resetMember(actor, record.user.id),
    reply: json({ message: 'Segundo fator retirado com sucesso.' }),
    errors: {
      'user.unknown': {},
      'user.shared': { message: 'Este usuário também pertence a outra conta: fale com o suporte.' },
      'second-factor.own': {},
      'second-factor.off': {},
      'second-factor.required': {},
    },
    example: { given: 'securedMember', request: { params: { id: '1' } } },
  }),
]
