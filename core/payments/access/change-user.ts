import { type Failure, failure, invalid, issue } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { optional } from '../../kernel/input/field.ts'
import { allOptional, type InputOf, input } from '../../kernel/input/input.ts'
import { type Decoded, pick } from '../../kernel/input/table.ts'
import { secret } from '../../kernel/input/texts.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, always, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, countingUseCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { Origin } from '../../office/audit.ts'
import { hashingUseCaseOf } from '../../office/guesses.ts'
import { type Throttle, throttleId } from '../../office/throttle.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Person } from '../actor.ts'
import { type Claim, type ClaimKind, claimId, claims, releaseUnique, reserveUnique } from '../claim.ts'
import { allMemberships, type Membership, membershipSearch, memberships } from '../members/membership.ts'
import {
  legacyDocument,
  legacyPasswords,
  type ShownUser,
  shownUser,
  type User,
  userFields,
  users,
} from '../members/user.ts'
import { changesOf, recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { secretVerifier } from '../secret-hashing.ts'
import { forgetTries, loginThrottle, throttles } from './log-in.ts'
import { aliveSessions, endSessions, passwordMark, type Session, sessions } from './session.ts'

/** What of a user may change; what is left out stays. The phone alone may be cleared. */
export const userChangeFields = allOptional({
  ...pick(userFields, 'name', 'email'),
  document: legacyDocument,
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
  email: await findClaim(store, 'email', wanted.email),
  document: await findClaim(store, 'user-document', wanted.document),
  alive: wanted.passwordHash === undefined ? [] : (await store.list(aliveSessions(userId))).records,
  ownMemberships: changesSearch(wanted) ? (await store.list(allMemberships(userId))).records : [],
})

const changesSearch = ({ name, email, document }: UserChange): boolean =>
  [name, email, document].some((it) => it !== undefined)

const findClaim = async (store: Store, kind: ClaimKind, text: string | undefined): Promise<Claim | null> =>
  text === undefined ? null : store.find(byId(claims, claimId(kind, text)))

/** Whether a change touches what somebody signs in with, or is known by. */
export const changesCredentials = (user: User, { email, document, passwordHash }: UserChange): boolean =>
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
      ...(isMoved ? moveClaim('email', user.email, email, user.id) : []),
      ...(isRenamed
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

/** What somebody changes of themselves, and the password that shows it is they. */
export const selfChange = input('SelfChange', {
  currentPassword: secret({ about: 'Senha atual' }),
  newPassword: optional(legacyPasswords.next),
  ...userChangeFields,
})

export type SelfChange = InputOf<typeof selfChange>

interface EditFacts extends ChangeFacts {
  readonly user: User | null
  readonly throttle: Throttle | null
}

const WRONG_PASSWORD = failure('unauthorized', 'password.wrong')
const INVALID_TOKEN = failure('unauthorized', 'token.invalid')

/**
 * Changes the caller's own user. A guess at the password is counted with those at the login; a new one ends every session
 * but the caller's own.
 * Fails: `token.invalid`, `password.wrong`, `login.throttled`, `fields` (`email.taken`, `document.taken`), `server.busy`.
 * Source: 01-access.md, PUT /access/auth/edit; decisions.md §12.
 */
export const editSelf = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  const isRight = secretVerifier(ports)
  return ({ userId, sessionId }: Pick<Person, 'userId' | 'sessionId'>, given: SelfChange, origin: Origin) =>
    withValidInput(ports, selfChange, given, ({ currentPassword, newPassword, ...others }) =>
      hashingUseCaseOf<ShownUser>()(async (hooks) => {
        const user = await ports.store.find(byId(users, userId))
        if (!user) return left(INVALID_TOKEN)
        return throttled(user.email, origin.address, async () => {
          if (!(await isRight(user.email, currentPassword, user.passwordHash, origin))) return left(WRONG_PASSWORD)
          const hashed = newPassword === undefined ? {} : { passwordHash: await ports.hasher.hash(newPassword, origin) }
          const wanted: UserChange = { ...others, ...hashed }
          return countingUseCase(
            ports,
            (store) => readEditFacts(store, userId, throttleId(user.email, origin.address), wanted),
            (facts, fresh) => decideEdit(ports, facts, user, wanted, sessionId, origin, fresh),
          )(hooks)
        })
      }),
    )
}

const readEditFacts = async (
  store: Store,
  userId: number,
  throttleKey: string,
  wanted: UserChange,
): Promise<EditFacts> => ({
  ...(await readChangeFacts(store, userId, wanted)),
  user: await store.find(byId(users, userId)),
  throttle: await store.find(byId(throttles, throttleKey)),
})

/** The change, once the password was found right, unless that was changed meanwhile. */
export const decideEdit = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { user, throttle, alive, ...facts }: EditFacts,
  checked: User,
  wanted: UserChange,
  ownSessionId: string,
  origin: Origin,
  fresh: Fresh,
) => {
  if (!user || user.passwordHash !== checked.passwordHash) return left(WRONG_PASSWORD)
  const others = alive.filter(({ id }) => id !== ownSessionId)
  const changed = changeUser(user, wanted, { ...facts, alive: others }, fresh.now)
  // The password was right, whatever is wrong with the rest.
  if (isLeft(changed)) return accept(changed, ...forgetTries(throttle))
  const { user: after, changes } = changed.right
  const told = recordAudit(
    fresh,
    { userId: user.id, origin },
    {
      chain: `user:${user.id}`,
      action: 'user.updated',
      subject: `user:${user.id}`,
      changes: changesOf(user, after),
    },
  )
  // The caller's own session goes on with the new password.
  const kept: readonly Change[] =
    wanted.passwordHash === undefined
      ? []
      : [
          patch(sessions, ownSessionId, {
            set: { passwordMark: passwordMark(ports, after.passwordHash) },
            when: always,
          }),
        ]
  return accept(right(shownUser(after)), ...forgetTries(throttle), ...changes, ...kept, ...told)
}
