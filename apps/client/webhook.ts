import type { webhooks } from '../../build/openapi/payments.ts'
import { jsonIn, PorticoError } from './errors.ts'

/** An event that the payments API sends to an account's webhook address. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } }
  }
    ? Omit<Event, 'type'> & { readonly type: Type }
    : never
}[keyof webhooks]

/** The headers of a request: those of `fetch`, or of Node, Express and Koa. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The settings of a verification. */
export interface WebhookOptions {
  /** The greatest age of a webhook, and the greatest lead of its clock. */
  readonly toleranceSeconds?: number
  readonly now?: () => number
}

const TOLERANCE_SECONDS = 300
const SECRET_PREFIX = 'whsec_'
const VERSION = 'v1'
const INTEGER = /^\d{1,15}$/

const invalid = (message: string) => new PorticoError({ code: 'webhook.invalid', message })

const headerIn = (headers: WebhookHeaders, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  const text = typeof value === 'string' ? value : value?.[0]
  if (!text) throw invalid(`the header ${name} is missing`)
  return text
}

/** The bytes of a Base64 text; null for any other text. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/**
 * Verifies a webhook by the Standard Webhooks scheme and returns its event. `body` is the request's body as it arrived:
 * a parsed and serialised one has another signature. The comparison takes constant time.
 *
 * Throws `webhook.invalid` if the signature or a header is missing or wrong, and `webhook.expired` if the timestamp is
 * more than five minutes away from the clock. An event may arrive twice: store the `webhook-id` of handled ones.
 */
export const verifyWebhook = async (
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: WebhookOptions = {},
): Promise<WebhookEvent> => {
  const [id, timestamp, signatures] = [
    headerIn(headers, 'webhook-id'),
    headerIn(headers, 'webhook-timestamp'),
    headerIn(headers, 'webhook-signature'),
  ]
  if (!INTEGER.test(timestamp)) throw invalid('the header webhook-timestamp is not a number of seconds')
  const ageSeconds = Math.floor(now() / 1_000) - Number(timestamp)
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    throw new PorticoError({ code: 'webhook.expired', message: `the webhook is ${ageSeconds} seconds old` })
  }
  const bytes = bytesOf(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret)
  if (bytes === null || bytes.length === 0) throw invalid('the secret is not Base64 after "whsec_"')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const each of signatures.split(' ')) {
    const [version, signature = ''] = each.split(',')
    const given = version === VERSION ? bytesOf(signature) : null
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return eventIn(text)
  }
  throw invalid('no signature of the webhook is valid')
}

const eventIn = (text: string): WebhookEvent => {
  const event = jsonIn(text)
  if (typeof event !== 'object' || event === null) throw invalid('the body of the webhook is not a JSON object')
  return event as WebhookEvent
}
