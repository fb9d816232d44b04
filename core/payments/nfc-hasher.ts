import { nfc } from '../kernel/values/text.ts'
import type { Hasher } from '../ports/identity.ts'

/**
 * Hashes and compares passwords in NFC, since systems spell the letters that people type in different ways. Hashes of earlier
 * releases are of the text as it was typed, which is tried after it. Whoever has no hash waits as long as for a wrong secret.
 * Source: decisions.md §12, Validation.
 */
export const nfcHasher = (hasher: Hasher): Hasher => ({
  hash: (secret, requester) => hasher.hash(nfc(secret), requester),
  async verify(secret, stored, requester) {
    const isRight = await hasher.verify(nfc(secret), stored, requester)
    return isRight || nfc(secret) === secret ? isRight : hasher.verify(secret, stored, requester)
  },
  async verifyDummy(secret, requester) {
    await hasher.verifyDummy(nfc(secret), requester)
    if (nfc(secret) !== secret) await hasher.verifyDummy(secret, requester)
  },
})
