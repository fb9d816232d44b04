import { type Either, failure, left, right } from '../../failure.ts'
import { flag, guid, nullable, output, timestamp, view } from '../../kernel/input/mod.ts'
import { all, eq, patch } from '../../kernel/records/record.ts'
import {
  accept,
  countingUseCase,
  type Fresh,
  readUseCase,
  type UseCase,
  useCase,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { MAX_KEY_CHARS } from '../../office/idempotency-keys.ts'
import type { Claims } from '../../ports/identity.ts'
import { byId } from '../../ports/store.ts'
import { auditUser, type User, users } from '../members/user.ts'
import { recordAudit } from '../office.ts'
import { type PaymentsPorts, PERMISSION_LACKING, type Person } from '../payments-ports.ts'
import {
  ACCESS_TOKEN_SECONDS,
  aliveSessions,
  endSessions,
  INVALID_TOKEN,
  isSessionValid,
  REFRESH_SECONDS,
  REPEAT_REFRESH_SECONDS,
  type Session,
  type ShownSession,
  type SignInResult,
  sessions,
  shownSession,
  signInResult,
} from './session.ts'

/** A session of the caller; `isCurrent` for the one of the request. */
export interface OwnSession {
  readonly session: ShownSession
  readonly isCurrent: boolean
}

type Caller = Pick<Person, 'userId' | 'sessionId'>

export const listOwnSessions =
  ({ store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ userId, sessionId }: Caller): UseCase<readonly OwnSession[], never> =>
  async () => {
    const steady = clock.steady()
    const { records } = await store.list(aliveSessions(userId))
    const usable = records.filter(({ expiresAt, refreshUntil }) => expiresAt > steady || (refreshUntil ?? '') > steady)
    return right(usable.map((session) => ({ session: shownSession(session), isCurrent: session.id === sessionId })))
  }

export const readOwnSession =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ userId }: Caller, id: string) =>
    readUseCase('session.unknown', async () => {
      const session = await store.find(byId(sessions, id))
      return session?.userId === userId && session.endedAt === null ? shownSession(session) : null
    })

export const endOwnSession = (ports: PaymentsPorts) => (caller: Caller & Pick<Person, 'origin'>, id: string) =>
  useCase(
    ports,
    (store) => store.find(byId(sessions, id)),
    (session, fresh) => {
      if (session?.userId !== caller.userId || session.endedAt !== null)
        return left(failure('not-found', 'session.unknown'))
      const entry = { chain: `user:${caller.userId}`, action: 'session.ended', subject: `session:${id}` } as const
      return accept(null, ...endSessions([session], fresh.now), ...recordAudit(fresh, caller, entry))
    },
  )

export const endOwnSessions = (ports: PaymentsPorts) => (caller: Caller & Pick<Person, 'origin'>) =>
  useCase(
    ports,
    (store) => store.list(aliveSessions(caller.userId)),
    ({ records }, fresh) =>
      accept(null, ...endSessions(records, fresh.now), ...auditUser(fresh, caller, caller.userId, 'sessions.ended')),
  )

export const sessionView = view(
  'Session',
  {
    id: guid({ about: 'Identificador' }),
    device: nullable(output.text({ about: 'Dispositivo, como ele se apresenta' })),
    address: output.text({ about: 'Endereço IP em que foi aberta' }),
    isCurrent: flag({ wire: 'current', about: 'Se é a sessão deste token' }),
    createdAt: timestamp({ about: 'Quando foi aberta' }),
    lastUsedAt: timestamp({ about: 'Quando foi aberta ou renovada pela última vez' }),
  },
  ({ session, isCurrent }: OwnSession) => ({ ...session, isCurrent }),
)

export const logOut =
  (ports: PaymentsPorts) =>
  ({ sessionId, keyPermissions = null }: Person) =>
    useCase(
      ports,
      (store) => store.find(byId(sessions, sessionId)),
      (session, { now }) => {
        if (keyPermissions !== null) return left(PERMISSION_LACKING)
        if (session?.endedAt !== null) return left(INVALID_TOKEN)
        return accept(null, patch(sessions, session.id, { set: { endedAt: now }, when: eq('endedAt', null) }))
      },
    )

export const readRefreshToken =
  ({ tokens }: Pick<PaymentsPorts, 'tokens'>) =>
  (token: string | null): UseCase<Claims, 'token.invalid'> =>
  async () => {
    const claims = token === null ? null : tokens.read(token)
    return claims ? right(claims) : left(INVALID_TOKEN)
  }

/**
 * A token that was replaced before may be stolen, and ends its session. Of two simultaneous refreshes of one token, one
 * is rejected and the session stays open.
 */
export const refreshSession =
  (ports: PaymentsPorts) =>
  (claims: Claims, key: string | null = null) =>
    useCaseOf<SignInResult>()(async (hooks) => {
      const { sid, sub, jti } = claims
      // A malformed key counts as none: a repeat ends the session then.
      const isKey = key !== null && key.length > 0 && key.length <= MAX_KEY_CHARS
      const refreshKey = isKey ? ports.digest.sha256(key) : null
      const before = await ports.store.find(byId(sessions, sid))
      const request = { sub, jti, refreshKey, wasCurrent: before?.jti === jti }
      return countingUseCase(
        ports,
        (store) => store.read({ session: byId(sessions, sid), user: byId(users, sub) }),
        (facts, fresh) => decideRefresh(ports, facts, request, fresh),
      )(hooks)
    })

type RefreshOutcome = Either<typeof INVALID_TOKEN, SignInResult>

interface RefreshRequest extends Pick<Claims, 'sub' | 'jti'> {
  /** The digest of the key; null without one. */
  readonly refreshKey: string | null
  /** True if the token was the session's present one when the request arrived. */
  readonly wasCurrent: boolean
}

export const decideRefresh = (
  ports: Pick<PaymentsPorts, 'digest' | 'tokens'>,
  { session, user }: { readonly session: Session | null; readonly user: User | null },
  { sub, jti, refreshKey, wasCurrent }: RefreshRequest,
  fresh: Fresh,
) => {
  const { now, steady } = fresh
  const hasEnded = !session || session.endedAt !== null || session.userId !== sub
  if (hasEnded || !user || !isSessionValid(ports, session, user)) return left(INVALID_TOKEN)
  if (session.refreshUntil === null || session.refreshUntil <= steady) return left(INVALID_TOKEN)
  if (session.jti !== jti) {
    const isRepeat = refreshKey !== null && session.refreshKey === refreshKey && session.formerJti === jti
    if (isRepeat && now < addSeconds(session.issuedAt, REPEAT_REFRESH_SECONDS))
      return accept<RefreshOutcome>(right(signInResult(ports.tokens, session, user)))
    const ended = wasCurrent ? [] : endSessions([session], now)
    return accept<RefreshOutcome>(left(INVALID_TOKEN), ...ended)
  }
  const set = {
    jti: fresh.uuid(),
    formerJti: refreshKey === null ? null : jti,
    refreshKey,
    issuedAt: now,
    expiresAt: addSeconds(now, ACCESS_TOKEN_SECONDS),
    refreshUntil: addSeconds(steady, REFRESH_SECONDS),
    lastUsedAt: now,
  }
  return accept<RefreshOutcome>(
    right(signInResult(ports.tokens, { ...session, ...set }, user)),
    patch(sessions, session.id, { set, when: all(eq('jti', jti), eq('endedAt', null)) }),
  )
}
