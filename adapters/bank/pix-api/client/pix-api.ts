import { type Exchange, exchangeOf } from './exchange.ts'
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

/** Source: BCB, API Pix 2.9.0, with OAuth2 client credentials over mutual TLS. */
export const pixApi = (settings: PixApiSettings): PixApi => {
  const exchange = exchangeOf(settings)
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
