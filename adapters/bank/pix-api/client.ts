// Imported by its file: Bun replaces the package `undici` by a client without client certificates.
import { Agent, request } from 'undici/index.js'
import { inHttpSpan } from '../../../core/kernel/running/tracing.ts'
import type { Tracer } from '../../../core/ports/tracer.ts'
import { faultOf, readText, withinTime } from '../../webhooks/exchange.ts'
import { type PixApiReply, parseJsonObject } from './answers.ts'

/** The access to one account at a bank's API Pix. */
export interface PixApiSettings {
  /** The base URL with the version, without a trailing slash: `https://pix.example.com/api/v2`. */
  readonly url: string
  /** The OAuth 2 token endpoint, for the client credentials grant. */
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The client certificate, and its key, as PEM. */
  readonly cert: string
  readonly key: string
  /** The CA of the server, as PEM; by default the CAs that the runtime trusts. */
  readonly ca?: string | null
  /** The account's Pix key, as the DICT has it. */
  readonly pixKey: string
  /** The limit of one exchange, connection included; 8,000 by default. A call of the bank may take several. */
  readonly timeoutMs?: number
}

/** A client of one account at a bank with the Central Bank's API Pix, version 2. */
export interface PixApi {
  readonly pixKey: string
  /** Sends a request with a token. A token that the bank rejects is replaced once. Never rejects. */
  request(method: 'GET' | 'PUT' | 'PATCH', path: string, body?: object): Promise<PixApiReply>
  /** Closes the connections. Stop the worker first. */
  close(): Promise<void>
}

const UNAUTHORIZED = 401

/**
 * Creates a client of the API Pix 2.9.0 (BCB), with OAuth 2 client credentials over mutual TLS. A tracer receives a
 * span of each exchange, and the bank its `traceparent`.
 */
export const pixApi = (settings: PixApiSettings, tracer?: Tracer): PixApi => {
  const exchange = tracer ? tracedExchange(openExchange(settings), tracer) : openExchange(settings)
  const tokens = tokensOf(exchange, settings)
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

/** Spans have no paths: these contain txids. */
const tracedExchange = (exchange: Exchange, tracer: Tracer): Exchange =>
  Object.assign(
    (sent: ExchangeRequest): Promise<ExchangeAnswer> =>
      inHttpSpan(
        tracer,
        sent.method,
        { 'server.address': new URL(sent.url).hostname },
        (headers) => exchange({ ...sent, headers: { ...sent.headers, ...headers } }),
        (answer) => (typeof answer === 'string' ? answer : answer.status),
      ),
    { close: exchange.close },
  )

const SCOPES = 'cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read'
/** The lifetime of a token without `expires_in`. */
const DEFAULT_TOKEN_SECONDS = 300
/** A token is replaced before its end, so that it does not expire on its way. */
const MARGIN_SECONDS = 30

interface Token {
  readonly text: string
  readonly validUntilMs: number
}

interface Tokens {
  /** Returns a valid token; null if the bank issues none now. Concurrent calls share one request. */
  current(): Promise<string | null>
  /** Discards a token that the bank rejected. */
  forget(refused: string): void
}

const tokensOf = (exchange: Exchange, settings: PixApiSettings): Tokens => {
  let stored: Token | null = null
  let pending: Promise<Token | null> | null = null
  const requestToken = async (): Promise<Token | null> => {
    stored = tokenIn(await exchange(tokenRequest(settings)), performance.now())
    pending = null
    return stored
  }
  return {
    async current() {
      if (stored !== null && performance.now() < stored.validUntilMs) return stored.text
      pending ??= requestToken()
      return (await pending)?.text ?? null
    },
    forget(refused) {
      // A concurrent request may have replaced it.
      if (stored?.text === refused) stored = null
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
  const lifetime = Number.isFinite(Number(seconds)) && Number(seconds) > 0 ? Number(seconds) : DEFAULT_TOKEN_SECONDS
  return { text, validUntilMs: nowMs + Math.max(lifetime / 2, lifetime - MARGIN_SECONDS) * 1_000 }
}

const TIMEOUT_MS = 8_000
/** More than any page of payments has. */
const MAX_BODY_BYTES = 4_194_304

interface ExchangeRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** `unsent` and `lost` as in `PixApiReply`. */
type ExchangeAnswer = { readonly status: number; readonly text: string } | 'unsent' | 'lost'

interface Exchange {
  (sent: ExchangeRequest): Promise<ExchangeAnswer>
  close(): Promise<void>
}

/** Exchanges with the bank over mutual TLS. An exchange never rejects, and ends within its time limit. */
const openExchange = ({ cert, key, ca = null, timeoutMs = TIMEOUT_MS }: PixApiSettings): Exchange => {
  const connect = { cert, key, ...(ca === null ? {} : { ca }), minVersion: 'TLSv1.2', timeout: timeoutMs / 2 } as const
  const dispatcher = new Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const exchange = async ({ url, ...sent }: ExchangeRequest): Promise<ExchangeAnswer> => {
    try {
      return await withinTime(timeoutMs, async (signal) => {
        const answer = await request(url, { ...sent, dispatcher, signal })
        return { status: answer.statusCode, text: await readText(answer.body, MAX_BODY_BYTES) }
      })
    } catch (error) {
      return isUnsent(error) ? 'unsent' : 'lost'
    }
  }
  return Object.assign(exchange, { close: () => dispatcher.destroy() })
}

const UNSENT: readonly string[] = ['dns', 'connection refused', 'tls']

/** Reports whether no connection was established, or the server rejected the client certificate. */
const isUnsent = (error: unknown): boolean => {
  if (UNSENT.includes(faultOf(error))) return true
  const { code, syscall }: { readonly code?: unknown; readonly syscall?: unknown } = Object(error)
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || String(code).startsWith('ERR_OSSL_')
}
