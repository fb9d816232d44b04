import { isIP, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici/index.js'
import type { WebhookAnswer, WebhookSender } from '../../core/ports/messaging.ts'
import { type Fault, FaultError, faultOf, refusalOf } from './fault.ts'
import { isPublicAddress, parseTarget, resolveHost } from './target.ts'

// By its file: Bun puts a thing of its own in the place of the package, which neither looks up by us nor can be closed.

const STORED_BODY_BYTES = 4_096
/** A body that ends within these is read, so that its connection can be used again. */
const MAX_READ_BYTES = 65_536
const BODY_TIMEOUT_MS = 2_000
const TIMEOUT_MS = 15_000
/** A caller may name any number of hosts: the log names so many. */
const MAX_REPORTED_HOSTS = 1_000

export interface HttpSenderOptions {
  /** Whether private, loopback and link-local addresses and every port may be called. */
  readonly allowPrivate: boolean
  /** From the look-up of the name to the status of the answer; 15,000 by default. */
  readonly timeoutMs?: number
  /** From the status to the end of the answer; 2,000 by default. */
  readonly bodyTimeoutMs?: number
  /** Receives one line for each host that is refused and that `allowPrivate` would allow. */
  readonly report?: (line: string) => void
  /** Every address of a host name; name servers and the system by default. */
  readonly lookup?: (hostname: string) => Promise<readonly string[]>
}

/** The socket dials what this gives it and nothing else, so a name that changes its mind meanwhile changes nothing. */
const checkedLookup = ({ allowPrivate, lookup = resolveHost }: HttpSenderOptions): LookupFunction => {
  const addressesOf = async (hostname: string) => {
    const addresses = await lookup(hostname)
    if (addresses.length === 0) throw new FaultError('dns')
    // One private address among public ones is a trap, not a choice.
    if (!allowPrivate && !addresses.every(isPublicAddress)) throw new FaultError('private address')
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
      controller.abort(new FaultError('timeout'))
      reject(new FaultError('timeout'))
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

type Body = AsyncIterable<Uint8Array> & { destroy(): unknown }

/** Returns the first 4 KB of a body. One that is too long, too slow or broken off ends there, with its connection. */
const readStart = async (body: Body, timeoutMs: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const timer = setTimeout(() => body.destroy(), timeoutMs)
  try {
    for await (const chunk of body) {
      if (bytes < STORED_BODY_BYTES) chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_READ_BYTES) break
    }
  } catch {
    // The status was read, and alone decides.
  } finally {
    clearTimeout(timer)
  }
  // As of a stream that goes on: a character cut in two at the end is left out.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, STORED_BODY_BYTES), { stream: true })
}

/** Reports each refused host once. */
const reportRefusals = (report: (line: string) => void) => {
  const reported = new Set<string>()
  return (url: string, refusal: string): void => {
    const { host } = new URL(url)
    if (reported.has(host) || reported.size >= MAX_REPORTED_HOSTS) return
    reported.add(host)
    report(`webhooks to ${host} are refused: ${refusal}`)
  }
}

/**
 * Sends webhooks over HTTP. Errors begin with a code of `Fault`; one that `allowPrivate` would prevent names its variable.
 * The status of an answer decides, whatever becomes of its body. Call `close` when no more webhooks are sent: what is under
 * way ends as `network`.
 */
export const httpSender = (options: HttpSenderOptions): WebhookSender & { close(): Promise<void> } => {
  const { allowPrivate, timeoutMs = TIMEOUT_MS, bodyTimeoutMs = BODY_TIMEOUT_MS, report = () => {} } = options
  const dispatcher = new Agent({
    connect: { lookup: checkedLookup(options), autoSelectFamily: true, timeout: timeoutMs },
  })
  const refused = reportRefusals(report)
  const exchange = async ({ url, headers, body }: Parameters<WebhookSender['post']>[0]): Promise<WebhookAnswer> => {
    const target = parseTarget(url, allowPrivate)
    const answer = await within(timeoutMs, (signal) =>
      request(target, { method: 'POST', headers, body, dispatcher, signal }),
    )
    const { date, 'retry-after': retryAfter } = answer.headers
    return {
      status: answer.statusCode,
      body: await readStart(answer.body, bodyTimeoutMs),
      retryAfterSeconds: retryAfterSeconds(firstOf(retryAfter), firstOf(date), Date.now()),
    }
  }
  const failed = (url: string, fault: Fault): WebhookAnswer => {
    const refusal = refusalOf(fault)
    if (refusal === null) return { error: fault }
    refused(url, refusal)
    return { error: refusal }
  }
  return {
    post: (webhook) => exchange(webhook).catch((error: unknown) => failed(webhook.url, faultOf(error))),
    close: () => dispatcher.destroy(),
  }
}

/** A week: a receiver cannot put its delivery off for longer, nor make an instant that no calendar has. */
export const MAX_RETRY_AFTER_SECONDS = 7 * 24 * 3600

const SECONDS = /^\d+$/
/** The forms of an HTTP date that carry a zone; the zone is always GMT (RFC 9110 §5.6.7). */
const HTTP_DATE = /^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

const parseHttpDate = (text: string | undefined): number | null => {
  const instantMs = text !== undefined && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instantMs) ? null : instantMs
}

/**
 * Seconds that a `Retry-After` header asks for, counted from the answer's own `Date` (from `nowMs` where it has none),
 * so that the receiver's clock may be wrong; null where the header is absent or says nothing.
 *
 * Source: RFC 9110 §10.2.3.
 */
export const retryAfterSeconds = (header: string | undefined, date: string | undefined, nowMs: number) => {
  const text = header?.trim() ?? ''
  if (SECONDS.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS)
  const untilMs = parseHttpDate(text)
  if (untilMs === null) return null
  const seconds = Math.ceil((untilMs - (parseHttpDate(date?.trim()) ?? nowMs)) / 1000)
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}
