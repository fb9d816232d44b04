import { type Failure, invalid, issue } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import { allOptional } from '../../../kernel/input/input.ts'
import { type Decoded, pick } from '../../../kernel/input/table.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { all, always, eq } from '../../../kernel/records/where.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { type Claim, type ClaimKind, claimId, claims, releaseUnique, reserveUnique } from '../../claim.ts'
import { everyMembership, type Membership, membershipSearch, memberships } from '../../members/membership.ts'
import { anyDocument, type User, userFields, users } from '../../members/user.ts'
import { endSessions, livingSessions, type Session } from '../sessions/session.ts'

/** What of a user may change; what is left out stays. The phone alone may be cleared. */
export const userChangeFields = allOptional({
  ...pick(userFields, 'name', 'email'),
  document: anyDocument,
  ...pick(userFields, 'phone'),
})

/** The same, the password hashed. */
export type UserChange = Decoded<typeof userChangeFields> & { readonly passwordHash?: string }

/** What a change must know besides the user. */
export interface ChangeFacts {
  /** Who has the new e-mail, and the new document. */
  readonly email: Claim | null
  readonly document: Claim | null
  /** The sessions that a new password ends. */
  readonly alive: readonly Session[]
  /** By which the user is found: they follow what they are found by. */
  readonly ownMemberships: readonly Membership[]
}

export const readChangeFacts = async (store: Store, userId: number, wanted: UserChange): Promise<ChangeFacts> => ({
  email: await claimed(store, 'email', wanted.email),
  document: await claimed(store, 'user-document', wanted.document),
  alive: wanted.passwordHash === undefined ? [] : (await store.list(livingSessions(userId))).records,
  ownMemberships: isFoundBy(wanted) ? (await store.list(everyMembership(userId))).records : [],
})

const isFoundBy = ({ name, email, document }: UserChange): boolean =>
  [name, email, document].some((it) => it !== undefined)

const claimed = async (store: Store, kind: ClaimKind, text: string | undefined): Promise<Claim | null> =>
  text === undefined ? null : store.find(byId(claims, claimId(kind, text)))

/** Whether a change touches what somebody signs in with, or is known by. */
export const isIntimate = (user: User, { email, document, passwordHash }: UserChange): boolean =>
  passwordHash !== undefined ||
  (email !== undefined && email !== user.email) ||
  (document !== undefined && document !== user.document)

/**
 * A user after a change, and the changes that make it: a new e-mail is unverified, a new password ends the sessions.
 * Fails: `fields` (`email.taken`, `document.taken`). Source: decisions.md §1, Sessions and codes; §12, People.
 */
export const changeUser = (
  user: User,
  wanted: UserChange,
  { email: emailClaim, document: documentClaim, alive, ownMemberships }: ChangeFacts,
  now: Instant,
): Either<
  Failure<'fields', 'email.taken' | 'document.taken'>,
  { readonly user: User; readonly changes: readonly Change[] }
> => {
  const { name, phone, email, document, passwordHash } = wanted
  const isMoved = email !== undefined && email !== user.email
  const isRenamed = document !== undefined && document !== user.document
  const taken = [
    ...(isMoved && emailClaim ? [issue('email', 'email.taken')] : []),
    ...(isRenamed && documentClaim ? [issue('document', 'document.taken')] : []),
  ]
  if (taken.length > 0) return left(invalid(taken))
  const sent = {
    name,
    phone,
    document,
    passwordHash,
    ...(isMoved ? { email, emailVerifiedAt: null } : {}),
    ...(isRenamed ? { documentPassedAt: null } : {}),
  }
  const fields: Partial<User> = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  if (Object.keys(fields).length === 0) return right({ user, changes: [] })
  const set = { ...fields, updatedAt: now }
  const when = all(
    eq<keyof User & string>('removedAt', null),
    // The memberships are found by all three.
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
      ...(isMoved ? moved('email', user.email, email, user.id) : []),
      ...(isRenamed
        ? moved('user-document', user.documentPassedAt === null ? user.document : null, document, user.id)
        : []),
      ...ownMemberships.map(({ id }) => patch(memberships, id, { set: { search }, when: always })),
      ...endSessions(alive, now),
    ],
  })
}

const moved = (kind: ClaimKind, old: string | null, text: string, userId: number): readonly Change[] => [
  ...(old === null ? [] : [releaseUnique(kind, old)]),
  reserveUnique(kind, text, userId, null),
]
