import { isIP, type LookupFunction } from 'node:net'
// By its file: Bun puts a thing of its own in the place of the package, which neither looks up by us nor can be closed.
import { Agent, request } from 'undici/index.js'
import type { WebhookAnswer, WebhookSender } from '../../core/ports/webhook-sender.ts'
import { faultOf, Refused } from './fault.ts'
import { hostAddresses } from './host-addresses.ts'
import { isPublicAddress } from './public-address.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { targetOf } from './target.ts'

/** What is kept of an answer's body. */
const KEPT_BODY_BYTES = 4096
const TIMEOUT_MS = 15_000

export interface HttpSenderOptions {
  /** Whether private, loopback and link-local addresses and every port may be called. */
  readonly allowPrivate: boolean
  /** For the whole exchange, from the look-up of the name to the last byte; 15,000 by default. */
  readonly timeoutMs?: number
  /** Every address of a host name; name servers and the system by default. */
  readonly lookup?: (hostname: string) => Promise<readonly string[]>
}

/** The socket dials what this gives it and nothing else, so a name that changes its mind meanwhile changes nothing. */
const checkedLookup = ({ allowPrivate, lookup = hostAddresses }: HttpSenderOptions): LookupFunction => {
  const addressesOf = async (hostname: string) => {
    const addresses = await lookup(hostname)
    if (addresses.length === 0) throw new Refused('dns')
    // One private address among public ones is a trap, not a choice.
    if (!allowPrivate && !addresses.every(isPublicAddress)) throw new Refused('private address')
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
  return (hostname, _options, done) => {
    addressesOf(hostname).then(
      (addresses) => done(null, addresses),
      (error: Error) => done(error, []),
    )
  }
}

/** Undici heeds the signal only once it is connected, hence the race; what connects later is then not sent any more. */
const within = async <A>(timeoutMs: number, task: (signal: AbortSignal) => Promise<A>): Promise<A> => {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort(new Refused('timeout'))
      reject(new Refused('timeout'))
    }, timeoutMs)
  })
  try {
    return await Promise.race([task(controller.signal), timedOut])
  } finally {
    clearTimeout(timer)
  }
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header

const beginning = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= KEPT_BODY_BYTES) break
  }
  // As of a stream that goes on: a character cut in two at the end is left out.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES), { stream: true })
}

/**
 * Webhooks over HTTP. Errors are the codes of `Fault`. An answer that breaks off before its first 4 KB are there is an
 * error whatever its status. Give `close` a call when no more webhooks are sent: what is under way ends as `network`.
 *
 * Source: decisions.md §3, "Events"; §7, `WEBHOOKS_ALLOW_PRIVATE`.
 */
export const httpSender = (options: HttpSenderOptions): WebhookSender & { close(): Promise<void> } => {
  const { allowPrivate, timeoutMs = TIMEOUT_MS } = options
  const dispatcher = new Agent({
    connect: { lookup: checkedLookup(options), autoSelectFamily: true, timeout: timeoutMs },
  })
  const exchange = async ({ url, headers, body }: Parameters<WebhookSender['post']>[0]): Promise<WebhookAnswer> => {
    const target = targetOf(url, allowPrivate)
    return within(timeoutMs, async (signal) => {
      const answer = await request(target, { method: 'POST', headers, body, dispatcher, signal })
      const { date, 'retry-after': retryAfter } = answer.headers
      return {
        status: answer.statusCode,
        body: await beginning(answer.body),
        retryAfterSeconds: retryAfterSeconds(firstOf(retryAfter), firstOf(date), Date.now()),
      }
    })
  }
  return {
    post: (webhook) => exchange(webhook).catch((error: unknown) => ({ error: faultOf(error) })),
    close: () => dispatcher.destroy(),
  }
}
