import { right } from '../../failure.ts'
import {
  type InputOf,
  input,
  inQuery,
  output,
  type Paging,
  pageFields,
  paging,
  pick,
  view,
} from '../../kernel/input/mod.ts'
import { all, type Change, eq, not } from '../../kernel/records/record.ts'
import { searchIn } from '../../kernel/resources/queries.ts'
import { scanNewestFirst } from '../../kernel/running/slices.ts'
import { type Fresh, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { parseId } from '../../kernel/values/text.ts'
import { type EmailTemplate, facts, text } from '../../office/mail.ts'
import {
  byId,
  type List,
  type Listing,
  listByIds,
  listPage,
  NEWEST_FIRST,
  type Page,
  type PageOf,
  type Store,
} from '../../ports/store.ts'
import type { Account } from '../accounts/account.ts'
import {
  ACTIVE_MEMBERSHIP,
  adminsOf,
  type Membership,
  memberKey,
  membershipFields,
  membershipOf,
  memberships,
} from '../members/membership.ts'
import { mailUser, memberView, type ShownUser, shownUser, type User, users } from '../members/user.ts'
import {
  type AccountActor,
  type Actor,
  API,
  accountRead,
  type PaymentsPorts,
  ROLES,
  roleOf,
  roleView,
} from '../payments-ports.ts'

/** A user of an account, with the membership. */
export interface TeamMember {
  readonly user: ShownUser
  readonly membership: Membership
}

export interface StoredMember extends TeamMember {
  readonly user: User
}

export const shownMember = ({ user, membership }: StoredMember): TeamMember => ({ user: shownUser(user), membership })

/** Finds a user of the account by id, with an active or inactive membership. */
export const findTeamMember = async (store: Store, accountId: number, userId: number): Promise<StoredMember | null> => {
  const { user, membership } = await store.read({
    user: byId(users, userId),
    membership: membershipOf(accountId, userId),
  })
  return user && membership && user.removedAt === null ? { user, membership } : null
}

export const readTeamMember = accountRead('user.unknown', async ({ store }, accountId, pathId: string) => {
  const userId = parseId(pathId)
  const found = userId === null ? null : await findTeamMember(store, accountId, userId)
  return found && shownMember(found)
})

export const listTeam =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, requestedPage: Paging | null) =>
    withValidInput(ports, paging, requestedPage ?? {}, (page) =>
      useCaseOf<Listing<TeamMember>>()(async () => {
        const { store } = ports
        if (requestedPage === null) return right({ all: everyMember(store, accountId) })
        return right(await readMembers(store, page, membersOf(accountId)))
      }),
    )

const readMembers = async (store: Store, page: Page, where: List<Membership>['where']): Promise<PageOf<TeamMember>> => {
  const found = await listPage(store, memberships, page, { where, sort: NEWEST_FIRST })
  return { ...found, records: await withUsers(store, found.records) }
}

const membersOf = (accountId: number) => eq('accountId', accountId)

const withUsers = async (store: Store, members: readonly Membership[]): Promise<readonly TeamMember[]> => {
  const found = await readUsers(store, members)
  return members.flatMap((membership) => {
    const user = found.get(membership.userId)
    return user ? [shownMember({ user, membership })] : []
  })
}

const readUsers = (store: Store, members: readonly Membership[]): Promise<ReadonlyMap<number, User>> =>
  listByIds(
    store,
    users,
    members.map(({ userId }) => userId),
  )

async function* everyMember(store: Store, accountId: number): AsyncIterable<TeamMember> {
  const members = { from: memberships, where: membersOf(accountId) }
  for await (const slice of scanNewestFirst(store, members)) yield* await withUsers(store, slice)
}

/** People sign in with a password, programs with an API key. They are listed apart. */
export type MembershipKind = 'people' | 'programs'

export const membershipFilterFields = {
  page: pageFields.page,
  perPage: inQuery.perPage({ default: 100, about: 'Registros por página' }),
  search: inQuery.text({ about: 'Parte do nome, do e-mail ou do documento' }),
  status: inQuery.integer({ min: 0, max: 1, about: '1 ativo, 0 inativo' }),
  roleId: inQuery.integer({ min: 1, max: ROLES.length, wire: 'role', about: 'Perfil na conta' }),
}

export const membershipFilter = input('MembershipFilter', membershipFilterFields)
export type MembershipFilter = InputOf<typeof membershipFilter>

export const listMemberships =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  (actor: Pick<Actor, 'accountId' | 'userId'>, kind: MembershipKind, filterInput: MembershipFilter) =>
    withValidInput(ports, membershipFilter, filterInput, ({ page, perPage, search, roleId, status }) =>
      useCaseOf<PageOf<TeamMember>>()(async () => {
        const isProgram = eq('roleId', API.id)
        const where = all(
          eq('accountId', actor.accountId),
          ...(kind === 'programs' ? [isProgram] : [not(isProgram), not(eq('userId', actor.userId))]),
          ...(search === undefined ? [] : [searchIn('search', search)]),
          ...(roleId === undefined ? [] : [eq('roleId', roleId)]),
          ...(status === undefined ? [] : [eq('status', status)]),
        )
        return right(await readMembers(ports.store, { page, perPage }, where))
      }),
    )

export const readMembership = accountRead(
  'user.unknown',
  async ({ store }, accountId, kind: MembershipKind, pathId: string): Promise<TeamMember | null> => {
    const id = parseId(pathId)
    const membership = id === null ? null : await store.find(byId(memberships, id))
    if (membership?.accountId !== accountId || (membership.roleId === API.id) !== (kind === 'programs')) return null
    const user = await store.find(byId(users, membership.userId))
    return user && shownMember({ user, membership })
  },
)

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

/** The people of a notice about the team: the active ADMINs before the change, and the user who makes it. */
export interface NoticeFacts {
  readonly admins: readonly User[]
  readonly by: User | null
}

export const readNoticeFacts = async (
  store: Store,
  { accountId, userId }: Pick<AccountActor, 'accountId' | 'userId'>,
): Promise<NoticeFacts> => {
  const { by, admins } = await store.read({ by: byId(users, userId), admins: adminsOf(accountId) })
  return { by, admins: [...(await readUsers(store, admins.records)).values()] }
}

type Access = Pick<Membership, 'roleId' | 'status'>

/** A change of the team: `before` is null for a new member, `after` for a removed one. */
interface TeamChange {
  readonly account: Pick<Account, 'id' | 'name'>
  readonly member: Pick<User, 'id' | 'email'>
  readonly before: Access | null
  readonly after: Access | null
}

/**
 * Returns the mails that notify the ADMINs of an account of a change of its team, which may be an attack. The ADMIN who
 * makes the change is notified too, since the token may be stolen; the member whom it concerns is not.
 */
export const notifyAdmins = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  { admins, by }: NoticeFacts,
  change: TeamChange,
  fresh: Fresh,
): readonly Change[] => {
  const { account, member } = change
  const names = [member, ...(by ? [by] : [])].map(({ id }) => memberKey(account.id, id))
  return admins
    .filter(({ id }) => id !== member.id)
    .map((admin) => mailUser(cipher, fresh, admin, { ...noticeMail(admin.name, by, change), names }))
}

const noticeMail = (name: string, by: User | null, { account, member, before, after }: TeamChange): EmailTemplate => ({
  subject: `${before === null ? 'Novo membro' : after === null ? 'Membro removido' : 'Acesso alterado'} na conta ${account.name}`,
  blocks: [
    text(`Olá, ${name}!`, 'A equipe da sua conta acabou de mudar.'),
    facts(
      ['Conta', account.name],
      [before === null ? 'Novo membro' : after === null ? 'Membro removido' : 'Membro', member.email],
      ...(before ? ([[after ? 'Perfil anterior' : 'Perfil', accessText(before)]] as const) : []),
      ...(after ? ([['Perfil', accessText(after)]] as const) : []),
      ...(by ? ([['Quem alterou', `${by.name} (${by.email})`]] as const) : []),
    ),
    text(
      'Se não foi você nem alguém da sua equipe, troque a senha agora mesmo, reveja os acessos da conta e fale conosco.',
    ),
  ],
})

const accessText = ({ roleId, status }: Access): string =>
  status === ACTIVE_MEMBERSHIP ? roleOf(roleId).name : `${roleOf(roleId).name}, inativo`
