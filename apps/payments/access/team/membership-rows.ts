import { line } from '../../../../core/kernel/input/texts.ts'
import type { Json } from '../../../../core/kernel/records/record.ts'
import type { Member } from '../../../../core/payments/access/authenticate.ts'
import type { MembershipFilter, MembershipKind, TeamMember } from '../../../../core/payments/access/team.ts'
import { membershipView } from '../../../../core/payments/access/team.ts'
import type { NewTeamMember, TeamMemberChange } from '../../../../core/payments/access/team-changes.ts'
import { API } from '../../../../core/payments/actor.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import { json, page } from '../../../http/replies/json-reply.ts'
import type { AnyRow, Call, Sided } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { shown } from '../../shown.ts'
import { membershipMeta, membershipMetaExample } from './membership-example.ts'

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
  readonly filter: Sided<MembershipFilter>
  /** Of programs nobody says the role: they have but one. */
  readonly created: Sided<Omit<NewTeamMember, 'roleId'> & Partial<Pick<NewTeamMember, 'roleId'>>>
  readonly changed: Sided<TeamMemberChange>
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
      run: ({ record }) => shown(record),
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
