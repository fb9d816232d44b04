import { right } from '../../../fp.ts'
import { type Paging, paging } from '../../../kernel/input/query.ts'
import type { Field } from '../../../kernel/records/record.ts'
import { eq } from '../../../kernel/records/where.ts'
import { newestQuery, scanNewestFirst } from '../../../kernel/running/slices.ts'
import { useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import { type Listing, offsetOf } from '../../../kernel/values/page.ts'
import { byId, type Find, type Store } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type Membership, memberships } from '../../members/membership.ts'
import { type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { shownMember, type TeamMember } from './team-member.ts'

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
        if (given === null) return right({ all: everybody(store, accountId) })
        const asked = { ...newestQuery(membersOf(accountId)), limit: page.perPage, offset: offsetOf(page), total: true }
        const { records: members, total } = await store.list(asked)
        return right({ ...page, records: await withUsers(store, members), total: total ?? 0 })
      }),
    )

const membersOf = (accountId: number) => ({ from: memberships, where: eq<Field<Membership>>('accountId', accountId) })

/** Memberships with their users, in their order. */
export const withUsers = async (store: Store, members: readonly Membership[]): Promise<readonly TeamMember[]> => {
  const asks = members.map(({ userId }): [string, Find<User>] => [`${userId}`, byId(users, userId)])
  const found = await store.read(Object.fromEntries(asks))
  return members.flatMap((membership) => {
    const user = found[`${membership.userId}`]
    return user ? [shownMember({ user, membership })] : []
  })
}

async function* everybody(store: Store, accountId: number): AsyncIterable<TeamMember> {
  for await (const slice of scanNewestFirst(store, membersOf(accountId))) yield* await withUsers(store, slice)
}
