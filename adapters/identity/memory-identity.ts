import type { Identity, IdentityClaims } from '../../core/ports/identity.ts'

/** An identity provider in memory. Its tokens never expire. */
export interface MemoryIdentity extends Identity {
  /** Registers a user and returns a token. */
  signIn(claims: Pick<IdentityClaims, 'uid' | 'email'> & Partial<IdentityClaims>): string
}

/** Creates an identity provider for tests and development: its tokens are guessable. */
export const memoryIdentity = (): MemoryIdentity => {
  const users = new Map<string, IdentityClaims>()
  return {
    signIn(claims) {
      const token = `token-${users.size + 1}`
      users.set(token, { emailVerified: true, name: null, ...claims })
      return token
    },
    verify: async (token) => users.get(token) ?? null,
  }
}
