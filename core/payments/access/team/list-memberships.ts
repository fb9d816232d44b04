import { right } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery, pageFields } from '../../../kernel/input/query.ts'
import { all, eq, not, type Where } from '../../../kernel/records/where.ts'
import { searchIn } from '../../../kernel/resources/list-queries.ts'
import { useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import { offsetOf, type PageOf } from '../../../kernel/values/page.ts'
import { listOf } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { API, ROLES } from '../../actor.ts'
import { type Membership, memberships } from '../../members/membership.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { withUsers } from './list-team.ts'
import type { TeamMember } from './team-member.ts'

/** People sign in; programs have an API key. Neither list shows the other's memberships. */
export type MembershipKind = 'people' | 'programs'

/** By what an account's memberships are looked for. */
export const membershipFilterFields = {
  page: pageFields.page,
  perPage: inQuery.perPage({ default: 100, about: 'Registros por página' }),
  search: inQuery.text({ about: 'Parte do nome, do e-mail ou do documento' }),
  status: inQuery.integer({ min: 0, max: 1, about: '1 ativo, 0 inativo' }),
  roleId: inQuery.integer({ min: 1, max: ROLES.length, wire: 'role', about: 'Perfil na conta' }),
}

export const membershipFilter = input('MembershipFilter', membershipFilterFields)

export type MembershipFilter = InputOf<typeof membershipFilter>

type Field = keyof Membership & string

/**
 * A page of an account's memberships, the newest first: of people, without the caller, or of programs.
 * Fails: `fields`. Source: 01-access.md, Legacy account users and API-key users.
 */
export const listMemberships =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  (actor: Pick<Actor, 'accountId' | 'userId'>, kind: MembershipKind, given: MembershipFilter) =>
    withValidInput(ports, membershipFilter, given, (filter) =>
      useCaseOf<PageOf<TeamMember>>()(async () => {
        const { store } = ports
        const { page, perPage } = filter
        const { records, total } = await store.list(
          listOf(memberships, {
            where: all(eq<Field>('accountId', actor.accountId), ...kindOf(kind, actor.userId), ...conditionsOf(filter)),
            sort: { by: 'createdAt', dir: 'desc' },
            limit: perPage,
            offset: offsetOf(filter),
            total: true,
          }),
        )
        return right({ page, perPage, records: await withUsers(store, records), total: total ?? 0 })
      }),
    )

const kindOf = (kind: MembershipKind, userId: number): readonly Where<Field>[] =>
  kind === 'programs' ? [eq('roleId', API.id)] : [not(eq('roleId', API.id)), not(eq('userId', userId))]

const conditionsOf = ({ search, roleId, status }: DecodedOf<typeof membershipFilter>): readonly Where<Field>[] => [
  ...(search === undefined ? [] : [searchIn<Field>('search', search)]),
  ...(roleId === undefined ? [] : [eq<Field>('roleId', roleId)]),
  ...(status === undefined ? [] : [eq<Field>('status', status)]),
]
