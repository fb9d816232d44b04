import { failure, invalid, issue } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { nullIfAbsent } from '../../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { type Rule, rule } from '../../../kernel/input/rules.ts'
import { oneOf } from '../../../kernel/input/scalars.ts'
import { pick } from '../../../kernel/input/table.ts'
import { insert } from '../../../kernel/records/change.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../../office/guesses.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import { API, ROLES } from '../../actor.ts'
import { type Claim, claimId, claims, reserveUnique } from '../../claim.ts'
import { memberships, newMembership } from '../../members/membership.ts'
import { legacyPasswords, type User, userFields, users } from '../../members/user.ts'
import { type By, changesOf, recordAudit } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { countAdmins } from './admin-count.ts'
import { shownMember, type TeamMember } from './team-member.ts'

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
export const passwordOfPeople: Rule<{ readonly roleId: number; readonly password?: string | null }> = rule(
  ['roleId', 'password'],
  ({ roleId, password = null }) => (roleId !== API.id && password === null ? [issue('password', 'required')] : []),
)

export const newTeamMember = input('NewTeamMember', newTeamMemberFields, passwordOfPeople)

export type NewTeamMember = InputOf<typeof newTeamMember>

/** Somebody new, the password hashed. */
type Hashed = Omit<DecodedOf<typeof newTeamMember>, 'password'> & Pick<User, 'passwordHash'>

interface Facts {
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
          (store) => readFacts(store, actor.accountId, person),
          (facts, fresh) => decideTeamMember(facts, actor, { ...person, passwordHash }, fresh),
        )(hooks)
      }),
    )

const readFacts = async (
  store: Store,
  accountId: number,
  { email, document }: Pick<Hashed, 'email' | 'document'>,
): Promise<Facts> => ({
  account: await store.find(byId(accounts, accountId)),
  email: await store.find(byId(claims, claimId('email', email))),
  document: document === null ? null : await store.find(byId(claims, claimId('user-document', document))),
})

export const decideTeamMember = (
  { account, email: emailClaim, document: documentClaim }: Facts,
  actor: By,
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
