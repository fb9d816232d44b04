import { digest } from '../../../adapters/crypto/cipher.ts'
import type { Claims, Tokens } from '../../../core/ports/identity.ts'
import type { Cipher } from '../../../core/ports/runtime.ts'

/** Does not encrypt, but opens a text only in its context. Digests are real: card numbers must not be stored. */
export const plainCipher: Cipher = {
  seal: (text, context) => `${context}|${text}`,
  open(sealed, context) {
    if (!sealed.startsWith(`${context}|`)) throw new Error(`${context} does not open`)
    return sealed.slice(context.length + 1)
  },
  digest: (text, context) => digest.sha256(`${context}|${text}`),
}

/** Signs nothing. */
export const plainTokens: Tokens = {
  sign: (claims) => JSON.stringify(claims),
  read: (token) => JSON.parse(token) as Claims,
}
