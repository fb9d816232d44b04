import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import { type UseCase, unavailable } from '../../kernel/running/use-case.ts'
import { type IdentityClaims, IdentityUnavailable } from '../../ports/identity.ts'
import { byKey } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type User, users } from '../records/user.ts'

/**
 * Whose token it is, registered or not.
 * Fails: `token.invalid` (none, too), `identity.unavailable` (the provider's keys cannot be had).
 * Source: decisions.md §6, Identity, and §10.
 */
export const authenticate =
  ({ identity, clock }: Pick<RealEstatePorts, 'identity' | 'clock'>) =>
  (token: string | null): UseCase<IdentityClaims, 'token.invalid' | 'identity.unavailable'> =>
  async () => {
    try {
      const claims = token === null ? null : await identity.verify(token, clock.now())
      return claims ? right(claims) : left(failure('unauthorized', 'token.invalid'))
    } catch (error) {
      if (error instanceof IdentityUnavailable) return left(unavailable('identity.unavailable'))
      throw error
    }
  }

/** Reports whether claims prove an e-mail that was not verified when its user registered. */
export const provesEmail = (
  { email, emailVerified }: Pick<IdentityClaims, 'email' | 'emailVerified'>,
  user: Pick<User, 'email' | 'emailUnproven'>,
): boolean => user.emailUnproven === true && emailVerified && email === user.email

/**
 * The registered user of a token's claims.
 * Fails: `user.unregistered`.
 */
export const resolveActor =
  ({ store }: Pick<RealEstatePorts, 'store'>) =>
  (claims: IdentityClaims): UseCase<Actor, 'user.unregistered'> =>
  async () => {
    const { uid, email, emailVerified, expiresAt } = claims
    const user = await store.find(byKey(users, 'uid', uid))
    if (!user) return left(failure('forbidden', 'user.unregistered'))
    const { id: userId, companyId, role } = user
    const proven = patch(users, userId, { set: { emailUnproven: null }, when: eq('email', user.email) })
    if (provesEmail(claims, user)) await store.commit([proven])
    const until = expiresAt === undefined ? {} : { tokenExpiresAt: expiresAt }
    return right({ userId, companyId, role, verifiedEmail: emailVerified ? email : null, ...until })
  }
