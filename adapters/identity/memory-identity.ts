import type { Identity, IdentityClaims } from '../../core/ports/identity.ts'

/** An identity provider in this process: whoever is told to it has a token, which never ends. */
export interface MemoryIdentity extends Identity {
  /** Makes somebody known; gives their token. */
  signIn(claims: Pick<IdentityClaims, 'uid' | 'email'> & Partial<IdentityClaims>): string
}

/** Makes one. Its tokens are no secrets: for tests, and for trying rules without a provider. */
export const memoryIdentity = (): MemoryIdentity => {
  const known = new Map<string, IdentityClaims>()
  return {
    signIn(claims) {
      const token = `token-${known.size + 1}`
      known.set(token, { emailVerified: true, name: null, ...claims })
      return token
    },
    verify: async (token) => known.get(token) ?? null,
  }
}
