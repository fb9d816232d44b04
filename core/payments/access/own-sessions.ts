import { failure } from '../../failure.ts'
import { type Either, left, right } from '../../fp.ts'
import { nullable } from '../../kernel/input/field.ts'
import { flag, timestamp } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import {
  accept,
  countingUseCase,
  readUseCase,
  type UseCase,
  useCase,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { Claims } from '../../ports/identity.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Person } from '../actor.ts'
import { type User, users } from '../members/user.ts'
import { recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import {
  ACCESS_TOKEN_SECONDS,
  aliveSessions,
  endSessions,
  isSessionValid,
  REFRESH_SECONDS,
  type Session,
  type ShownSession,
  type SignInResult,
  sessions,
  shownSession,
  signInResult,
} from './session.ts'

/** A session, and whether it is the one that asks. */
export interface OwnSession {
  readonly session: ShownSession
  readonly isCurrent: boolean
}

type Caller = Pick<Person, 'userId' | 'sessionId'>

/** The caller's sessions that are alive or may be refreshed, the newest first: where somebody is signed in as them. */
export const listOwnSessions =
  ({ store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ userId, sessionId }: Caller): UseCase<readonly OwnSession[], never> =>
  async () => {
    const steady = clock.steady()
    const { records } = await store.list(aliveSessions(userId))
    const usable = records.filter(({ expiresAt, refreshUntil }) => expiresAt > steady || (refreshUntil ?? '') > steady)
    return right(usable.map((session) => ({ session: shownSession(session), isCurrent: session.id === sessionId })))
  }

/** The caller's session of this id while it is alive. Fails: `session.unknown`, for anybody else's too. */
export const readOwnSession =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ userId }: Caller, id: string) =>
    readUseCase('session.unknown', async () => {
      const session = await store.find(byId(sessions, id))
      return session?.userId === userId && session.endedAt === null ? shownSession(session) : null
    })

/** Ends one of the caller's sessions: its token is good for nothing from the moment this resolves. Fails: `session.unknown`. */
export const endOwnSession = (ports: PaymentsPorts) => (caller: Caller & Pick<Person, 'origin'>, id: string) =>
  useCase(
    ports,
    (store) => store.find(byId(sessions, id)),
    (session, fresh) => {
      if (session?.userId !== caller.userId || session.endedAt !== null)
        return left(failure('not-found', 'session.unknown'))
      const told = { chain: `user:${caller.userId}`, subject: `session:${id}` } as const
      return accept(
        null,
        ...endSessions([session], fresh.now),
        ...recordAudit(fresh, caller, { ...told, action: 'session.ended' }),
      )
    },
  )

/** A session as its own user sees it. */
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

/**
 * Ends a person's own session: its token is good for nothing from the moment this resolves.
 * Fails: `token.invalid` when it has ended before. Source: 01-access.md, POST /v1/auth/logout.
 */
export const logOut =
  (ports: PaymentsPorts) =>
  ({ sessionId }: Person) =>
    useCase(ports, (store) => store.find(byId(sessions, sessionId)), decideLogOut)

export const decideLogOut = (session: Session | null, { now }: Fresh) => {
  if (!session || session.endedAt !== null) return left(failure('unauthorized', 'token.invalid'))
  return accept(null, patch(sessions, session.id, { set: { endedAt: now }, when: eq('endedAt', null) }))
}

const INVALID_TOKEN = failure('unauthorized', 'token.invalid')

/**
 * Reads a token that somebody wants to refresh: a sound one, run out or not.
 * Fails: `token.invalid`. Source: 01-access.md, Authentication; decisions.md §1, Sessions and codes.
 */
export const readRefreshToken =
  ({ tokens }: Pick<PaymentsPorts, 'tokens'>) =>
  (token: string | null): UseCase<Claims, 'token.invalid'> =>
  async () => {
    const claims = token === null ? null : tokens.read(token)
    return claims ? right(claims) : left(INVALID_TOKEN)
  }

interface RefreshFacts {
  readonly session: Session | null
  readonly user: User | null
}

/**
 * Gives a session a new token in the place of its present one. A token that was refreshed before ends its session:
 * somebody else has it. Of two that come at once one is refused, and the session lives.
 * Fails: `token.invalid`. Source: decisions.md §1, Sessions and codes; §12, Context and sessions.
 */
export const refreshSession = (ports: PaymentsPorts) => (claims: Claims) =>
  useCaseOf<SignInResult>()(async (hooks) => {
    const { sid, sub, jti } = claims
    const before = await ports.store.find(byId(sessions, sid))
    const wasPresent = before?.jti === jti
    const read = (store: Store): Promise<RefreshFacts> =>
      store.read({ session: byId(sessions, sid), user: byId(users, sub) })
    return countingUseCase(ports, read, (facts, fresh) => decideRefresh(ports, facts, claims, wasPresent, fresh))(hooks)
  })

type Refreshed = Either<typeof INVALID_TOKEN, SignInResult>

export const decideRefresh = (
  { digest, tokens }: Pick<PaymentsPorts, 'digest' | 'tokens'>,
  { session, user }: RefreshFacts,
  { sub, jti }: Pick<Claims, 'sub' | 'jti'>,
  /** Whether the token was the session's present one when it came. */
  wasPresent: boolean,
  fresh: Fresh,
) => {
  const { now, steady } = fresh
  const isOver = !session || session.endedAt !== null || session.userId !== sub
  if (isOver || !user || !isSessionValid({ digest }, session, user)) return left(INVALID_TOKEN)
  if (session.refreshUntil === null || session.refreshUntil <= steady) return left(INVALID_TOKEN)
  if (session.jti !== jti) {
    const ended = wasPresent ? [] : endSessions([session], now)
    return accept<Refreshed>(left(INVALID_TOKEN), ...ended)
  }
  const set = {
    jti: fresh.uuid(),
    issuedAt: now,
    expiresAt: addSeconds(now, ACCESS_TOKEN_SECONDS),
    refreshUntil: addSeconds(steady, REFRESH_SECONDS),
    lastUsedAt: now,
  }
  return accept<Refreshed>(
    right(signInResult(tokens, { ...session, ...set }, user)),
    patch(sessions, session.id, { set, when: all(eq('jti', jti), eq('endedAt', null)) }),
  )
}
