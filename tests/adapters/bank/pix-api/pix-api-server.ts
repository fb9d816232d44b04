import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { PixApiSettings } from '../../../../adapters/bank/pix-api/mod.ts'
import { ROOT } from '../../../root.ts'
import { type PixApiBooks, pixApiBooks, problem, type ServerAnswer } from './pix-api-books.ts'
import { type ApiRequest, answerFaults, requestFaults } from './pix-api-document.ts'

export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const CREDENTIALS = { clientId: 'portico', clientSecret: 'segredo do cliente' }

const pemPath = (name: string): string => join(ROOT, 'tests/fixtures/pix-api', name)
export const pem = (name: string): string => readFileSync(pemPath(name), 'utf8')

/** A fault of the next matching requests. */
export interface Fault {
  /** The beginning of `METHOD /path`. */
  readonly of: string
  readonly times?: number
  /** Executes the request in spite of the answer. */
  readonly acts?: boolean
  /** `hang` never answers, `drop` ends the connection; else the answer, or a change of it. */
  readonly answer: 'hang' | 'drop' | { readonly status: number; readonly text?: string } | ((body: unknown) => unknown)
}

export interface PixApiServer {
  readonly books: PixApiBooks
  readonly settings: PixApiSettings
  /** The settings as environment variables. */
  readonly env: Readonly<Record<string, string>>
  /** `METHOD /path` of every request, token requests included. */
  readonly requests: string[]
  /** `traceparent` and `tracestate` of each request, if any. */
  readonly traces: (string | undefined)[]
  /** Violations of the document of the API, by requests or answers. Tests expect none. */
  readonly violations: string[]
  fail(fault: Fault): void
  /** Revokes all tokens. */
  revoke(): void
  close(): Promise<void>
}

const BASE = '/api/v2'
const TOKEN = '/oauth/token'

/** A bank's API Pix over mutual TLS. It checks every request and answer against the document of the API. */
export const openPixApiServer = async (now: () => Date = () => new Date()): Promise<PixApiServer> => {
  const books = pixApiBooks(PIX_KEY, now)
  const requests: string[] = []
  const traces: (string | undefined)[] = []
  const violations: string[] = []
  const faults: { fault: Fault; left: number }[] = []
  const tokens = new Set<string>()
  let issued = 0
  const nextFault = (name: string): Fault | null => {
    const found = faults.find(({ fault, left }) => left > 0 && name.startsWith(fault.of))
    if (found) found.left -= 1
    return found?.fault ?? null
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'https://localhost')
    const text = await bodyOf(request)
    const path = url.pathname === TOKEN ? TOKEN : url.pathname.replace(BASE, '')
    const name = `${request.method} ${path}`
    requests.push(name)
    const { traceparent, tracestate } = request.headers
    traces.push(traceparent && `${traceparent} ${tracestate}`)
    const fault = nextFault(name)
    const token = () => {
      issued += 1
      tokens.add(`token-${issued}`)
      return `token-${issued}`
    }
    const act = (): ServerAnswer => {
      if (path === TOKEN) return tokenAnswer(request, text, token)
      if (!tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))) return { status: 401 }
      const received: ApiRequest = { method: request.method ?? '', path, query: url.searchParams, body: jsonOf(text) }
      violations.push(...requestFaults(received))
      const answer = answerTo(books, received)
      violations.push(...answerFaults(received, answer.status, typeOf(answer), answer.body))
      return answer
    }
    send(response, fault, fault === null || fault.acts || typeof fault.answer === 'function' ? act() : null)
  }
  const tls = { cert: pem('server.crt'), key: pem('server.key'), ca: pem('ca.crt') }
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      violations.push(String(error))
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`
  const tokenUrl = `${origin}${TOKEN}`
  return {
    books,
    requests,
    traces,
    violations,
    settings: {
      url: `${origin}${BASE}`,
      tokenUrl,
      ...CREDENTIALS,
      cert: pem('client.crt'),
      key: pem('client.key'),
      ca: pem('ca.crt'),
      pixKey: PIX_KEY,
    },
    env: {
      BANK: 'pix-api',
      PIX_API_URL: `${origin}${BASE}`,
      PIX_API_TOKEN_URL: tokenUrl,
      PIX_API_CLIENT_ID: CREDENTIALS.clientId,
      PIX_API_CLIENT_SECRET: CREDENTIALS.clientSecret,
      PIX_API_CERT: pemPath('client.crt'),
      PIX_API_KEY: pemPath('client.key'),
      PIX_API_CA: pemPath('ca.crt'),
      PIX_KEY,
    },
    fail: (fault) => faults.push({ fault, left: fault.times ?? 1 }),
    revoke: () => tokens.clear(),
    close: () => closeServer(server),
  }
}

const closeServer = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const jsonOf = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

/** The client credentials grant of OAuth 2 (RFC 6749). */
const tokenAnswer = ({ method, headers }: IncomingMessage, text: string, token: () => string): ServerAnswer => {
  const basic = Buffer.from(`${CREDENTIALS.clientId}:${CREDENTIALS.clientSecret}`).toString('base64')
  const form = new URLSearchParams(text)
  const isOurs = method === 'POST' && headers.authorization === `Basic ${basic}`
  if (!isOurs || form.get('grant_type') !== 'client_credentials' || !form.get('scope')?.includes('cob.write'))
    return { status: 401, body: { error: 'invalid_client' } }
  return { status: 200, body: { access_token: token(), token_type: 'Bearer', expires_in: 3_600 } }
}

const answerTo = (books: PixApiBooks, { method, path, query, body }: ApiRequest): ServerAnswer => {
  const [, room = '', id = '', part = '', partId = ''] = path.split('/').map(decodeURIComponent)
  const sent = Object(body)
  if (room === 'cob' || room === 'cobv') {
    if (method === 'PUT') return books.put(room, id, sent)
    return method === 'PATCH' ? books.patch(room, id, sent) : books.get(room, id)
  }
  if (room === 'pix' && part === 'devolucao')
    return method === 'PUT' ? books.putRefund(id, partId, sent) : books.refund(id, partId)
  if (room === 'pix') return id === '' ? books.list(query) : books.pix(id)
  if (room === 'webhook' && method === 'PUT') return books.putWebhook(id, sent)
  return problem(404, 'NaoEncontrado', 'Entidade não encontrada.')
}

const typeOf = ({ status }: ServerAnswer): string => (status < 400 ? 'application/json' : 'application/problem+json')

const send = (response: ServerResponse, fault: Fault | null, done: ServerAnswer | null): void => {
  const answer = fault?.answer ?? null
  if (answer === 'hang') return
  if (answer === 'drop') return void response.destroy()
  if (answer !== null && typeof answer === 'object') {
    response.writeHead(answer.status, { 'content-type': 'text/html' }).end(answer.text ?? '')
    return
  }
  const { status, body } = done ?? { status: 500, body: undefined }
  const sent = answer === null ? body : answer(body)
  response.writeHead(status, { 'content-type': typeOf({ status }) })
  response.end(sent === undefined ? '' : JSON.stringify(sent))
}
