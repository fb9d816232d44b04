import { right } from '../../../core/fp.ts'
import { optional, SNAKE_CASE } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { paging } from '../../../core/kernel/input/query.ts'
import { pick } from '../../../core/kernel/input/table.ts'
import { line } from '../../../core/kernel/input/texts.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import { offsetOf } from '../../../core/kernel/values/page.ts'
import type { Member } from '../../../core/payments/access/authenticate.ts'
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
import { API, ASSIGNABLE_ROLES, guardRoleView, type Role } from '../../../core/payments/actor.ts'
import { legacyDocument, legacyPasswords } from '../../../core/payments/members/user.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import type { PageCount } from '../../http/replies/dialect.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow, Call, DialectInput } from '../../http/rows/row.ts'
import { route, succeedWith } from '../api.ts'
import { memberExample } from './users.ts'

/** A membership as `membershipView` shows it, for the documentation. */
export const membershipExample = {
  id: 2,
  user_id: 2,
  account_id: 1,
  user: { ...memberExample, id: 2, document: '52998224725' },
  role: { id: 3, name: 'OPERATOR' },
  status: 1,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

/** The meta of lists of memberships. Source: 01-access.md, Legacy account users. */
export const membershipMeta = ({ page, perPage, total }: PageCount) => {
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

export const membershipMetaExample = membershipMeta({ page: 1, perPage: 100, total: 1 })

type MemberCall = Call<Payments, Member, null>

/** A name as legacy routes take it of who works in an account. */
export const shortName = line({ max: 30, about: 'Nome' })

/** In what memberships of people and those of programs differ. */
interface MembershipRows {
  /** `manager-users` */
  readonly name: string
  readonly area: string
  readonly path: string
  readonly kind: MembershipKind
  /** `Usuário`, and several of them, as the messages name them; `um usuário` and `os usuários`, as summaries do. */
  readonly noun: string
  readonly nouns: string
  readonly someone: string
  readonly everyone: string
  readonly filter: DialectInput<MembershipFilter>
  /** Of programs nobody says the role: they have but one. */
  readonly created: DialectInput<Omit<NewTeamMember, 'roleId'> & Partial<Pick<NewTeamMember, 'roleId'>>>
  readonly changed: DialectInput<TeamMemberChange>
  readonly examples: {
    readonly membership: Json
    /** The fixture that makes one. */
    readonly given: string
    readonly create: Json
    readonly update: Json
  }
}

const about = (area: string) => ({ area, dialect: 'envelope', auth: 'account' }) as const

const said = ({ noun }: { readonly noun: string }, deed: string): string => `${noun} ${deed} com sucesso!`

/** The five routes of one kind of membership. Source: 01-access.md, Legacy account users and API-key users. */
export const membershipRows = (spec: MembershipRows): readonly AnyRow[] => [
  ...allMemberships(spec),
  ...oneMembership(spec),
]

const allMemberships = (spec: MembershipRows): readonly AnyRow[] => {
  const { name, area, path, kind, nouns, examples } = spec
  const { membership, given } = examples
  const listed = `${nouns} listados com sucesso!`
  const created = said(spec, 'criado')
  return [
    route({
      ...about(area),
      name: `${name}.list`,
      summary: `Lista ${spec.everyone} da conta`,
      methods: ['GET'],
      paths: [path],
      permission: 'users:read',
      input: { query: spec.filter },
      run: ({ core, actor }, { query }) => core.team.listMemberships(actor, kind, query),
      reply: page<TeamMember>({ view: membershipView, meta: membershipMeta, message: listed }),
      example: {
        given,
        reply: { code: 200, success: true, data: [membership], meta: membershipMetaExample, message: listed },
      },
    }),
    route({
      ...about(area),
      name: `${name}.create`,
      summary: `Cria ${spec.someone} na conta`,
      methods: ['POST'],
      paths: [path],
      permission: 'users:write',
      input: { body: spec.created },
      run: ({ core, actor }, { body: sent }) => core.team.add(actor, { roleId: API.id, ...sent }),
      reply: json({ status: 201, message: created, view: membershipView }),
      errors: { 'account.unknown': {} },
      example: {
        given: 'organization',
        request: { body: examples.create },
        reply: { code: 201, success: true, data: membership, message: created },
      },
    }),
  ]
}

const oneMembership = (spec: MembershipRows): readonly AnyRow[] => {
  const { name, path, kind, noun, examples } = spec
  const one = {
    ...about(spec.area),
    paths: [`${path}/:id`],
    record: ({ core, actor, request }: MemberCall) => core.team.readMembership(actor, kind, request.params.id ?? ''),
    errors: { 'user.unknown': { status: 404, message: `${noun} não encontrado.` } },
  }
  const reply = (deed: string) => json({ message: said(spec, deed), view: membershipView })
  const example = (deed: string) => ({
    given: examples.given,
    request: { params: { id: '2' } },
    reply: { code: 200, success: true, data: examples.membership, message: said(spec, deed) },
  })
  return [
    route({
      ...one,
      name: `${name}.show`,
      summary: `Mostra ${spec.someone} da conta pelo seu vínculo`,
      methods: ['GET'],
      permission: 'users:read',
      input: {},
      run: ({ record }) => succeedWith(record),
      reply: reply('recuperado'),
      example: example('recuperado'),
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
      errors: { ...one.errors, 'user.shared': {}, 'user.last-admin': {} },
      example: { ...example('atualizado'), request: { params: { id: '2' }, body: examples.update } },
    }),
    route({
      ...one,
      name: `${name}.remove`,
      summary: `Remove ${spec.someone} da conta`,
      methods: ['DELETE'],
      permission: 'users:write',
      input: {},
      run: ({ core, actor, record }) => core.team.remove(actor, record.user.id),
      reply: reply('removido'),
      errors: { ...one.errors, 'user.last-admin': {}, 'user.self': {} },
      example: example('removido'),
    }),
  ]
}

const newMembership = input(
  'NewMembership',
  {
    ...newTeamMemberFields,
    name: shortName,
    document: legacyDocument,
    password: optional(legacyPasswords.first),
  },
  peopleNeedPassword,
)

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
  filter: membershipFilter,
  created: newMembership,
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
