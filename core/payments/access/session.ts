import { t } from '../../fp.ts'
import { oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { type Change, insert, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { all, always, eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { addSeconds, epochSeconds, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import type { Origin } from '../../office/audit.ts'
import type { Claims, Tokens } from '../../ports/identity.ts'
import type { Digest } from '../../ports/runtime.ts'
import { type List, listOf } from '../../ports/store.ts'
import { permissionsField, permissionsOfApiKey, roleOf, roleView } from '../actor.ts'
import { memberView, type ShownUser, shownUser, type User, userView } from '../members/user.ts'

const session = record({
  id: t.string,
  userId: t.number,
  /** The account that its tokens name; v1 tokens name none. */
  accountId: orNull(t.number),
  /** Of the one token that is good now: a refresh changes it. */
  jti: t.string,
  issuedAt: t.string,
  expiresAt: t.string,
  /** Until when the present token may be refreshed; null where it may not. */
  refreshUntil: orNull(t.string),
  endedAt: orNull(t.string),
  /** Of the password that it was opened with; null where it was opened with none (an API key). */
  passwordMark: orNull(t.string),
  device: orNull(t.string),
  address: t.string,
  createdAt: t.string,
  /** When it was signed in to or refreshed last. */
  lastUsedAt: t.string,
})

/** One sign-in: its tokens are good while it is alive. Source: decisions.md §1, Sessions and codes. */
export type Session = t.TypeOf<typeof session>

/** A session as its own user sees it: not by what its token and its password are known again. */
export type ShownSession = Omit<Session, 'jti' | 'passwordMark'>

export const shownSession = ({ jti: _, passwordMark: __, ...shown }: Session): ShownSession => shown

export const sessions: Collection<Session> = {
  name: 'payments.sessions',
  ids: 'text',
  codec: session,
  owner: null,
  conditions: { alive: eq('endedAt', null) },
  // A person's sessions are ended together; what ran out is swept by its last token's end.
  indexes: [
    { eq: 'userId', sort: 'createdAt', when: 'alive', acrossOwners: true },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

export const ACCESS_TOKEN_SECONDS = 3_600
/** A token that was given for an API key; it is never refreshed. */
export const KEY_TOKEN_SECONDS = 600
export const REFRESH_SECONDS = 14 * 24 * 3_600

/**
 * How many sign-ins of one person are alive, and how many for API keys: a further one ends the oldest of its kind, so that
 * all of them end in one commit.
 */
export const MAX_SESSIONS = 200

const NOT_REFRESHABLE = eq<keyof Session & string>('refreshUntil', null)

/** A person's sessions that are alive, the newest first; some more than there may be, for those who sign in at once. */
export const aliveSessions = (userId: number): List<Session> =>
  listOf(sessions, {
    where: eq('userId', userId),
    when: 'alive',
    sort: { by: 'createdAt', dir: 'desc' },
    limit: 2 * MAX_SESSIONS,
  })

/** What a program gets for an API key ends by itself, and never ends where a person is signed in. */
export type SessionKind = 'sign-in' | 'API key'

/** The session that a further one of its kind ends, where there is one. */
export const surplusSession = (userId: number, kind: SessionKind): List<Session> => ({
  ...aliveSessions(userId),
  where: all(eq<keyof Session & string>('userId', userId), kind === 'API key' ? NOT_REFRESHABLE : not(NOT_REFRESHABLE)),
  offset: MAX_SESSIONS - 1,
  limit: 1,
})

/** By which a session knows a password again: of its hash, whose salt no other one has. */
export const passwordMark = ({ digest }: { readonly digest: Digest }, passwordHash: string | null): string =>
  digest.sha256(passwordHash ?? '')

/**
 * Whether a session's user is there, with the password that it was opened with. Whoever sets another one, or removes the
 * user, ends the sessions that they see; one that is opened in that very moment ends by this.
 */
export const isSessionValid = (
  ports: { readonly digest: Digest },
  { passwordMark: mark }: Pick<Session, 'passwordMark'>,
  user: Pick<User, 'removedAt' | 'passwordHash'> | null,
): boolean =>
  user !== null && user.removedAt === null && (mark === null || mark === passwordMark(ports, user.passwordHash))

/** The changes that end sessions. */
export const endSessions = (ended: readonly Session[], now: Instant): readonly Change[] =>
  ended.map(({ id }) => patch(sessions, id, { set: { endedAt: now }, when: always }))

/** A new session of a user, and the change that opens it. */
export const openSession = (
  fresh: Fresh,
  of: {
    readonly userId: number
    readonly accountId: number | null
    readonly origin: Origin
    readonly passwordMark: string | null
    /** Then it ends with its one token. */
    readonly lifeSeconds?: number
  },
): { readonly session: Session; readonly change: Change } => {
  const { now, steady } = fresh
  const opened: Session = {
    id: fresh.uuid(),
    userId: of.userId,
    accountId: of.accountId,
    jti: fresh.uuid(),
    issuedAt: now,
    expiresAt: addSeconds(now, of.lifeSeconds ?? ACCESS_TOKEN_SECONDS),
    refreshUntil: of.lifeSeconds === undefined ? addSeconds(steady, REFRESH_SECONDS) : null,
    endedAt: null,
    passwordMark: of.passwordMark,
    device: of.origin.device,
    address: of.origin.address,
    createdAt: now,
    lastUsedAt: now,
  }
  return { session: opened, change: insert(sessions, opened) }
}

/**
 * The one account in which a session opens anything: whoever has an account's API key may name anybody who works there, and
 * must not become them elsewhere. Null for who signed in themselves.
 */
export const boundAccountOf = ({ refreshUntil, accountId }: Session): number | null =>
  refreshUntil === null ? accountId : null

/** What the session's present token says. */
export const claimsOf = ({ userId, id, accountId, jti, issuedAt, expiresAt }: Session): Claims => ({
  sub: userId,
  sid: id,
  ...(accountId === null ? {} : { acc: accountId }),
  jti,
  iat: epochSeconds(issuedAt),
  exp: epochSeconds(expiresAt),
})

/** What somebody gets who signed in. */
export interface SignInResult {
  readonly accessToken: string
  /** How long the token is good for, from when it was issued. */
  readonly expiresInSeconds: number
  readonly user: ShownUser
  readonly sessionId: string
  readonly device: string | null
  /** When the token runs out. */
  readonly expiresAt: Instant
  /** By which role the session's account was entered; null where it names none. */
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

/** Source: 01-access.md, Token data. */
export const tokenView = view(
  'Token',
  {
    accessToken: token,
    tokenType: oneOf(['bearer'], { about: 'Tipo do token' }),
    expiresInSeconds: output.count({ wire: 'expires_in', about: 'Validade em segundos' }),
    user: output.view(userView, { about: 'Quem se autenticou' }),
  },
  (signed: SignInResult) => ({ ...signed, tokenType: 'bearer' as const }),
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

/** Source: 01-access.md, POST /access/auth/login; decisions.md §1, Sessions and codes. */
export const sessionTokenView = view(
  'SessionToken',
  { ...sessionTokenFields, sessionId: guid({ about: 'Sessão' }) },
  (signed: SignInResult) => ({ ...sessionTokenOf(signed), sessionId: signed.sessionId }),
)

/** The same for the dashboard that asks for who signed in. */
export const dashboardTokenView = view(
  'DashboardToken',
  {
    ...sessionTokenFields,
    user: output.view(memberView, { about: 'Quem se autenticou' }),
    roles: output.views(roleView, { about: 'Perfis na conta' }),
  },
  (signed: SignInResult) => ({
    ...sessionTokenOf(signed),
    user: signed.user,
    roles: signed.roleId === null ? [] : [roleOf(signed.roleId)],
  }),
)

/** Source: 01-access.md, POST /access/account/get-token; decisions.md §1, Sessions and codes. */
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
