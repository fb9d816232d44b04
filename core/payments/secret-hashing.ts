import { addSeconds, type Instant } from '../kernel/values/day.ts'
import { nfc } from '../kernel/values/text.ts'
import { KnownWrong } from '../office/guesses.ts'
import { type Hasher, HasherBusy, type Requester } from '../ports/identity.ts'
import type { PaymentsPorts } from './payments-ports.ts'

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

const REMEMBERED_SECONDS = 60
const MAX_REMEMBERED = 1_000
const KEY_BYTES = 32

interface Remembered {
  /** The hash that it was compared with. */
  readonly stored: string
  readonly mark: string
  readonly until: Instant
}

/**
 * Verifies slowly hashed secrets. The last right one of a name is remembered for a minute, as a digest under a key of
 * this process that its stored hash goes into: whoever sends it again waits for no scrypt, until it is changed.
 * A name without a stored hash takes as long as a wrong secret. Rejects with `KnownWrong` where the hasher is busy, and the
 * secret is another than the right one that is remembered. Source: design, section 5.
 */
export const secretVerifier = ({
  hasher,
  digest,
  random,
  clock,
}: Pick<PaymentsPorts, 'hasher' | 'digest' | 'random' | 'clock'>) => {
  const key = random.bytes(KEY_BYTES)
  const remembered = new Map<string, Remembered>()

  /** The last right one, of a stored hash that still stands. */
  const lastRight = (name: string, stored: string): Remembered | null => {
    const last = remembered.get(name)
    if (!last) return null
    if (last.until <= clock.steady()) remembered.delete(name)
    return last.stored === stored && last.until > clock.steady() ? last : null
  }

  const remember = (name: string, right: Omit<Remembered, 'until'>): void => {
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest)
    // Set anew, so that it counts as the youngest.
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
