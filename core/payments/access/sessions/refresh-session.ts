import { failure } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import { patch } from '../../../kernel/records/change.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, countingUseCase, type UseCase, useCaseOf } from '../../../kernel/running/use-case.ts'
import { addSeconds } from '../../../kernel/values/day.ts'
import type { Claims } from '../../../ports/identity.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { ACCESS_TOKEN_SECONDS, endSessions, isStillTheirs, REFRESH_SECONDS, type Session, sessions } from './session.ts'
import { type SignedIn, signedIn } from './signed-in.ts'

const IMPOSSIBLE = failure('unauthorized', 'token.invalid')

/**
 * Reads a token that somebody wants to refresh: a sound one, run out or not.
 * Fails: `token.invalid`. Source: 01-access.md, Authentication; decisions.md §1, Sessions and codes.
 */
export const readRefreshToken =
  ({ tokens }: Pick<PaymentsPorts, 'tokens'>) =>
  (token: string | null): UseCase<Claims, 'token.invalid'> =>
  async () => {
    const claims = token === null ? null : tokens.read(token)
    return claims ? right(claims) : left(IMPOSSIBLE)
  }

interface Facts {
  readonly session: Session | null
  readonly user: User | null
}

/**
 * Gives a session a new token in the place of its present one. A token that was refreshed before ends its session:
 * somebody else has it. Of two that come at once one is refused, and the session lives.
 * Fails: `token.invalid`. Source: decisions.md §1, Sessions and codes; §12, Context and sessions.
 */
export const refreshSession = (ports: PaymentsPorts) => (claims: Claims) =>
  useCaseOf<SignedIn>()(async (hooks) => {
    const { sid, sub, jti } = claims
    const before = await ports.store.find(byId(sessions, sid))
    const wasPresent = before?.jti === jti
    const read = (store: Store): Promise<Facts> => store.read({ session: byId(sessions, sid), user: byId(users, sub) })
    return countingUseCase(ports, read, (facts, fresh) => decideRefresh(ports, facts, claims, wasPresent, fresh))(hooks)
  })

type Refreshed = Either<typeof IMPOSSIBLE, SignedIn>

export const decideRefresh = (
  { digest, tokens }: Pick<PaymentsPorts, 'digest' | 'tokens'>,
  { session, user }: Facts,
  { sub, jti }: Pick<Claims, 'sub' | 'jti'>,
  /** Whether the token was the session's present one when it came. */
  wasPresent: boolean,
  fresh: Fresh,
) => {
  const { now, steady } = fresh
  const isOver = !session || session.endedAt !== null || session.userId !== sub
  if (isOver || !user || !isStillTheirs({ digest }, session, user)) return left(IMPOSSIBLE)
  if (session.refreshUntil === null || session.refreshUntil <= steady) return left(IMPOSSIBLE)
  if (session.jti !== jti) {
    const ended = wasPresent ? [] : endSessions([session], now)
    return accept<Refreshed>(left(IMPOSSIBLE), ...ended)
  }
  const set = {
    jti: fresh.uuid(),
    issuedAt: now,
    expiresAt: addSeconds(now, ACCESS_TOKEN_SECONDS),
    refreshUntil: addSeconds(steady, REFRESH_SECONDS),
    lastUsedAt: now,
  }
  return accept<Refreshed>(
    right(signedIn(tokens, { ...session, ...set }, user)),
    patch(sessions, session.id, { set, when: all(eq('jti', jti), eq('endedAt', null)) }),
  )
}
