import { right } from '../../../fp.ts'
import { all, contains, eq, not, type Where } from '../../../kernel/records/where.ts'
import type { UseCase } from '../../../kernel/running/use-case.ts'
import type { PageOf } from '../../../kernel/values/listing.ts'
import { offsetOf, type Page } from '../../../kernel/values/page.ts'
import { documentIn } from '../../../kernel/values/tax-id.ts'
import { fold } from '../../../kernel/values/text.ts'
import { listOf } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type Membership, memberships } from '../../members/membership.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { API } from '../../role.ts'
import { withUsers } from './list-team.ts'
import type { TeamMember } from './team-member.ts'

/** People sign in; programs have an API key. Neither list shows the other's memberships. */
export type MembershipKind = 'people' | 'programs'

export interface MembershipFilter extends Page {
  readonly search?: string | undefined
  readonly roleId?: number | undefined
  readonly status?: number | undefined
}

type Field = keyof Membership & string

/**
 * A page of an account's memberships, the newest first: of people, without the caller, or of programs.
 * Source: 01-access.md, Legacy account users and API-key users.
 */
export const listMemberships =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  (
    actor: Pick<Actor, 'accountId' | 'userId'>,
    kind: MembershipKind,
    filter: MembershipFilter,
  ): UseCase<PageOf<TeamMember>, never> =>
  async () => {
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
  }

const kindOf = (kind: MembershipKind, userId: number): readonly Where<Field>[] =>
  kind === 'programs' ? [eq('roleId', API.id)] : [not(eq('roleId', API.id)), not(eq('userId', userId))]

const conditionsOf = ({ search, roleId, status }: MembershipFilter): readonly Where<Field>[] => [
  ...(search === undefined ? [] : [contains<Field>('search', fold(documentIn(search) ?? search))]),
  ...(roleId === undefined ? [] : [eq<Field>('roleId', roleId)]),
  ...(status === undefined ? [] : [eq<Field>('status', status)]),
]
