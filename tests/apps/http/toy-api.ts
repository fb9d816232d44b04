import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { aesCipher, digest } from '../../../adapters/crypto/cipher.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { mount } from '../../../apps/http/mount.ts'
import { messagesOf } from '../../../apps/http/replies/messages.ts'
import type { ApiConfig, AuthScheme, Webhook } from '../../../apps/http/rows/api.ts'
import { type RunningServer, serve } from '../../../apps/http/server.ts'
import type { Log, RequestLine } from '../../../apps/http/telemetry.ts'
import { failure, left, right } from '../../../core/failure.ts'
import { oneOf } from '../../../core/kernel/input/scalars.ts'
import { output, view } from '../../../core/kernel/input/view.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import {
  type Note,
  notes,
  payments as paymentsOfNotes,
  type ToyBank,
  type ToyPorts,
  toyCore,
  type User,
} from './toy-core.ts'
import { noteView, type Toy, toyDialects, toyRows } from './toy-rows.ts'

const open: AuthScheme<null, 'notes:write'> = {
  security: null,
  about: 'Pública.',
  authenticate: async () => right(null),
}

/** A token is `name:role`; `sad` is suspended, and the header `X-Account: none` names an unknown account. */
const user: AuthScheme<User, 'notes:write', string> = {
  security: { bearer: { type: 'http', scheme: 'bearer' } },
  about: 'Quem tem um token.',
  headers: [{ name: 'X-Account', description: 'A conta', schema: { type: 'string' } }],
  fails: {
    'token.missing': 'authenticate',
    'account.unknown': 'context',
    'permission.missing': 'permits',
    'account.suspended': 'accountWritable',
  },
  async authenticate(request) {
    const [, token] = /^Bearer (\w+:\w+)$/.exec(request.header('Authorization') ?? '') ?? []
    return token === undefined ? left(failure('unauthorized', 'token.missing')) : right(token)
  },
  async context(token, request) {
    if (request.header('x-account') === 'none') return left(failure('not-found', 'account.unknown'))
    const [name = '', role] = token.split(':')
    return right({ name, role: role === 'admin' ? 'admin' : 'viewer', isSuspended: name === 'sad' })
  },
  permits: ({ role }) => (role === 'admin' ? null : failure('forbidden', 'permission.missing')),
  accountWritable: ({ isSuspended }) => (isSuspended ? failure('forbidden', 'account.suspended') : null),
  keyScope: ({ name }, _request, row) => `${name}|${row}`,
}

const toldOfNotes: Webhook = {
  event: 'note.paid',
  area: 'Avisos',
  summary: 'Uma nota foi paga',
  payload: view(
    'NotePaid',
    { type: oneOf(['note.paid']), data: output.view(noteView) },
    (paid: { readonly type: 'note.paid'; readonly data: Note }) => paid,
  ),
  example: { type: 'note.paid', data: { id: 1, title: 'Primeira', value: 10.5 } },
}

const messages = messagesOf({
  failures: {
    'pin.wrong': { status: 403, message: 'PIN inválido.' },
    'permission.missing': { status: 403, message: 'Permissão insuficiente.' },
    'account.unknown': { status: 404, message: 'Nenhuma organização encontrada.' },
    'account.suspended': { status: 403, message: 'Organização não está ativa.' },
    'title.taken': { status: 422, message: 'Já existe uma nota com este título.' },
    'bank.refused': { status: 400, message: 'O banco recusou: {reason}.' },
    'token.missing': { status: 401, message: 'Não autenticado.' },
    'note.unknown': { status: 404, message: 'Nota não encontrada.' },
    'toy.throttled': { status: 429, message: 'Espere.' },
    'toy.overridden': { status: 409, message: 'Outra.' },
  },
  issues: { 'title.taken': 'Já está em uso.', 'toy.file': 'Deve ser um arquivo.' },
})

export interface ToyLog extends Log {
  readonly lines: RequestLine[]
  readonly failures: unknown[]
  readonly warnings: string[]
}

const keepingLog = (): ToyLog => {
  const lines: RequestLine[] = []
  const failures: unknown[] = []
  const warnings: string[] = []
  return {
    lines,
    failures,
    warnings,
    request: (line) => void lines.push(line),
    failure: (_, error) => void failures.push(error),
    warn: (line) => void warnings.push(line),
    error: () => {},
    info: () => {},
  }
}

export const cipher = aesCipher(new Uint8Array(32).fill(7))

/** A toy API over memory, with its ports. */
export const toyApi = (over: Partial<ApiConfig<Toy>> = {}) => {
  const clock = setClock('2026-11-21T13:05:09.123Z')
  const store = over.store ?? memoryStore([notes, paymentsOfNotes, idempotencyKeys])
  const calls: string[] = []
  const bank: ToyBank = { calls, answer: async () => 'paid' }
  const log = keepingLog()
  const ports: ToyPorts = { store, clock, random: seededRandom(7), bank }
  const core = toyCore(ports)
  const setup: ApiConfig<Toy> = {
    name: 'toy',
    title: 'Casa de brinquedo',
    introduction: 'Notas de brinquedo.',
    docs: { areas: { Notas: 'O que se anota.' }, parameters: { id: 'Identificador' }, webhooks: [toldOfNotes] },
    version: '1.2.3',
    core,
    authSchemes: { public: open, user },
    rows: toyRows,
    dialects: toyDialects,
    defaultDialect: 'v1',
    messages,
    digest,
    cipher,
    clock,
    random: ports.random,
    log,
    corsOrigins: ['https://painel.example.com'],
    trustProxy: false,
    publicUrl: 'https://api.example.com',
    ...over,
    store,
  }
  return { setup, mounted: mount(setup), clock, store, bank, log, core }
}

export const ADMIN = 'Bearer ana:admin'

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string | null
  /** Sent as JSON unless it is text or bytes. */
  readonly body?: unknown
}

/** Serves the toy API on a free port. By default `ask` sends the token of ana, an admin. */
export const serveToy = async (over: Partial<ApiConfig<Toy>> = {}) => {
  const toy = toyApi(over)
  const serving: RunningServer = await serve(toy.mounted, { host: '127.0.0.1', port: 0, timeouts: { lingerMs: 0 } })
  const ask = async (path: string, { method = 'GET', headers = {}, token = ADMIN, body }: Sent = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData
    const response = await fetch(serving.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === null ? {} : { Authorization: token }),
        ...(body !== undefined && !isRaw ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, body: parsed }
  }
  return { ...toy, serving, ask, stop: serving.stop }
}

export type Served = Awaited<ReturnType<typeof serveToy>>

/** Serves a handler on a free port until the test ends. */
export const listening = async (t: Pick<ExecutionContext, 'teardown'>, handler: RequestListener) => {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { server, port: (server.address() as AddressInfo).port }
}

/** Serves the toy API until the test ends. */
export const openToy = async (t: Pick<ExecutionContext, 'teardown'>, over: Partial<ApiConfig<Toy>> = {}) => {
  const toy = await serveToy(over)
  t.teardown(toy.stop)
  return toy
}

/** Serves the toy API with a note of ana. */
export const openWithNote = async (...opening: Parameters<typeof openToy>) => {
  const toy = await openToy(...opening)
  await toy.core.add('ana', { title: 'a', cents: 100 })()
  return toy
}
