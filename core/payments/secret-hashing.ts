import { addSeconds, type Instant } from '../kernel/values/day.ts'
import { nfc } from '../kernel/values/text.ts'
import { KnownWrong } from '../office/throttle.ts'
import { type Hasher, HasherBusy, type Requester } from '../ports/identity.ts'
import type { PaymentsPorts } from './payments-ports.ts'

/**
 * Hashes and verifies passwords in NFC, since systems encode typed letters in different forms. Earlier releases hashed
 * the text as typed, which is tried second. `verifyDummy` takes as long as a wrong secret.
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

const REMEMBERED_SECONDS = 60
const MAX_REMEMBERED = 1_000
const KEY_BYTES = 32

interface Remembered {
  /** The hash that the secret matched. */
  readonly stored: string
  readonly mark: string
  readonly until: Instant
}

/**
 * Verifies slowly hashed secrets. The last correct secret of a name is remembered for a minute, as a digest of the
 * secret and its stored hash under a key of this process: sending it again needs no scrypt until the hash changes. A
 * name without a stored hash takes as long as a wrong secret. Rejects with `KnownWrong` if the hasher is busy and the
 * secret differs from the remembered one.
 */
export const secretVerifier = ({
  hasher,
  digest,
  random,
  clock,
}: Pick<PaymentsPorts, 'hasher' | 'digest' | 'random' | 'clock'>) => {
  const key = random.bytes(KEY_BYTES)
  const remembered = new Map<string, Remembered>()

  /** Returns the remembered secret, if the stored hash has not changed. */
  const lastRight = (name: string, stored: string): Remembered | null => {
    const last = remembered.get(name)
    if (!last) return null
    if (last.until <= clock.steady()) remembered.delete(name)
    return last.stored === stored && last.until > clock.steady() ? last : null
  }

  const remember = (name: string, right: Omit<Remembered, 'until'>): void => {
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest)
    // Deleted first, so that the new entry is the youngest.
    remembered.delete(name)
    remembered.set(name, { ...right, until: addSeconds(clock.steady(), REMEMBERED_SECONDS) })
  }

  return async (
    name: string,
    secret: string,
    stored: string | null,
    requester: Requester | null = null,
  ): Promise<boolean> => {
    if (stored === null) {
      await hasher.verifyDummy(secret, requester)
      return false
    }
    const mark = digest.hmacSha256(key, `${stored}\n${secret}`)
    const last = lastRight(name, stored)
    if (last && digest.equal(last.mark, mark)) return true
    try {
      const isRight = await hasher.verify(secret, stored, requester)
      if (isRight) remember(name, { stored, mark })
      return isRight
    } catch (error) {
      if (last && error instanceof HasherBusy) throw new KnownWrong(error.message, { cause: error })
      throw error
    }
  }
}
