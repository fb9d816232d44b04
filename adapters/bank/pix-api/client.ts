import { Agent, request } from 'undici/index.js'
import { inSpan } from '../../../core/kernel/running/tracing.ts'
import { type Tracer, traceHeaders } from '../../../core/ports/tracer.ts'
import { faultOf } from '../../webhooks/fault.ts'
import { type PixApiReply, parseJsonObject } from './answers.ts'

/** How a bank's API Pix is reached, and whose money comes in there. */
export interface PixApiSettings {
  /** Where its paths begin, with its version, without a slash at the end: `https://pix.example.com/api/v2`. */
  readonly url: string
  /** Where tokens are had: OAuth2, client credentials. */
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The client's own certificate, and its key, as PEM. */
  readonly cert: string
  readonly key: string
  /** Who vouches for the server, as PEM; those that the runtime trusts without it. */
  readonly ca?: string | null
  /** The account's Pix key, as the DICT has it. */
  readonly pixKey: string
  /** For one exchange, from its connection to its last byte; 8,000 by default. Several make one call of the bank. */
  readonly timeoutMs?: number
}

/** One account at a bank that speaks the Central Bank's API Pix, version 2. */
export interface PixApi {
  readonly pixKey: string
  /** Asks with a token; a token that the bank does not take is replaced once. Never rejects. */
  request(method: 'GET' | 'PUT' | 'PATCH', path: string, body?: object): Promise<PixApiReply>
  /** Ends its connections: after the worker. */
  close(): Promise<void>
}

const UNAUTHORIZED = 401

/**
 * A client of the API. A tracer receives a span of each exchange, and the bank its `traceparent`.
 * Source: BCB, API Pix 2.9.0, with OAuth2 client credentials over mutual TLS.
 */
export const pixApi = (settings: PixApiSettings, tracer?: Tracer): PixApi => {
  const exchange = tracer ? tracedExchange(openExchange(settings), tracer) : openExchange(settings)
  const tokens = pixApiTokens(exchange, settings)
  const send = sendWithToken(exchange, settings)
  return {
    pixKey: settings.pixKey,
    async request(method, path, body) {
      for (let tries = 2; tries > 0; tries -= 1) {
        const token = await tokens.current()
        if (token === null) return 'unsent'
        const reply = await send(token, method, path, body)
        if (typeof reply === 'string' || reply.status !== UNAUTHORIZED) return reply
        tokens.forget(token)
      }
      // Nobody was let in.
      return 'unsent'
    },
    close: exchange.close,
  }
}

const sendWithToken =
  (exchange: Exchange, { url }: PixApiSettings) =>
  async (token: string, method: 'GET' | 'PUT' | 'PATCH', path: string, body?: object): Promise<PixApiReply> => {
    const answer = await exchange({
      method,
      url: `${url}${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, application/problem+json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return typeof answer === 'string' ? answer : { status: answer.status, body: parseJsonObject(answer.text) }
  }

/** Paths are no attributes: they contain txids. */
const tracedExchange = (exchange: Exchange, tracer: Tracer): Exchange =>
  Object.assign(
    (asking: ExchangeRequest): Promise<ExchangeAnswer> => {
      const { hostname: address } = new URL(asking.url)
      const attributes = { 'http.request.method': asking.method, 'server.address': address }
      return inSpan(tracer, { name: asking.method, kind: 'client', attributes }, async (span) => {
        const headers = { ...asking.headers, ...traceHeaders(tracer.current()) }
        const answer = await exchange({ ...asking, headers })
        if (typeof answer === 'string') span.fail(answer)
        else {
          span.set({ 'http.response.status_code': answer.status })
          if (answer.status >= 400) span.fail(`${answer.status}`)
        }
        return answer
      })
    },
    { close: exchange.close },
  )

/** All that is asked of the bank. */
const SCOPES = 'cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read'
/** How long a token is good whose bank does not say. */
const USUAL_SECONDS = 300
/** A token is replaced so long before its end, that none runs out on its way. */
const MARGIN_SECONDS = 30

interface Token {
  readonly text: string
  readonly validUntilMs: number
}

/** The tokens of one client of the bank. */
export interface PixApiTokens {
  /** One that is good, asked for once whoever waits for it; null where the bank gives none now. */
  current(): Promise<string | null>
  /** The bank does not take it: the next one is asked for anew. */
  forget(refused: string): void
}

/** OAuth2, client credentials. Nothing of the bank is asked without a token, so whatever keeps it from us is `unavailable`. */
export const pixApiTokens = (exchange: Exchange, settings: PixApiSettings): PixApiTokens => {
  let kept: Token | null = null
  let asked: Promise<Token | null> | null = null
  const ask = async (): Promise<Token | null> => {
    kept = tokenIn(await exchange(tokenRequest(settings)), performance.now())
    asked = null
    return kept
  }
  return {
    async current() {
      if (kept !== null && performance.now() < kept.validUntilMs) return kept.text
      asked ??= ask()
      return (await asked)?.text ?? null
    },
    forget(refused) {
      // Another request has replaced it already.
      if (kept?.text === refused) kept = null
    },
  }
}

const tokenRequest = ({ tokenUrl: url, clientId, clientSecret }: PixApiSettings) =>
  ({
    method: 'POST',
    url,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES }).toString(),
  }) as const

const SENDABLE = /^[\x21-\x7e]+$/

const tokenIn = (answer: ExchangeAnswer, nowMs: number): Token | null => {
  if (typeof answer === 'string' || answer.status !== 200) return null
  const { access_token: text, expires_in: seconds } = parseJsonObject(answer.text)
  if (typeof text !== 'string' || !SENDABLE.test(text)) return null
  const lasts = Number.isFinite(Number(seconds)) && Number(seconds) > 0 ? Number(seconds) : USUAL_SECONDS
  return { text, validUntilMs: nowMs + Math.max(lasts / 2, lasts - MARGIN_SECONDS) * 1_000 }
}

// By its file: Bun puts a thing of its own in the place of the package, which has no certificates of ours.

const TIMEOUT_MS = 8_000
/** More than any page of payments; what is longer is none. */
const MAX_BODY_BYTES = 4_194_304

/** What is asked of a server of the bank. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What was answered; `unsent` where certainly nothing was asked, `lost` where it may have been, and its answer is not known. */
export type ExchangeAnswer = { readonly status: number; readonly text: string } | 'unsent' | 'lost'

/** One connection's end of mutual TLS. */
export interface Exchange {
  (asking: ExchangeRequest): Promise<ExchangeAnswer>
  close(): Promise<void>
}

/** Exchanges with the bank over mutual TLS: none takes longer than its time, and none rejects. */
export const openExchange = ({ cert, key, ca = null, timeoutMs = TIMEOUT_MS }: PixApiSettings): Exchange => {
  const connect = { cert, key, ...(ca === null ? {} : { ca }), minVersion: 'TLSv1.2', timeout: timeoutMs / 2 } as const
  const dispatcher = new Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const exchange = async ({ url, ...asking }: ExchangeRequest): Promise<ExchangeAnswer> => {
    try {
      return await within(timeoutMs, async (signal) => {
        const answer = await request(url, { ...asking, dispatcher, signal })
        return { status: answer.statusCode, text: await readBody(answer.body) }
      })
    } catch (error) {
      return isUnsent(error) ? 'unsent' : 'lost'
    }
  }
  return Object.assign(exchange, { close: () => dispatcher.destroy() })
}

/** Ends what takes too long, wherever it hangs: undici heeds the signal only once it is connected, hence the race. */
const within = async <A>(timeoutMs: number, task: (signal: AbortSignal) => Promise<A>): Promise<A> => {
  const signal = AbortSignal.timeout(timeoutMs)
  let end = (): void => {}
  const over = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
  })
  try {
    return await Promise.race([task(signal), over])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

const readBody = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error('the answer is too long')
  }
  return Buffer.concat(chunks).toString('utf8')
}

const UNSENT: readonly string[] = ['dns', 'connection refused', 'tls']

/** Only what no connection was made for was certainly not asked; who is not let in by certificate asks nothing. */
const isUnsent = (error: unknown): boolean => {
  if (UNSENT.includes(faultOf(error))) return true
  const { code, syscall }: { readonly code?: unknown; readonly syscall?: unknown } = Object(error)
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || String(code).startsWith('ERR_OSSL_')
}
