import { inSpan } from '../../../../core/kernel/running/tracing.ts'
import { type Tracer, traceHeaders } from '../../../../core/ports/tracer.ts'
import { type Asking, type Exchange, type Exchanged, exchangeOf } from './exchange.ts'
import { jsonOf, type Told } from './json.ts'
import type { PixApiSettings } from './settings.ts'
import { pixApiTokens } from './tokens.ts'

/** What the bank answers; `unsent` where it was certainly not asked, `lost` where nobody knows. */
export type PixApiReply = { readonly status: number; readonly body: Told } | 'unsent' | 'lost'

/** One account at a bank that speaks the Central Bank's API Pix, version 2. */
export interface PixApi {
  readonly pixKey: string
  /** Asks with a token; a token that the bank does not take is replaced once. Never rejects. */
  ask(method: 'GET' | 'PUT' | 'PATCH', path: string, body?: object): Promise<PixApiReply>
  /** Ends its connections: after the worker. */
  close(): Promise<void>
}

const UNAUTHORIZED = 401

/**
 * A client of the API. A tracer receives a span of each exchange, and the bank its `traceparent`.
 * Source: BCB, API Pix 2.9.0, with OAuth2 client credentials over mutual TLS.
 */
export const pixApi = (settings: PixApiSettings, tracer?: Tracer): PixApi => {
  const exchange = tracer ? tracedExchange(exchangeOf(settings), tracer) : exchangeOf(settings)
  const tokens = pixApiTokens(exchange, settings)
  const askOnce = askingOf(exchange, settings)
  return {
    pixKey: settings.pixKey,
    async ask(method, path, body) {
      for (let tries = 2; tries > 0; tries -= 1) {
        const token = await tokens.current()
        if (token === null) return 'unsent'
        const reply = await askOnce(token, method, path, body)
        if (typeof reply === 'string' || reply.status !== UNAUTHORIZED) return reply
        tokens.forget(token)
      }
      // Nobody was let in.
      return 'unsent'
    },
    close: exchange.close,
  }
}

const askingOf =
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
    return typeof answer === 'string' ? answer : { status: answer.status, body: jsonOf(answer.text) }
  }

/** Paths are no attributes: they contain txids. */
const tracedExchange = (exchange: Exchange, tracer: Tracer): Exchange =>
  Object.assign(
    (asking: Asking): Promise<Exchanged> => {
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
