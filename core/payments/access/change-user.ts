import { type Either, type Failure, invalid, isLeft, left, right } from '../../failure.ts'
import { allOptional, type Decoded, type InputOf, input, optional, pick, secret } from '../../kernel/input/mod.ts'
import { all, always, type Change, eq, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { Store } from '../../ports/store.ts'
import { type Claim, type ClaimKind, releaseUnique, reserveUnique } from '../claim.ts'
import { allMemberships, type Membership, membershipSearch, memberships } from '../members/membership.ts'
import {
  auditUser,
  findClaim,
  legacyDocument,
  legacyPasswords,
  mailUser,
  shownUser,
  takenIssues,
  type User,
  userFields,
  users,
} from '../members/user.ts'
import { changesOf } from '../office.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'
import { emailChangedMail, passwordChangedMail } from './code-mail.ts'
import { passwordUseCase, type VerifiedUser } from './confirm-password.ts'
import { forgetTries } from './log-in.ts'
import { aliveSessions, endSessions, passwordMark, type Session, sessions } from './session.ts'

/** The changes of a user; absent fields stay. Only the phone can be cleared. */
export const userChangeFields = allOptional({
  ...pick(userFields, 'name', 'email'),
  document: legacyDocument,
  ...pick(userFields, 'phone'),
})

/** A change of a user, with the hash of a new password. */
export type UserChange = Decoded<typeof userChangeFields> & { readonly passwordHash?: string }

export interface ChangeFacts {
  /** The claims of the new e-mail and document, if taken. */
  readonly email: Claim | null
  readonly document: Claim | null
  /** The sessions that a new password ends. */
  readonly alive: readonly Session[]
  /** The user's memberships, whose search text follows name, e-mail and document. */
  readonly ownMemberships: readonly Membership[]
}

export const readChangeFacts = async (store: Store, userId: number, change: UserChange): Promise<ChangeFacts> => ({
  email: await findClaim(store, 'email', change.email),
  document: await findClaim(store, 'user-document', change.document),
  alive: change.passwordHash === undefined ? [] : (await store.list(aliveSessions(userId))).records,
  ownMemberships: changesSearch(change) ? (await store.list(allMemberships(userId))).records : [],
})

const changesSearch = ({ name, email, document }: UserChange): boolean =>
  [name, email, document].some((value) => value !== undefined)

/** Reports whether a change affects the password, or the e-mail to which a code for a new password is mailed. */
export const changesLogIn = (user: User, { email, passwordHash }: UserChange): boolean =>
  passwordHash !== undefined || (email !== undefined && email !== user.email)

/** Reports whether a change affects e-mail, password or document, which identify the user in every account. */
export const changesCredentials = (user: User, change: UserChange): boolean =>
  changesLogIn(user, change) || (change.document !== undefined && change.document !== user.document)

/** Returns the mails that notify the user of a new password and of a new e-mail, at the former e-mail. */
export const mailNewLogIn = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  user: User,
  { passwordHash, email }: UserChange,
  ended: Parameters<typeof passwordChangedMail>[1],
  fresh: Fresh,
): readonly Change[] => [
  ...(passwordHash === undefined ? [] : [mailUser(cipher, fresh, user, passwordChangedMail(user.name, ended))]),
  ...(email === undefined || email === user.email ? [] : [mailUser(cipher, fresh, user, emailChangedMail(user.name))]),
]

/**
 * Returns the user after a change, and the changes to commit. A new e-mail is unverified; a new password ends the
 * sessions. Fails: `fields` (`email.taken`, `document.taken`).
 */
export const changeUser = (
  user: User,
  change: UserChange,
  { email: emailClaim, document: documentClaim, alive, ownMemberships }: ChangeFacts,
  now: Instant,
): Either<
  Failure<'fields', 'email.taken' | 'document.taken'>,
  { readonly user: User; readonly changes: readonly Change[] }
> => {
  const { name, phone, email, document, passwordHash } = change
  const isEmailChanged = email !== undefined && email !== user.email
  const isDocumentChanged = document !== undefined && document !== user.document
  const taken = takenIssues({
    email: isEmailChanged && emailClaim !== null,
    document: isDocumentChanged && documentClaim !== null,
  })
  if (taken.length > 0) return left(invalid(taken))
  const submitted = {
    name,
    phone,
    document,
    passwordHash,
    ...(isEmailChanged ? { email, emailVerifiedAt: null } : {}),
    ...(isDocumentChanged ? { documentPassedAt: null } : {}),
  }
  const fields: Partial<User> = Object.fromEntries(Object.entries(submitted).filter(([, value]) => value !== undefined))
  if (Object.keys(fields).length === 0) return right({ user, changes: [] })
  const set = { ...fields, updatedAt: now }
  const when = all(
    eq('removedAt', null),
    // The search text of the memberships contains all three.
    eq('name', user.name),
    eq('email', user.email),
    eq('document', user.document),
    eq('passwordHash', user.passwordHash),
    eq('documentPassedAt', user.documentPassedAt),
  )
  const after = { ...user, ...set }
  const search = membershipSearch(after)
  return right({
    user: after,
    changes: [
      patch(users, user.id, { set, when }),
      ...(isEmailChanged ? moveClaim('email', user.email, email, user.id) : []),
      ...(isDocumentChanged
        ? moveClaim('user-document', user.documentPassedAt === null ? user.document : null, document, user.id)
        : []),
      ...ownMemberships.map(({ id }) => patch(memberships, id, { set: { search }, when: always })),
      ...endSessions(alive, now),
    ],
  })
}

const moveClaim = (kind: ClaimKind, old: string | null, text: string, userId: number): readonly Change[] => [
  ...(old === null ? [] : [releaseUnique(kind, old)]),
  reserveUnique(kind, text, userId, null),
]

/** A change of the caller's own user, confirmed by the current password. */
export const selfChange = input('SelfChange', {
  currentPassword: secret({ about: 'Senha atual' }),
  newPassword: optional(legacyPasswords.next),
  ...userChangeFields,
})
export type SelfChange = InputOf<typeof selfChange>

export const editSelf = (ports: PaymentsPorts) => {
  const afterPassword = passwordUseCase(ports)
  return (caller: Pick<Person, 'userId' | 'sessionId'>, submitted: SelfChange, origin: Origin) =>
    withValidInput(ports, selfChange, submitted, ({ currentPassword, newPassword, ...others }) =>
      afterPassword(
        caller,
        { password: currentPassword, origin },
        async (): Promise<UserChange> =>
          newPassword === undefined
            ? others
            : { ...others, passwordHash: await ports.hasher.hash(newPassword, origin) },
        async (store, queries, change) => ({
          ...(await readChangeFacts(store, caller.userId, change)),
          ...(await store.read(queries)),
        }),
        (facts, change, fresh) => decideEdit(ports, facts, change, caller.sessionId, origin, fresh),
      ),
    )
}

const decideEdit = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest'>,
  { user, throttle, alive, ...facts }: ChangeFacts & VerifiedUser,
  change: UserChange,
  ownSessionId: string,
  origin: Origin,
  fresh: Fresh,
) => {
  const others = alive.filter(({ id }) => id !== ownSessionId)
  const changed = changeUser(user, change, { ...facts, alive: others }, fresh.now)
  // The password was right, even if other fields are wrong.
  if (isLeft(changed)) return accept(changed, ...forgetTries(throttle))
  const { user: after, changes } = changed.right
  const set = { passwordMark: passwordMark(ports, after.passwordHash) }
  return accept(
    right(shownUser(after)),
    ...forgetTries(throttle),
    ...changes,
    ...mailNewLogIn(ports, user, change, 'others', fresh),
    // The session of the request continues with the new password.
    ...(change.passwordHash === undefined ? [] : [patch(sessions, ownSessionId, { set, when: always })]),
    ...auditUser(fresh, { userId: user.id, origin }, user.id, 'user.updated', changesOf(user, after)),
  )
}
