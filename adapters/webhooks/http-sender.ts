import { isIP, type LookupFunction } from 'node:net'
import type { WebhookAnswer, WebhookSender } from '../../core/ports/messaging.ts'
import { type Fault, FaultError, faultOf, refusalOf, withinTime } from './exchange.ts'
import { isPublicAddress, parseTarget, resolveHost } from './target.ts'

const STORED_BODY_BYTES = 4_096
/** A shorter body is read to its end, so that its connection can be reused. */
const MAX_READ_BYTES = 65_536
const BODY_TIMEOUT_MS = 2_000
const TIMEOUT_MS = 15_000
/** The limit of reported hosts: callers may name any number. */
const MAX_REPORTED_HOSTS = 1_000

export interface HttpSenderOptions {
  /** Allows private, loopback and link-local addresses, and every port. */
  readonly allowPrivate: boolean
  /** The limit from the lookup of the name to the status of the answer; 15,000 by default. */
  readonly timeoutMs?: number
  /** The limit from the status to the end of the answer; 2,000 by default. */
  readonly bodyTimeoutMs?: number
  /** Receives one line for each host that is refused and that `allowPrivate` would allow. */
  readonly report?: (line: string) => void
  /** Resolves all addresses of a host name; by default with name servers and the system. */
  readonly lookup?: (hostname: string) => Promise<readonly string[]>
}

/** Checks the addresses that the socket connects to, so a name cannot resolve to others after the check. */
const checkedLookup = ({ allowPrivate, lookup = resolveHost }: HttpSenderOptions): LookupFunction => {
  const addressesOf = async (hostname: string) => {
    const addresses = await lookup(hostname)
    if (addresses.length === 0) throw new FaultError('dns')
    // A name with one private address is refused.
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

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header

type Body = AsyncIterable<Uint8Array> & { destroy(): unknown }

/** Returns the first 4 KB of a body. If it is too long, too slow or interrupted, its connection is closed. */
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
    // Only the status matters.
  } finally {
    clearTimeout(timer)
  }
  // `stream` drops a character that is cut at the end.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, STORED_BODY_BYTES), { stream: true })
}

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
 * Opens an HTTP client. undici is loaded here, not at the start of the process, which would take a tenth longer. It is
 * imported by its file: Bun replaces the package `undici` by a client without custom lookup and without `destroy`.
 */
const openClient = async (options: HttpSenderOptions, timeout: number) => {
  const { Agent, request } = (await import('undici/index.js')).default
  const dispatcher = new Agent({ connect: { lookup: checkedLookup(options), autoSelectFamily: true, timeout } })
  return {
    post: (target: URL, webhook: Pick<Webhook, 'headers' | 'body'>, signal: AbortSignal) =>
      request(target, { method: 'POST', ...webhook, dispatcher, signal }),
    destroy: () => dispatcher.destroy(),
  }
}

type Webhook = Parameters<WebhookSender['post']>[0]

/**
 * Sends webhooks over HTTP. Errors begin with a code of `Fault`; if `WEBHOOKS_ALLOW_PRIVATE` would prevent one, it
 * names that setting. An answer counts once its status is received, even if its body is not. `close` ends pending
 * webhooks as `network`.
 */
export const httpSender = (options: HttpSenderOptions): WebhookSender & { close(): Promise<void> } => {
  const { allowPrivate, timeoutMs = TIMEOUT_MS, bodyTimeoutMs = BODY_TIMEOUT_MS, report = () => {} } = options
  const refused = reportRefusals(report)
  let client: ReturnType<typeof openClient> | undefined
  let isClosed = false
  const exchange = async ({ url, headers, body }: Webhook): Promise<WebhookAnswer> => {
    const target = parseTarget(url, allowPrivate)
    if (isClosed) throw new FaultError('network')
    client ??= openClient(options, timeoutMs)
    const { post } = await client
    const answer = await withinTime(timeoutMs, (signal) => post(target, { headers, body }, signal))
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
    async close() {
      isClosed = true
      await (await client)?.destroy()
    },
  }
}

/** A week: the longest delay that a receiver can request. */
export const MAX_RETRY_AFTER_SECONDS = 7 * 24 * 3600

const SECONDS = /^\d+$/
/** The HTTP dates with a zone, which is always GMT (RFC 9110 §5.6.7). */
const HTTP_DATE = /^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

const parseHttpDate = (text: string | undefined): number | null => {
  const instantMs = text !== undefined && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instantMs) ? null : instantMs
}

/**
 * Reads a `Retry-After` header (RFC 9110 §10.2.3) as seconds; null if it is absent or malformed. A date counts from the
 * answer's `Date`, so that a wrong clock of the receiver does not matter, or else from `nowMs`.
 */
export const retryAfterSeconds = (header: string | undefined, date: string | undefined, nowMs: number) => {
  const text = header?.trim() ?? ''
  if (SECONDS.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS)
  const untilMs = parseHttpDate(text)
  if (untilMs === null) return null
  const seconds = Math.ceil((untilMs - (parseHttpDate(date?.trim()) ?? nowMs)) / 1000)
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}
