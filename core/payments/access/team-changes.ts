import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { allOptional, type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { type Rule, rule } from '../../kernel/input/rules.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { type Decoded, pick } from '../../kernel/input/table.ts'
import { type Change, check, insert, patch, remove } from '../../kernel/records/change.ts'
import { all, always, eq, gt } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../office/guesses.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { type Actor, ADMIN, API, ROLES } from '../actor.ts'
import { type Claim, claimId, claims, releaseUnique, reserveUnique } from '../claim.ts'
import {
  ACTIVE_MEMBERSHIP,
  allMemberships,
  type Membership,
  membershipFields,
  memberships,
  newMembership,
  withAccounts,
} from '../members/membership.ts'
import { legacyPasswords, type User, userFields, users } from '../members/user.ts'
import { type AuditActor, changesOf, recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { Member } from './authenticate.ts'
import {
  type ChangeFacts,
  changesCredentials,
  changeUser,
  readChangeFacts,
  type UserChange,
  userChangeFields,
} from './change-user.ts'
import { aliveSessions, endSessions, type Session } from './session.ts'
import { findTeamMember, type StoredMember, shownMember, type TeamMember } from './team.ts'

/** Somebody new in an account. v1 knows no document, and gives nobody a short password. */
export const newTeamMemberFields = {
  ...pick(userFields, 'name', 'email', 'document'),
  roleId: oneOf(
    ROLES.map(({ id }) => id),
    { wire: 'role', about: 'Perfil na conta' },
  ),
  password: nullIfAbsent(legacyPasswords.first),
  phone: userFields.phone,
}

/** Programs sign in by no password. */
export const peopleNeedPassword: Rule<{ readonly roleId: number; readonly password?: string | null }> = rule(
  ['roleId', 'password'],
  ({ roleId, password = null }) => (roleId !== API.id && password === null ? [issue('password', 'required')] : []),
)

export const newTeamMember = input('NewTeamMember', newTeamMemberFields, peopleNeedPassword)

export type NewTeamMember = InputOf<typeof newTeamMember>

/** Somebody new, the password hashed. */
type Hashed = Omit<DecodedOf<typeof newTeamMember>, 'password'> & Pick<User, 'passwordHash'>

interface AddFacts {
  readonly account: Account | null
  readonly email: Claim | null
  readonly document: Claim | null
}

/**
 * Makes a user who works in the account.
 * Fails: `fields` (`email.taken`, `document.taken`), `server.busy`.
 * Source: 01-access.md, POST /v1/users and /access/manager/users.
 */
export const addTeamMember =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'userId' | 'origin'>, given: NewTeamMember) =>
    withValidInput(ports, newTeamMember, given, ({ password, ...person }) =>
      hashingUseCaseOf<TeamMember>()(async (hooks) => {
        const passwordHash = password === null ? null : await ports.hasher.hash(password, actor.origin)
        return useCase(
          ports,
          (store) => readAddFacts(store, actor.accountId, person),
          (facts, fresh) => decideAddition(facts, actor, { ...person, passwordHash }, fresh),
        )(hooks)
      }),
    )

const readAddFacts = async (
  store: Store,
  accountId: number,
  { email, document }: Pick<Hashed, 'email' | 'document'>,
): Promise<AddFacts> => ({
  account: await store.find(byId(accounts, accountId)),
  email: await store.find(byId(claims, claimId('email', email))),
  document: document === null ? null : await store.find(byId(claims, claimId('user-document', document))),
})

export const decideAddition = (
  { account, email: emailClaim, document: documentClaim }: AddFacts,
  actor: AuditActor,
  person: Hashed,
  fresh: Fresh,
) => {
  if (!account) return left(failure('not-found', 'account.unknown'))
  const taken = [
    ...(emailClaim ? [issue('email', 'email.taken')] : []),
    ...(documentClaim ? [issue('document', 'document.taken')] : []),
  ]
  if (taken.length > 0) return left(invalid(taken))
  const { roleId, passwordHash, ...fields } = person
  const user: User = {
    id: fresh.id(users),
    ...fields,
    passwordHash,
    emailVerifiedAt: null,
    createdAt: fresh.now,
    updatedAt: fresh.now,
    removedAt: null,
    documentPassedAt: null,
  }
  const membership = newMembership(fresh, user, { accountId: account.id, roleId })
  return accept<TeamMember>(
    shownMember({ user, membership }),
    insert(users, user),
    reserveUnique('email', user.email, user.id, null),
    ...(user.document === null ? [] : [reserveUnique('user-document', user.document, user.id, null)]),
    insert(memberships, membership),
    ...countAdmins(account.id, null, membership),
    ...recordAudit(fresh, actor, {
      chain: `account:${account.id}`,
      action: 'user.added',
      subject: `user:${user.id}`,
      changes: changesOf({}, { ...fields, roleId, passwordHash }),
    }),
  )
}

/** What of a membership may change; what is left out stays. */
const membershipChangeFields = allOptional({
  ...pick(newTeamMemberFields, 'roleId'),
  ...pick(membershipFields, 'status'),
})

type MembershipChange = Decoded<typeof membershipChangeFields>

/** What of somebody and their membership may change. */
export const teamMemberChangeFields = {
  ...userChangeFields,
  ...allOptional({ password: legacyPasswords.next }),
  ...membershipChangeFields,
}

export const teamMemberChange = input('TeamMemberChange', teamMemberChangeFields)

export type TeamMemberChange = InputOf<typeof teamMemberChange>

interface UpdateFacts extends ChangeFacts {
  readonly account: Account | null
  readonly member: StoredMember | null
  /** Whether they belong to another account too. */
  readonly isShared: boolean
}

/**
 * Changes a user of the account, and their membership. Who belongs to another account too signs in there with the same e-mail and
 * password: only they themselves change these, and never by a token that was given for an API key.
 * Fails: `user.unknown`, `user.shared`, `user.last-admin`, `fields` (`email.taken`, `document.taken`), `server.busy`.
 * Source: 01-access.md, PUT /v1/users/{id} and /access/manager/users/{id}; decisions.md §12, Roles and People.
 */
export const updateTeamMember =
  (ports: PaymentsPorts) =>
  (actor: Pick<Member, 'accountId' | 'userId' | 'boundTo' | 'origin'>, userId: number, given: TeamMemberChange) =>
    withValidInput(ports, teamMemberChange, given, ({ password, ...change }) =>
      hashingUseCaseOf<TeamMember>()(async (hooks) => {
        const hashed = password === undefined ? {} : { passwordHash: await ports.hasher.hash(password, actor.origin) }
        const wanted: UserChange = { ...change, ...hashed }
        return useCase(
          ports,
          (store) => readUpdateFacts(store, actor.accountId, userId, wanted),
          (facts, fresh) => decideTeamMemberUpdate(facts, actor, wanted, change, fresh),
        )(hooks)
      }),
    )

const readUpdateFacts = async (
  store: Store,
  accountId: number,
  userId: number,
  wanted: UserChange,
): Promise<UpdateFacts> => ({
  ...(await readChangeFacts(store, userId, wanted)),
  account: await store.find(byId(accounts, accountId)),
  member: await findTeamMember(store, accountId, userId),
  isShared: (await otherMembership(store, accountId, userId)) !== null,
})

export const decideTeamMemberUpdate = (
  { account, member, isShared, ...facts }: UpdateFacts,
  actor: AuditActor & Pick<Member, 'boundTo'>,
  wanted: UserChange,
  { roleId, status }: MembershipChange,
  fresh: Fresh,
) => {
  if (!account || !member) return left(failure('not-found', 'user.unknown'))
  const { user, membership } = member
  const isThemselves = actor.userId === user.id && actor.boundTo === null
  if (isShared && !isThemselves && changesCredentials(user, wanted)) return left(failure('forbidden', 'user.shared'))
  const after: Membership = { ...membership, roleId: roleId ?? membership.roleId, status: status ?? membership.status }
  const refused = lastAdminFailure(account, membership, after)
  if (refused) return left(refused)
  const changed = changeUser(user, wanted, facts, fresh.now)
  if (isLeft(changed)) return changed
  const { user: changedUser, changes } = changed.right
  const told = recordAudit(fresh, actor, {
    chain: `account:${account.id}`,
    action: 'user.updated',
    subject: `user:${user.id}`,
    changes: changesOf(
      { ...user, roleId: membership.roleId, status: membership.status },
      { ...changedUser, roleId: after.roleId, status: after.status },
    ),
  })
  if (after.roleId === membership.roleId && after.status === membership.status) {
    return accept<TeamMember>(shownMember({ user: changedUser, membership }), ...changes, ...told)
  }
  const set = { roleId: after.roleId, status: after.status, updatedAt: fresh.now }
  const moved: Change = patch(memberships, membership.id, {
    set,
    when: all(eq('roleId', membership.roleId), eq('status', membership.status)),
  })
  const counted = countAdmins(account.id, membership, after)
  return accept<TeamMember>(
    shownMember({ user: changedUser, membership: { ...membership, ...set } }),
    ...changes,
    moved,
    ...counted,
    ...told,
  )
}

interface RemovalFacts {
  readonly member: StoredMember | null
  readonly account: Account | null
  /** One more account that they belong to, if any. */
  readonly other: Membership | null
  readonly alive: readonly Session[]
}

/**
 * Takes somebody out of the account; who belongs to no other one is a user no more.
 * Fails: `user.unknown`, `user.self`, `user.last-admin`. Source: 01-access.md, DELETE /v1/users/{id};
 * decisions.md §12, Roles and People.
 */
export const removeTeamMember =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId' | 'userId' | 'origin'>, userId: number) =>
    useCase(
      ports,
      (store) => readRemovalFacts(store, actor.accountId, userId),
      (facts, fresh) => decideRemoval(facts, actor, fresh),
    )

const readRemovalFacts = async (store: Store, accountId: number, userId: number): Promise<RemovalFacts> => ({
  member: await findTeamMember(store, accountId, userId),
  account: await store.find(byId(accounts, accountId)),
  other: await otherMembership(store, accountId, userId),
  alive: (await store.list(aliveSessions(userId))).records,
})

export const decideRemoval = ({ member, account, other, alive }: RemovalFacts, actor: AuditActor, fresh: Fresh) => {
  if (!member || !account) return left(failure('not-found', 'user.unknown'))
  if (actor.userId === member.user.id) return left(invalid([issue('id', 'user.self')], 'user.self'))
  const { user, membership } = member
  const refused = lastAdminFailure(account, membership, null)
  if (refused) return left(refused)
  return accept(
    shownMember(member),
    remove(memberships, membership.id, all(eq('roleId', membership.roleId), eq('status', membership.status))),
    ...countAdmins(account.id, membership, null),
    // Another account may be letting go of them just now: one of the two must see that it was the last.
    ...(other ? [check(memberships, other.id, always)] : removeUser(user, alive, fresh.now)),
    ...recordAudit(fresh, actor, {
      chain: `account:${account.id}`,
      action: 'user.removed',
      subject: `user:${user.id}`,
      changes: changesOf(
        { ...user, roleId: membership.roleId },
        { name: null, email: null, document: null, roleId: null },
      ),
    }),
  )
}

const removeUser = (user: User, alive: readonly Session[], now: string): readonly Change[] => [
  // An account may just have been opened for them, which shows in when they were last changed.
  patch(users, user.id, {
    set: { removedAt: now, updatedAt: now },
    when: all(eq<keyof User & string>('removedAt', null), eq('updatedAt', user.updatedAt)),
  }),
  releaseUnique('email', user.email),
  ...(user.document === null || user.documentPassedAt !== null ? [] : [releaseUnique('user-document', user.document)]),
  ...endSessions(alive, now),
]

/** A membership of the user with an account other than this one that was not removed, whatever its status; null where there is none. */
export const otherMembership = async (store: Store, accountId: number, userId: number): Promise<Membership | null> => {
  const { records } = await store.list(allMemberships(userId))
  const others = records.filter((membership) => membership.accountId !== accountId)
  const [other] = await withAccounts(store, others)
  return other?.membership ?? null
}

type RoleAndStatus = Pick<Membership, 'roleId' | 'status'>

const isAdmin = (membership: RoleAndStatus | null): boolean =>
  membership?.roleId === ADMIN.id && membership.status === ACTIVE_MEMBERSHIP

/** Why a membership may not become this, or be removed: an account keeps an active ADMIN. */
export const lastAdminFailure = (
  { admins }: Pick<Account, 'admins'>,
  before: RoleAndStatus,
  after: RoleAndStatus | null,
) =>
  isAdmin(before) && !isAdmin(after) && admins < 2
    ? invalid([issue(changedField(before, after), 'user.last-admin')], 'user.last-admin')
    : null

const changedField = (before: RoleAndStatus, after: RoleAndStatus | null): string =>
  after === null ? 'id' : after.roleId === before.roleId ? 'status' : 'roleId'

/**
 * How the account's count of active ADMINs follows a membership: every writer of an ADMIN's membership goes through the account, so that
 * of two at once the second one counts again.
 */
export const countAdmins = (
  accountId: number,
  before: RoleAndStatus | null,
  after: RoleAndStatus | null,
): readonly Change[] => {
  const step = Number(isAdmin(after)) - Number(isAdmin(before))
  if (step === 0) return []
  return [patch(accounts, accountId, { add: { admins: step }, when: gt('admins', step < 0 ? 1 : 0) })]
}
