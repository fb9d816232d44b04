import { right } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery, type Paging, pageFields, paging } from '../../kernel/input/query.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Field } from '../../kernel/records/record.ts'
import { all, eq, not, type Where } from '../../kernel/records/where.ts'
import { searchIn } from '../../kernel/resources/list-queries.ts'
import { newestQuery, scanNewestFirst } from '../../kernel/running/slices.ts'
import { readUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Listing, offsetOf, type PageOf } from '../../kernel/values/page.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, byKey, type Find, listOf, type Store } from '../../ports/store.ts'
import { type Actor, API, ROLES, roleOf, roleView } from '../actor.ts'
import { type Membership, memberKey, membershipFields, memberships } from '../members/membership.ts'
import { memberView, type ShownUser, shownUser, type User, users } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** Somebody who works in an account, and by which membership. */
export interface TeamMember {
  readonly user: ShownUser
  readonly membership: Membership
}

/** The same as it is stored. */
export interface StoredMember extends TeamMember {
  readonly user: User
}

export const shownMember = ({ user, membership }: StoredMember): TeamMember => ({ user: shownUser(user), membership })

/** The account's member of this user id, whatever the membership's status; null for anybody else. */
export const findTeamMember = async (store: Store, accountId: number, userId: number): Promise<StoredMember | null> => {
  const { user, membership } = await store.read({
    user: byId(users, userId),
    membership: byKey(memberships, 'member', memberKey(accountId, userId)),
  })
  return user && membership && user.removedAt === null ? { user, membership } : null
}

/** The same by the id in a path. Fails: `user.unknown`, for what is no id too. */
export const readTeamMember =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, pathId: string) =>
    readUseCase('user.unknown', async () => {
      const userId = parseId(pathId)
      const found = userId === null ? null : await findTeamMember(store, accountId, userId)
      return found && shownMember(found)
    })

/**
 * Who works in the account, the newest membership first: a page, or everybody.
 * Fails: `fields`. Source: 01-access.md, GET /v1/users; decisions.md §12, v1 lists.
 */
export const listTeam =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: Paging | null) =>
    withValidInput(ports, paging, given ?? {}, (page) =>
      useCaseOf<Listing<TeamMember>>()(async () => {
        const { store } = ports
        if (given === null) return right({ all: everyMember(store, accountId) })
        const asked = {
          ...newestQuery(membershipsOf(accountId)),
          limit: page.perPage,
          offset: offsetOf(page),
          total: true,
        }
        const { records: members, total } = await store.list(asked)
        return right({ ...page, records: await withUsers(store, members), total: total ?? 0 })
      }),
    )

const membershipsOf = (accountId: number) => ({
  from: memberships,
  where: eq<Field<Membership>>('accountId', accountId),
})

/** Memberships with their users, in their order. */
export const withUsers = async (store: Store, members: readonly Membership[]): Promise<readonly TeamMember[]> => {
  const asks = members.map(({ userId }): [string, Find<User>] => [`${userId}`, byId(users, userId)])
  const found = await store.read(Object.fromEntries(asks))
  return members.flatMap((membership) => {
    const user = found[`${membership.userId}`]
    return user ? [shownMember({ user, membership })] : []
  })
}

async function* everyMember(store: Store, accountId: number): AsyncIterable<TeamMember> {
  for await (const slice of scanNewestFirst(store, membershipsOf(accountId))) yield* await withUsers(store, slice)
}

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

type MembershipField = keyof Membership & string

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
            where: all(
              eq<MembershipField>('accountId', actor.accountId),
              ...isOfKind(kind, actor.userId),
              ...conditionsOf(filter),
            ),
            sort: { by: 'createdAt', dir: 'desc' },
            limit: perPage,
            offset: offsetOf(filter),
            total: true,
          }),
        )
        return right({ page, perPage, records: await withUsers(store, records), total: total ?? 0 })
      }),
    )

const isOfKind = (kind: MembershipKind, userId: number): readonly Where<MembershipField>[] =>
  kind === 'programs' ? [eq('roleId', API.id)] : [not(eq('roleId', API.id)), not(eq('userId', userId))]

const conditionsOf = ({
  search,
  roleId,
  status,
}: DecodedOf<typeof membershipFilter>): readonly Where<MembershipField>[] => [
  ...(search === undefined ? [] : [searchIn<MembershipField>('search', search)]),
  ...(roleId === undefined ? [] : [eq<MembershipField>('roleId', roleId)]),
  ...(status === undefined ? [] : [eq<MembershipField>('status', status)]),
]

/** The account's membership of this id and kind. Fails: `user.unknown`, for any other and for what is no id too. */
export const readMembership =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, kind: MembershipKind, pathId: string) =>
    readUseCase('user.unknown', async (): Promise<TeamMember | null> => {
      const id = parseId(pathId)
      const membership = id === null ? null : await store.find(byId(memberships, id))
      if (membership?.accountId !== accountId || (membership.roleId === API.id) !== (kind === 'programs')) return null
      const user = await store.find(byId(users, membership.userId))
      return user && shownMember({ user, membership })
    })

/** Source: 01-access.md, Legacy account-user membership. */
export const membershipView = view(
  'Membership',
  {
    ...pick(membershipFields, 'id', 'userId', 'accountId'),
    user: output.view(memberView, { about: 'Quem trabalha na conta' }),
    role: output.view(roleView, { about: 'Perfil na conta' }),
    ...pick(membershipFields, 'status', 'createdAt', 'updatedAt'),
  },
  ({ user, membership }: TeamMember) => ({ ...membership, user, role: roleOf(membership.roleId) }),
)
