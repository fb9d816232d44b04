import { failure } from '../../failure.ts'
import { guid, oneOf, output, timestamp, view } from '../../kernel/input/mod.ts'
import {
  all,
  always,
  type Change,
  type Collection,
  eq,
  insert,
  newRecord,
  not,
  orNull,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addSeconds, epochSeconds, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import type { Claims, Tokens } from '../../ports/identity.ts'
import { type List, listOf, NEWEST_FIRST } from '../../ports/store.ts'
import type { Membership } from '../members/membership.ts'
import { memberView, type ShownUser, shownUser, type User, userView } from '../members/user.ts'
import {
  type Origin,
  type PaymentsPorts,
  permissionsField,
  permissionsOfApiKey,
  roleOf,
  roleView,
} from '../payments-ports.ts'

const session = record({
  id: t.string,
  userId: t.number,
  /** The account that its tokens name; v1 tokens name none. */
  accountId: orNull(t.number),
  /** The id of its only valid token; a refresh changes it. */
  jti: t.string,
  issuedAt: t.string,
  expiresAt: t.string,
  /** The end of the time in which the present token may be refreshed; null if it may not. */
  refreshUntil: orNull(t.string),
  endedAt: orNull(t.string),
  /** The id of the token that the present one replaced, and the digest of the key of that refresh, null without one. */
  formerJti: orNull(t.string),
  refreshKey: orNull(t.string),
  /** The end of the time in which the password counts as recent; null if the session never requires it again. */
  passwordRecentUntil: orNull(t.string),
  /** The mark of the password at sign-in; null for a session of an API key. */
  passwordMark: orNull(t.string),
  /** The time at which the second factor was proved; null if it was not, as for a person without one. */
  secondFactorAt: orNull(t.string),
  device: orNull(t.string),
  address: t.string,
  createdAt: t.string,
  /** The time of the sign-in or of the last refresh. */
  lastUsedAt: t.string,
})

/** A sign-in. Its tokens are valid until it ends. */
export type Session = t.TypeOf<typeof session>

/** A session without the fields that identify its token and password. */
export type ShownSession = ReturnType<typeof shownSession>

export const shownSession = ({ jti, passwordMark, formerJti, refreshKey, ...shown }: Session) => shown

/** The failure for every invalid token: malformed, expired, replaced, or of an ended session. */
export const INVALID_TOKEN = failure('unauthorized', 'token.invalid')

export const sessions: Collection<Session> = {
  name: 'payments.sessions',
  ids: 'text',
  codec: session,
  owner: null,
  conditions: { alive: eq('endedAt', null), ended: not(eq('endedAt', null)) },
  // By user, to end all sessions of a user together, and to show the data of a user; by expiry, for the sweep.
  indexes: [
    { eq: 'userId', sort: 'createdAt', when: 'alive', acrossOwners: true },
    { eq: 'userId', sort: 'createdAt', when: 'ended', acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

export const ACCESS_TOKEN_SECONDS = 3_600
/** The life of a token issued for an API key, which cannot be refreshed. */
export const KEY_TOKEN_SECONDS = 600
export const REFRESH_SECONDS = 14 * 24 * 3_600
/** The time in which a refresh whose answer was lost may be repeated under its key. */
export const REPEAT_REFRESH_SECONDS = 60
/** The time after which a guarded session requires the password again. */
const PASSWORD_RECENT_SECONDS = 600

export const passwordRecentUntil = ({ now }: Pick<Fresh, 'now'>): Instant => addSeconds(now, PASSWORD_RECENT_SECONDS)

/** Returns the end of the ten minutes after the password was last sent: at the sign-in, or to confirm it. */
export const passwordFreshUntil = (session: Pick<Session, 'passwordRecentUntil' | 'createdAt'>): Instant =>
  session.passwordRecentUntil ?? passwordRecentUntil({ now: session.createdAt })

/**
 * The most open sessions of a user, for each kind. A further one ends the oldest of its kind, so that all sessions of a
 * user can be ended in one commit.
 */
const MAX_SESSIONS = 200

/** Queries the open sessions of a user, newest first, with room for simultaneous sign-ins above `MAX_SESSIONS`. */
export const aliveSessions = (userId: number): List<Session> =>
  listOf(sessions, { where: eq('userId', userId), when: 'alive', sort: NEWEST_FIRST, limit: 2 * MAX_SESSIONS })

/** Queries the session that a further one ends, if any. API-key sessions count separately, and end no other kind. */
export const surplusSession = (userId: number, kind: 'sign-in' | 'API key'): List<Session> => {
  const isByKey = eq('refreshUntil', null)
  return {
    ...aliveSessions(userId),
    where: all(eq('userId', userId), kind === 'API key' ? isByKey : not(isByKey)),
    offset: MAX_SESSIONS - 1,
    limit: 1,
  }
}

/** Identifies a password: the digest of its hash, whose salt is unique. */
export const passwordMark = ({ digest }: Pick<PaymentsPorts, 'digest'>, passwordHash: string | null): string =>
  digest.sha256(passwordHash ?? '')

/**
 * Reports whether the user of a session exists, still has the password of the sign-in and, with a second factor, proved
 * it. A change of the password ends the open sessions; this check also rejects a session that was opened at the same
 * moment. A session of an API key has no mark of a password and needs no second factor.
 */
export const isSessionValid = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { passwordMark: mark, secondFactorAt }: Pick<Session, 'passwordMark' | 'secondFactorAt'>,
  user: Pick<User, 'removedAt' | 'passwordHash' | 'secondFactorAt'> | null,
): boolean => {
  if (user === null || user.removedAt !== null) return false
  if (mark === null) return true
  return mark === passwordMark(ports, user.passwordHash) && (user.secondFactorAt === null || secondFactorAt !== null)
}

export const endSessions = (ended: readonly Session[], now: Instant): readonly Change[] =>
  ended.map(({ id }) => patch(sessions, id, { set: { endedAt: now }, when: always }))

interface NewSession extends Pick<Session, 'userId' | 'accountId' | 'passwordMark'> {
  readonly origin: Origin
  /** Some actions require the password again, ten minutes after it was sent. */
  readonly isGuarded?: boolean
  readonly secondFactorAt?: Instant | null
  /** If set, the session ends with its first token and cannot be refreshed. */
  readonly lifeSeconds?: number
}

/** Returns a new session and the change that stores it. */
export const openSession = (
  fresh: Fresh,
  { origin, lifeSeconds, isGuarded = false, ...of }: NewSession,
): { readonly session: Session; readonly change: Change } => {
  const { now, steady } = fresh
  const { device, address } = origin
  const session = newRecord(sessions, {
    id: fresh.uuid(),
    ...of,
    jti: fresh.uuid(),
    issuedAt: now,
    expiresAt: addSeconds(now, lifeSeconds ?? ACCESS_TOKEN_SECONDS),
    refreshUntil: lifeSeconds === undefined ? addSeconds(steady, REFRESH_SECONDS) : null,
    passwordRecentUntil: isGuarded ? passwordRecentUntil(fresh) : null,
    device,
    address,
    createdAt: now,
    lastUsedAt: now,
  })
  return { session, change: insert(sessions, session) }
}

interface SignInOptions {
  /** The membership whose account the tokens name; null for none. */
  readonly member?: Pick<Membership, 'accountId' | 'roleId'> | null
  readonly isGuarded?: boolean
  readonly secondFactorAt?: Instant | null
}

/** Signs a user in. Returns the result and the change that stores it. */
export const signIn = (
  ports: Pick<PaymentsPorts, 'digest' | 'tokens'>,
  fresh: Fresh,
  user: User,
  origin: Origin,
  { member = null, isGuarded = false, secondFactorAt = null }: SignInOptions = {},
): { readonly result: SignInResult; readonly change: Change } => {
  const { session, change } = openSession(fresh, {
    userId: user.id,
    accountId: member?.accountId ?? null,
    origin,
    isGuarded,
    secondFactorAt,
    passwordMark: passwordMark(ports, user.passwordHash),
  })
  return { result: signInResult(ports.tokens, session, user, member?.roleId), change }
}

/**
 * The account that an API-key session is bound to; null for a sign-in with a password. The holder of an account's API
 * key can name any of its members, and must not act as them in other accounts.
 */
export const boundAccountOf = ({ refreshUntil, accountId }: Session): number | null =>
  refreshUntil === null ? accountId : null

export const claimsOf = ({ userId, id, accountId, jti, issuedAt, expiresAt }: Session): Claims => ({
  sub: userId,
  sid: id,
  ...(accountId === null ? {} : { acc: accountId }),
  jti,
  iat: epochSeconds(issuedAt),
  exp: epochSeconds(expiresAt),
})

export interface SignInResult {
  readonly accessToken: string
  /** Counted from the issue of the token. */
  readonly expiresInSeconds: number
  readonly user: ShownUser
  readonly sessionId: string
  readonly device: string | null
  readonly expiresAt: Instant
  /** The user's role in the session's account; null without an account. */
  readonly roleId: number | null
}

export const signInResult = (
  tokens: Tokens,
  session: Session,
  user: User,
  roleId: number | null = null,
): SignInResult => ({
  accessToken: tokens.sign(claimsOf(session)),
  expiresInSeconds: secondsBetween(session.issuedAt, session.expiresAt),
  user: shownUser(user),
  sessionId: session.id,
  device: session.device,
  expiresAt: session.expiresAt,
  roleId,
})

const token = output.text({ about: 'Token de acesso' })

export const tokenView = view(
  'Token',
  {
    accessToken: token,
    tokenType: oneOf(['bearer'], { about: 'Tipo do token' }),
    expiresInSeconds: output.count({ wire: 'expires_in', about: 'Validade em segundos' }),
    user: output.view(userView, { about: 'Quem se autenticou' }),
  },
  (result: SignInResult) => ({ ...result, tokenType: 'bearer' as const }),
)

const sessionTokenFields = {
  token,
  sessionDuration: output.count({ about: 'Validade em segundos' }),
  expiresAt: output.localTime({ about: 'Quando o token expira, no horário de São Paulo' }),
}

const sessionTokenOf = ({ accessToken, expiresInSeconds, expiresAt }: SignInResult) => ({
  token: accessToken,
  sessionDuration: expiresInSeconds,
  expiresAt,
})

export const sessionTokenView = view(
  'SessionToken',
  { ...sessionTokenFields, sessionId: guid({ about: 'Sessão' }) },
  (result: SignInResult) => ({ ...sessionTokenOf(result), sessionId: result.sessionId }),
)

/** The legacy token with the user and their roles, for the dashboard. */
export const dashboardTokenView = view(
  'DashboardToken',
  {
    ...sessionTokenFields,
    user: output.view(memberView, { about: 'Quem se autenticou' }),
    roles: output.views(roleView, { about: 'Perfis na conta' }),
  },
  (result: SignInResult) => ({
    ...sessionTokenOf(result),
    user: result.user,
    roles: result.roleId === null ? [] : [roleOf(result.roleId)],
  }),
)

export const keyTokenView = view(
  'KeyToken',
  {
    token,
    tokenType: oneOf(['Bearer'], { about: 'Tipo do token' }),
    expiresAt: timestamp({ about: 'Quando o token expira' }),
    permissions: permissionsField('O que o token permite'),
  },
  ({ accessToken, expiresAt, roleId }: SignInResult) => ({
    token: accessToken,
    tokenType: 'Bearer' as const,
    expiresAt,
    permissions: roleId === null ? [] : permissionsOfApiKey(roleId),
  }),
)
