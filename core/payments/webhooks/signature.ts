import { epochSeconds, type Instant } from '../../kernel/values/day.ts'
import type { Digest } from '../../ports/digest.ts'

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The bytes of a base64 text, padded or not. Throws a RangeError where it is none. */
export const bytesOfBase64 = (text: string): Uint8Array => {
  if (!BASE64.test(text)) throw new RangeError('not base64')
  const digits = text.replace(/=+$/, '')
  const bytes: number[] = []
  let bits = 0
  let width = 0
  for (const digit of digits) {
    bits = (bits << 6) | DIGITS.indexOf(digit)
    width += 6
    if (width < 8) continue
    width -= 8
    bytes.push((bits >> width) & 0xff)
    bits &= (1 << width) - 1
  }
  return Uint8Array.from(bytes)
}

interface SignedParts {
  /** `whsec_` and base64. */
  readonly secret: string
  readonly webhookId: string
  readonly now: Instant
  readonly payload: string
}

/**
 * The headers by which a receiver knows that a webhook is ours, and when it was sent.
 * Source: the Standard Webhooks specification, Signature scheme.
 */
export const signedHeaders = (
  digest: Pick<Digest, 'hmacSha256'>,
  { secret, webhookId, now, payload }: SignedParts,
): Readonly<Record<string, string>> => {
  const key = bytesOfBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  const timestamp = epochSeconds(now)
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${digest.hmacSha256(key, `${webhookId}.${timestamp}.${payload}`)}`,
  }
}
