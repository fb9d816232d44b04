import { type Instant, plusSeconds } from '../kernel/values/day.ts'
import type { PaymentsPorts } from './payments-ports.ts'

const REMEMBERED_SECONDS = 60
const MAX_REMEMBERED = 1_000
const KEY_BYTES = 32

interface Remembered {
  readonly mark: string
  readonly until: Instant
}

/**
 * Verifies slowly hashed secrets. The last right one of a name is remembered for a minute, as a digest under a key of
 * this process that its stored hash goes into: whoever sends it again waits for no scrypt, until it is changed.
 * A name without a stored hash takes as long as a wrong secret. Source: design, section 5.
 */
export const secretVerifier = ({
  hasher,
  digest,
  random,
  clock,
}: Pick<PaymentsPorts, 'hasher' | 'digest' | 'random' | 'clock'>) => {
  const key = random.bytes(KEY_BYTES)
  const remembered = new Map<string, Remembered>()

  const isRemembered = (name: string, mark: string): boolean => {
    const last = remembered.get(name)
    if (last && last.until <= clock.now()) remembered.delete(name)
    return last !== undefined && last.until > clock.now() && digest.equal(last.mark, mark)
  }

  const remember = (name: string, mark: string): void => {
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest)
    // Set anew, so that it counts as the youngest.
    remembered.delete(name)
    remembered.set(name, { mark, until: plusSeconds(clock.now(), REMEMBERED_SECONDS) })
  }

  return async (name: string, secret: string, stored: string | null): Promise<boolean> => {
    if (stored === null) {
      await hasher.waste(secret)
      return false
    }
    const mark = digest.hmacSha256(key, `${stored}\n${secret}`)
    if (isRemembered(name, mark)) return true
    const isRight = await hasher.verify(secret, stored)
    if (isRight) remember(name, mark)
    return isRight
  }
}
