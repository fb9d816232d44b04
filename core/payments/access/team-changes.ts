import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import {
  allOptional,
  type Decoded,
  type DecodedOf,
  type InputOf,
  input,
  nullIfAbsent,
  oneOf,
  pick,
  type Rule,
  rule,
} from '../../kernel/input/mod.ts'
import { all, always, type Change, check, eq, gt, insert, patch, remove } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../office/throttle.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accounts, UNKNOWN_ACCOUNT } from '../accounts/account.ts'
import { type Challenge, confirmInAccount, findConfirmation } from '../challenges/challenge.ts'
import { releaseUnique, reserveUnique } from '../claim.ts'
import {
  ACTIVE_MEMBERSHIP,
  allMemberships,
  type Membership,
  membershipFields,
  memberships,
  newMembership,
  withAccounts,
} from '../members/membership.ts'
import {
  findClaim,
  legacyPasswords,
  newUser,
  takenIssues,
  UNKNOWN_USER,
  type User,
  userFields,
  users,
} from '../members/user.ts'
import { type AuditActor, auditInAccount, changesOf } from '../office.ts'
import {
  type AccountActor,
  type Actor,
  ADMIN,
  API,
  type ConfirmedActor,
  PASSWORD_STALE,
  type PaymentsPorts,
  ROLES,
  roleOf,
} from '../payments-ports.ts'
import type { Member } from './authenticate.ts'
import {
  type ChangeFacts,
  changesCredentials,
  changesLogIn,
  changeUser,
  mailNewLogIn,
  readChangeFacts,
  type UserChange,
  userChangeFields,
} from './change-user.ts'
import { aliveSessions, endSessions, type Session } from './session.ts'
import {
  findTeamMember,
  type NoticeFacts,
  notifyAdmins,
  readNoticeFacts,
  type StoredMember,
  shownMember,
  type TeamMember,
} from './team.ts'

/** A new user of an account. The v1 API has no document, and requires a longer password. */
export const newTeamMemberFields = {
  ...pick(userFields, 'name', 'email', 'document'),
  roleId: oneOf(
    ROLES.map(({ id }) => id),
    { wire: 'role', about: 'Perfil na conta' },
  ),
  password: nullIfAbsent(legacyPasswords.first),
  phone: userFields.phone,
}

/** Requires a password, except for programs, which sign in with an API key. */
export const peopleNeedPassword: Rule<{ readonly roleId: number; readonly password?: string | null }> = rule(
  ['roleId', 'password'],
  ({ roleId, password = null }) => (roleId !== API.id && password === null ? [issue('password', 'required')] : []),
)

const newTeamMember = input('NewTeamMember', newTeamMemberFields, peopleNeedPassword)
export type NewTeamMember = InputOf<typeof newTeamMember>

export const addTeamMember = (ports: PaymentsPorts) => (actor: ConfirmedActor, submitted: NewTeamMember) =>
  withValidInput(ports, newTeamMember, submitted, ({ password, ...person }) =>
    hashingUseCaseOf<TeamMember>()(async (hooks) => {
      const passwordHash = password === null ? null : await ports.hasher.hash(password, actor.origin)
      return useCase(
        ports,
        async (store) => ({
          ...(await store.read({ account: byId(accounts, actor.accountId), ...findConfirmation(ports, actor) })),
          email: await findClaim(store, 'email', person.email),
          document: await findClaim(store, 'user-document', person.document),
          notice: await readNoticeFacts(store, actor),
        }),
        (facts, fresh) => decideAddition(ports, facts, actor, { ...person, passwordHash }, fresh),
      )(hooks)
    }),
  )

type PersonAuditActor = AuditActor & Pick<Actor, 'userId'>

const decideAddition = (
  ports: Pick<PaymentsPorts, 'cipher'>,
  facts: Pick<ChangeFacts, 'email' | 'document'> & Pick<UpdateFacts, 'account' | 'confirmation' | 'notice'>,
  actor: PersonAuditActor,
  person: Omit<DecodedOf<typeof newTeamMember>, 'password'> & Pick<User, 'passwordHash'>,
  fresh: Fresh,
) => {
  const { account, confirmation, email, document, notice } = facts
  if (!account) return left(UNKNOWN_ACCOUNT)
  const taken = takenIssues({ email: email !== null, document: document !== null })
  if (taken.length > 0) return left(invalid(taken))
  const confirmed = confirmInAccount(account, confirmation, actor, fresh)
  if (isLeft(confirmed)) return confirmed
  const { roleId, ...fields } = person
  const user = newUser(fresh, fields)
  const membership = newMembership(fresh, user, { accountId: account.id, roleId })
  return accept<TeamMember>(
    shownMember({ user, membership }),
    ...confirmed.right,
    insert(users, user),
    reserveUnique('email', user.email, user.id, null),
    ...(user.document === null ? [] : [reserveUnique('user-document', user.document, user.id, null)]),
    insert(memberships, membership),
    ...countAdmins(account.id, null, membership),
    ...notifyAdmins(ports, notice, { account, member: user, before: null, after: membership }, fresh),
    ...auditInAccount(fresh, actor, account.id, 'user.added', `user:${user.id}`, changesOf({}, person)),
  )
}

const membershipChangeFields = allOptional({
  ...pick(newTeamMemberFields, 'roleId'),
  ...pick(membershipFields, 'status'),
})

/** The changes of a user and their membership. Absent fields keep their values. */
export const teamMemberChangeFields = {
  ...userChangeFields,
  ...allOptional({ password: legacyPasswords.next }),
  ...membershipChangeFields,
}

const teamMemberChange = input('TeamMemberChange', teamMemberChangeFields)
export type TeamMemberChange = InputOf<typeof teamMemberChange>

interface UpdateFacts extends ChangeFacts {
  readonly account: Account | null
  /** The confirmation that the actor attached, if any. */
  readonly confirmation?: Challenge | null
  readonly member: StoredMember | null
  /** True if the user belongs to another account too. */
  readonly isShared: boolean
  readonly notice: NoticeFacts
}

type UpdateActor = Pick<Member, 'accountId' | 'userId' | 'boundTo' | 'origin' | 'confirmation' | 'passwordFreshUntil'>

/**
 * A user of several accounts signs in to all with one e-mail and password: only that user may change e-mail, password
 * and document, and not with a token issued for an API key. A stolen token does not suffice to change the own e-mail
 * and password, nor those of a colleague if the account requires the second factor.
 */
export const updateTeamMember =
  (ports: PaymentsPorts) => (actor: UpdateActor, userId: number, submitted: TeamMemberChange) =>
    withValidInput(ports, teamMemberChange, submitted, ({ password, ...change }) =>
      hashingUseCaseOf<TeamMember>()(async (hooks) => {
        const hashed = password === undefined ? {} : { passwordHash: await ports.hasher.hash(password, actor.origin) }
        const userChange: UserChange = { ...change, ...hashed }
        return useCase(
          ports,
          async (store) => ({
            ...(await readChangeFacts(store, userId, userChange)),
            ...(await store.read({ account: byId(accounts, actor.accountId), ...findConfirmation(ports, actor) })),
            member: await findTeamMember(store, actor.accountId, userId),
            isShared: (await otherMembership(store, actor.accountId, userId)) !== null,
            notice: await readNoticeFacts(store, actor),
          }),
          (facts, fresh) => decideTeamMemberUpdate(ports, facts, actor, userChange, change, fresh),
        )(hooks)
      }),
    )

export const decideTeamMemberUpdate = (
  ports: Pick<PaymentsPorts, 'cipher'>,
  { account, confirmation, member, isShared, notice, ...facts }: UpdateFacts,
  actor: PersonAuditActor & Pick<Member, 'boundTo' | 'passwordFreshUntil'>,
  userChange: UserChange,
  { roleId, status }: Decoded<typeof membershipChangeFields>,
  fresh: Fresh,
) => {
  if (!account || !member) return left(UNKNOWN_USER)
  const { user, membership } = member
  const isSelf = actor.userId === user.id && actor.boundTo === null
  if (isShared && !isSelf && changesCredentials(user, userChange)) return left(failure('forbidden', 'user.shared'))
  const after: Membership = { ...membership, roleId: roleId ?? membership.roleId, status: status ?? membership.status }
  const lastAdmin = lastAdminFailure(account, membership, after)
  if (lastAdmin) return left(lastAdmin)
  const changed = changeUser(user, userChange, facts, fresh.now)
  if (isLeft(changed)) return changed
  const isLogInChanged = changesLogIn(user, userChange)
  if (isSelf && isLogInChanged && (actor.passwordFreshUntil ?? '') <= fresh.now) return left(PASSWORD_STALE)
  const needsConfirmation = raisesPermissions(membership, after) || (isLogInChanged && !isSelf)
  const confirmed = needsConfirmation ? confirmInAccount(account, confirmation, actor, fresh) : right([])
  if (isLeft(confirmed)) return confirmed
  const { user: changedUser } = changed.right
  const changes = [...confirmed.right, ...changed.right.changes, ...mailNewLogIn(ports, user, userChange, 'all', fresh)]
  const [before, next] = [roleAndStatus(membership), roleAndStatus(after)]
  const audited = changesOf({ ...user, ...before }, { ...changedUser, ...next })
  const audit = auditInAccount(fresh, actor, account.id, 'user.updated', `user:${user.id}`, audited)
  if (next.roleId === before.roleId && next.status === before.status) {
    return accept<TeamMember>(shownMember({ user: changedUser, membership }), ...changes, ...audit)
  }
  const set = { ...next, updatedAt: fresh.now }
  return accept<TeamMember>(
    shownMember({ user: changedUser, membership: { ...membership, ...set } }),
    ...changes,
    patch(memberships, membership.id, { set, when: isUnchanged(membership) }),
    ...countAdmins(account.id, membership, after),
    ...notifyAdmins(ports, notice, { account, member: user, before: membership, after }, fresh),
    ...audit,
  )
}

interface RemovalFacts {
  readonly member: StoredMember | null
  readonly account: Account | null
  /** A membership of the user in another account, if any. */
  readonly other: Membership | null
  readonly alive: readonly Session[]
  readonly notice: NoticeFacts
}

export const removeTeamMember = (ports: PaymentsPorts) => (actor: AccountActor, userId: number) =>
  useCase(
    ports,
    async (store) => ({
      member: await findTeamMember(store, actor.accountId, userId),
      account: await store.find(byId(accounts, actor.accountId)),
      other: await otherMembership(store, actor.accountId, userId),
      alive: (await store.list(aliveSessions(userId))).records,
      notice: await readNoticeFacts(store, actor),
    }),
    (facts, fresh) => decideRemoval(ports, facts, actor, fresh),
  )

export const decideRemoval = (
  ports: Pick<PaymentsPorts, 'cipher'>,
  { member, account, other, alive, notice }: RemovalFacts,
  actor: AuditActor,
  fresh: Fresh,
) => {
  if (!member || !account) return left(UNKNOWN_USER)
  if (actor.userId === member.user.id) return left(invalid([issue('id', 'user.self')], 'user.self'))
  const { user, membership } = member
  const lastAdmin = lastAdminFailure(account, membership, null)
  if (lastAdmin) return left(lastAdmin)
  return accept(
    shownMember(member),
    remove(memberships, membership.id, isUnchanged(membership)),
    ...countAdmins(account.id, membership, null),
    ...notifyAdmins(ports, notice, { account, member: user, before: membership, after: null }, fresh),
    // Two accounts may remove the user at the same moment: the check makes one of them see that it was the last.
    ...(other ? [check(memberships, other.id, always)] : removeUser(user, alive, fresh.now)),
    ...auditInAccount(
      fresh,
      actor,
      account.id,
      'user.removed',
      `user:${user.id}`,
      changesOf({ ...user, roleId: membership.roleId }, { name: null, email: null, document: null, roleId: null }),
    ),
  )
}

const removeUser = (user: User, alive: readonly Session[], now: string): readonly Change[] => [
  // The guard on `updatedAt` fails if an account was opened for the user since the read.
  patch(users, user.id, {
    set: { removedAt: now, updatedAt: now },
    when: all(eq('removedAt', null), eq('updatedAt', user.updatedAt)),
  }),
  releaseUnique('email', user.email),
  ...(user.document === null || user.documentPassedAt !== null ? [] : [releaseUnique('user-document', user.document)]),
  ...endSessions(alive, now),
]

/** Finds an active or inactive membership of the user in another account that is not removed. */
export const otherMembership = async (store: Store, accountId: number, userId: number): Promise<Membership | null> => {
  const { records } = await store.list(allMemberships(userId))
  const others = records.filter((membership) => membership.accountId !== accountId)
  const [other] = await withAccounts(store, others)
  return other?.membership ?? null
}

type RoleAndStatus = Pick<Membership, 'roleId' | 'status'>

const roleAndStatus = ({ roleId, status }: RoleAndStatus): RoleAndStatus => ({ roleId, status })

const isUnchanged = ({ roleId, status }: RoleAndStatus) => all(eq('roleId', roleId), eq('status', status))

/** Reports whether a change of role or status gives a member permissions. */
const raisesPermissions = (before: RoleAndStatus, after: RoleAndStatus): boolean => {
  const former = permissionsIn(before)
  return permissionsIn(after).some((permission) => !former.includes(permission))
}

const permissionsIn = ({ roleId, status }: RoleAndStatus) =>
  status === ACTIVE_MEMBERSHIP ? roleOf(roleId).permissions : []

const isAdmin = (membership: RoleAndStatus | null): boolean =>
  membership?.roleId === ADMIN.id && membership.status === ACTIVE_MEMBERSHIP

/** Returns the failure if a change or removal would leave the account without an active ADMIN; else null. */
const lastAdminFailure = ({ admins }: Pick<Account, 'admins'>, before: RoleAndStatus, after: RoleAndStatus | null) =>
  isAdmin(before) && !isAdmin(after) && admins < 2
    ? invalid([issue(changedField(before, after), 'user.last-admin')], 'user.last-admin')
    : null

const changedField = (before: RoleAndStatus, after: RoleAndStatus | null): string =>
  after === null ? 'id' : after.roleId === before.roleId ? 'status' : 'roleId'

/**
 * Returns the change of the account's count of active ADMINs. Every change of an ADMIN's membership patches the
 * account, so that two simultaneous removals cannot remove the last ADMIN.
 */
const countAdmins = (
  accountId: number,
  before: RoleAndStatus | null,
  after: RoleAndStatus | null,
): readonly Change[] => {
  const step = Number(isAdmin(after)) - Number(isAdmin(before))
  if (step === 0) return []
  return [patch(accounts, accountId, { add: { admins: step }, when: gt('admins', step < 0 ? 1 : 0) })]
}
