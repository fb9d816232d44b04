import { input, line, optional, paging, pick, SNAKE_CASE } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import {
  type MembershipFilter,
  type MembershipKind,
  membershipFilter,
  membershipFilterFields,
  membershipView,
  type TeamMember,
} from '../../../core/payments/access/team.ts'
import {
  type NewTeamMember,
  newTeamMemberFields,
  peopleNeedPassword,
  type TeamMemberChange,
  teamMemberChangeFields,
} from '../../../core/payments/access/team-changes.ts'
import { legacyDocument, legacyPasswords } from '../../../core/payments/members/user.ts'
import { API, ASSIGNABLE_ROLES, guardRoleView, type Role } from '../../../core/payments/payments-ports.ts'
import { offsetOf } from '../../../core/ports/store.ts'
import type { PageCount } from '../../http/replies/dialect.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow, DialectInput } from '../../http/rows/row.ts'
import { type AccountCall, route, succeedWith } from '../api.ts'
import { memberExample } from './users.ts'

/** An example of `membershipView`. */
const membershipExample = {
  id: 2,
  user_id: 2,
  account_id: 1,
  user: { ...memberExample, id: 2, document: '52998224725' },
  role: { id: 3, name: 'OPERATOR' },
  status: 1,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

const membershipMeta = ({ page, perPage, total }: PageCount) => {
  const totalPages = Math.max(1, Math.ceil(total / perPage))
  return {
    total,
    page,
    limit: perPage,
    total_pages: totalPages,
    has_next_page: page < totalPages,
    has_prev_page: page > 1,
  }
}

/** The name of a user of an account, shorter on these routes than elsewhere. */
const shortName = line({ max: 30, about: 'Nome' })

/** The differences between memberships of people and those of programs. */
interface MembershipKindSpec {
  /** The beginning of the row names: `manager-users`. */
  readonly name: string
  readonly area: string
  readonly path: string
  readonly kind: MembershipKind
  /** `Usuário` and `Usuários`, for messages; `um usuário` and `os usuários`, for summaries. */
  readonly noun: string
  readonly nouns: string
  readonly someone: string
  readonly everyone: string
  readonly filter: DialectInput<MembershipFilter>
  /** Without a role for programs, which all have the role `API`. */
  readonly created: DialectInput<Omit<NewTeamMember, 'roleId'> & Partial<Pick<NewTeamMember, 'roleId'>>>
  readonly changed: DialectInput<TeamMemberChange>
  readonly examples: {
    readonly membership: Json
    /** The fixture that creates a membership of this kind. */
    readonly given: string
    readonly create: Json
    readonly update: Json
  }
}

const sharedBy = (area: string) => ({ area, dialect: 'envelope', auth: 'account' }) as const

const messageOf = ({ noun }: MembershipKindSpec, participle: string): string => `${noun} ${participle} com sucesso!`

/** Returns the five rows of one kind of membership. */
const rowsOf = (spec: MembershipKindSpec): readonly AnyRow[] => [...collectionRows(spec), ...memberRows(spec)]

const collectionRows = (spec: MembershipKindSpec): readonly AnyRow[] => {
  const { name, area, path, kind, nouns, examples } = spec
  const { membership, given } = examples
  return [
    route({
      ...sharedBy(area),
      name: `${name}.list`,
      summary: `Lista ${spec.everyone} da conta`,
      paths: [path],
      permission: 'users:read',
      input: { query: spec.filter },
      run: ({ core, actor }, { query }) => core.team.listMemberships(actor, kind, query),
      reply: page<TeamMember>({
        view: membershipView,
        meta: membershipMeta,
        message: `${nouns} listados com sucesso!`,
      }),
      example: { given, data: membership },
    }),
    route({
      ...sharedBy(area),
      name: `${name}.create`,
      summary: `Cria ${spec.someone} na conta`,
      methods: ['POST'],
      paths: [path],
      permission: 'users:write',
      input: { body: spec.created },
      run: ({ core, actor }, { body: sent }) => core.team.add(actor, { roleId: API.id, ...sent }),
      reply: json({ status: 201, message: messageOf(spec, 'criado'), view: membershipView }),
      errors: { 'account.unknown': {}, 'second-factor.required': {} },
      example: { given: 'organization', request: { body: examples.create }, data: membership },
    }),
  ]
}

const memberRows = (spec: MembershipKindSpec): readonly AnyRow[] => {
  const { name, path, kind, noun, examples } = spec
  const one = {
    ...sharedBy(spec.area),
    paths: [`${path}/:id`],
    record: ({ core, actor, request }: AccountCall) => core.team.readMembership(actor, kind, request.params.id ?? ''),
    errors: { 'user.unknown': { status: 404, message: `${noun} não encontrado.` } },
  }
  const reply = (participle: string) => json({ message: messageOf(spec, participle), view: membershipView })
  const example = { given: examples.given, request: { params: { id: '2' } }, data: examples.membership }
  return [
    route({
      ...one,
      name: `${name}.show`,
      summary: `Mostra ${spec.someone} da conta pelo seu vínculo`,
      permission: 'users:read',
      run: ({ record }) => succeedWith(record),
      reply: reply('recuperado'),
      example,
    }),
    route({
      ...one,
      name: `${name}.update`,
      summary: `Altera ${spec.someone} da conta e o seu vínculo`,
      methods: ['PUT', 'PATCH'],
      permission: 'users:write',
      input: { body: spec.changed },
      run: ({ core, actor, record }, { body: sent }) => core.team.update(actor, record.user.id, sent),
      reply: reply('atualizado'),
      errors: {
        ...one.errors,
        'user.shared': {},
        'user.last-admin': {},
        'password.stale': {},
        'second-factor.required': {},
      },
      example: { ...example, request: { ...example.request, body: examples.update } },
    }),
    route({
      ...one,
      name: `${name}.remove`,
      summary: `Remove ${spec.someone} da conta`,
      methods: ['DELETE'],
      permission: 'users:write',
      run: ({ core, actor, record }) => core.team.remove(actor, record.user.id),
      reply: reply('removido'),
      errors: { ...one.errors, 'user.last-admin': {}, 'user.self': {} },
      example,
    }),
  ]
}

/** The people of an account, by membership. */
const peopleRows = rowsOf({
  name: 'manager-users',
  area: 'Usuários da conta (legado)',
  path: '/access/manager/users',
  kind: 'people',
  noun: 'Usuário',
  nouns: 'Usuários',
  someone: 'um usuário',
  everyone: 'os usuários',
  filter: membershipFilter,
  created: input(
    'NewMembership',
    { ...newTeamMemberFields, name: shortName, document: legacyDocument, password: optional(legacyPasswords.first) },
    peopleNeedPassword,
  ),
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

const programFields = { name: shortName, email: newTeamMemberFields.email, document: legacyDocument }

/** The programs that act in an account, by membership. */
const programRows = rowsOf({
  name: 'api-tokens',
  area: 'Usuários de API (legado)',
  path: '/access/manager/api-tokens',
  kind: 'programs',
  noun: 'Usuário API',
  nouns: 'Usuários API',
  someone: 'um usuário de API',
  everyone: 'os usuários de API',
  filter: input('ProgramFilter', pick(membershipFilterFields, 'page', 'perPage', 'search')),
  created: input('NewProgram', { ...programFields, ...pick(newTeamMemberFields, 'phone') }),
  changed: input('ProgramChange', { ...programFields, ...pick(teamMemberChangeFields, 'phone') }),
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

const LISTED = 'Perfis listados com sucesso.'

/** The people and programs of an account, by membership, and the roles that it can assign. */
export const membershipRows: readonly AnyRow[] = [
  ...peopleRows,
  ...programRows,
  route({
    name: 'roles.list',
    area: 'Usuários da conta (legado)',
    summary: 'Lista os perfis que uma conta dá aos seus usuários',
    paths: ['/access/manager/guard/roles'],
    dialect: 'envelope',
    auth: 'account',
    input: { query: paging },
    run: (_call, { query }) => {
      const start = offsetOf(query)
      const records = ASSIGNABLE_ROLES.slice(start, start + query.perPage)
      return succeedWith({ ...query, records, total: ASSIGNABLE_ROLES.length })
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
