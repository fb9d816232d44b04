import { failure } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import { line } from '../../kernel/input/texts.ts'
import { patch } from '../../kernel/records/change.ts'
import { always } from '../../kernel/records/where.ts'
import { accept, readUseCase, useCase } from '../../kernel/running/use-case.ts'
import type { IdentityClaims } from '../../ports/identity.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { companies } from '../records/company.ts'
import { type User, users } from '../records/user.ts'
import { provesEmail } from './authenticate.ts'
import type { Profile } from './user-view.ts'

const profileOf = async (store: Store, user: User | null): Promise<Profile | null> => {
  const company = user && (await store.find(byId(companies, user.companyId)))
  return user && company ? { user, company } : null
}

const named = line({ max: 255 })

/** The fields of a user that the provider's claims change. */
const syncedOf = (user: User, claims: IdentityClaims, isEmailFree: boolean): Partial<User> => {
  const { name, email, emailVerified } = claims
  const got = named.read(name)
  const isMoved = email !== null && emailVerified && isEmailFree && email !== user.email
  return {
    ...(!isLeft(got) && got.right !== user.name && { name: got.right }),
    ...(isMoved && { email, emailUnproven: null }),
    ...(provesEmail(claims, user) && { emailUnproven: null }),
  }
}

/**
 * Somebody's profile, with the name and the verified e-mail that their provider tells now; an e-mail that another user has is
 * left out.
 * Fails: `user.unknown` (nobody registered them).
 * Source: 03-real-estate.md, POST /api/auth/login; decisions.md §10, Identity.
 */
export const logIn = (ports: RealEstatePorts) => (claims: IdentityClaims) =>
  useCase(
    ports,
    async (store) => {
      const profile = await profileOf(store, await store.find(byKey(users, 'uid', claims.uid)))
      const holder = claims.email === null ? null : await store.find(byKey(users, 'email', claims.email))
      return { profile, isEmailFree: holder === null }
    },
    ({ profile, isEmailFree }, { now }) => {
      if (!profile) return left(failure('not-found', 'user.unknown'))
      const synced = syncedOf(profile.user, claims, isEmailFree)
      if (Object.keys(synced).length === 0) return accept(profile)
      const set = { ...synced, updatedAt: now }
      return accept(
        { ...profile, user: { ...profile.user, ...set } },
        patch(users, profile.user.id, { set, when: always }),
      )
    },
  )

/**
 * Somebody's profile as it is.
 * Fails: `user.unknown`.
 * Source: 03-real-estate.md, POST /api/auth/refresh.
 */
export const readProfile =
  ({ store }: Pick<RealEstatePorts, 'store'>) =>
  ({ userId }: Pick<Actor, 'userId'>) =>
    readUseCase('user.unknown', async () => profileOf(store, await store.find(byId(users, userId))))
