import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { accept, useCase, useCaseOf, withoutKeys } from '../../../kernel/running/use-case.ts'
import { fromEpochSeconds } from '../../../kernel/values/day.ts'
import type { Origin } from '../../../office/audit.ts'
import type { Claims } from '../../../ports/identity.ts'
import { byId, type Listed } from '../../../ports/store.ts'
import type { Person } from '../../actor.ts'
import type { Membership } from '../../members/membership.ts'
import { newestMemberships } from '../../members/membership.ts'
import { type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { boundAccountOf, isStillTheirs, type Session, sessions } from './session.ts'

/** Somebody who calls, with their newest active memberships: whose account it is about is then one read away. */
export interface Caller extends Person {
  readonly memberships: readonly Membership[]
}

interface Facts {
  readonly session: Session | null
  readonly user: User | null
  readonly memberships: Listed<Membership>
}

const UNAUTHENTICATED = failure('unauthorized', 'token.invalid')

/**
 * Who a token speaks for, in one read: a token is good while its session is alive and it is the session's present one.
 * What the caller does is audited with the origin that is told here.
 * Fails: `token.invalid`, whatever is wrong with it. Source: 01-access.md, Authentication; decisions.md §1.
 */
export const authenticate =
  (ports: PaymentsPorts) =>
  (token: string | null, origin: Origin | null = null) =>
    withoutKeys(
      useCaseOf<Caller>()(async () => {
        const claims = token === null ? null : ports.tokens.read(token)
        if (!claims || fromEpochSeconds(claims.exp) <= ports.clock.now()) return left(UNAUTHENTICATED)
        return useCase(
          ports,
          (store) =>
            store.read({
              session: byId(sessions, claims.sid),
              user: byId(users, claims.sub),
              memberships: newestMemberships(claims.sub),
            }),
          (facts) => decideCaller(ports, facts, claims, origin),
        )()
      }),
    )

/** Whether the session that a sound token names is alive, still its user's, and gave that token last. */
export const decideCaller = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { session, user, memberships }: Facts,
  { sub, sid, jti, acc }: Claims,
  origin: Origin | null = null,
) => {
  const isGood = session?.userId === sub && session.jti === jti && session.endedAt === null
  if (!isGood || !isStillTheirs(ports, session, user)) return left(UNAUTHENTICATED)
  const boundTo = boundAccountOf(session)
  return accept<Caller>({
    userId: sub,
    sessionId: sid,
    tokenAccountId: acc ?? null,
    boundTo,
    memberships: memberships.records,
    origin,
  })
}
