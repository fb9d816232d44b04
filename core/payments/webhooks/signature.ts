import { epochSeconds, type Instant } from '../../kernel/values/day.ts'
import { decodeBase64 } from '../../kernel/values/encoding.ts'
import type { Digest } from '../../ports/runtime.ts'

const PREFIX = 'whsec_'

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
  const key = decodeBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  const timestamp = epochSeconds(now)
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${digest.hmacSha256(key, `${webhookId}.${timestamp}.${payload}`)}`,
  }
}
