import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { type SetClock, setClock } from '../../../adapters/clock/set-clock.ts'
import { aesCipher, digest } from '../../../adapters/crypto/cipher.ts'
import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryMailer, memorySender } from '../../../adapters/memory/memory-services.ts'
import type { Tracing } from '../../../adapters/tracing/otlp.ts'
import { readEnvironment } from '../../../apps/host/environment.ts'
import { collectionsOf, type Host, watchedStore } from '../../../apps/host/host.ts'
import { openFiles, openStore } from '../../../apps/host/open-store.ts'
import { secretsOf } from '../../../apps/host/secrets.ts'
import type { OpenApi } from '../../../apps/http/docs/openapi.ts'
import type { Mounted } from '../../../apps/http/mount.ts'
import { serve } from '../../../apps/http/server.ts'
import { buildPayments, payments } from '../../../apps/payments/app.ts'
import { always, type Collection, patch, type Rec } from '../../../core/kernel/records/record.ts'
import { idPool } from '../../../core/kernel/running/ids.ts'
import { plainText } from '../../../core/office/mail.ts'
import { accounts, type OrganizationStatus } from '../../../core/payments/accounts/account.ts'
import { memberships } from '../../../core/payments/members/membership.ts'
import { mails, templateOf } from '../../../core/payments/office.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import type { Store } from '../../../core/ports/store.ts'
import { nextSeed } from '../../seed.ts'
import { freshStore } from '../fresh-store.ts'
import { type Reply, type Wire, wireTo } from '../rows/wire.ts'
import { STORE_SECRETS } from '../store-url.ts'

export const NOW = '2026-11-23T13:05:09.123Z'

/** The reply of a route. */
export interface Answer {
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies freely, and fail if they differ
  readonly body: any
  readonly text: string
}

export interface Sent {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface TestApi {
  readonly url: string
  readonly clock: SetClock
  readonly host: Host
  readonly mailer: ReturnType<typeof memoryMailer>
  readonly sender: ReturnType<typeof memorySender>
  /** Sends raw requests. */
  readonly wire: Wire
  ask(method: string, path: string, sent?: Sent): Promise<Answer>
  /** Runs the worker until no record is due, after so many seconds or at an instant, by default now. */
  drain(at?: number | string): Promise<number>
  /** Registers a user and returns their token. */
  person(email?: string): Promise<string>
  /** Registers a user with an organization. */
  merchant(email?: string, document?: string): Promise<Merchant>
  /** Signs a merchant in again, since a token is valid for an hour. */
  again(merchant: Merchant): Promise<Merchant>
  /** Issues a Pix charge and returns it as the API shows it. */
  charge(merchant: Merchant, over?: Record<string, unknown>): Promise<Answer['body']>
  /** Pays a charge at the embedded bank. */
  pay(txid: string, over?: Record<string, unknown>): Promise<Answer>
  /** Makes the next calls of a bank operation fail. */
  fail(operation: string, mode: string, times?: number): Promise<void>
  /** Returns the webhook bodies sent to a URL by time and type, since their order is not guaranteed. */
  told(url: string): Answer['body'][]
  /** Returns the texts of queued and sent e-mails to an address. */
  mailsTo(email: string): Promise<string[]>
  /** Returns every record of a collection. */
  every<R extends Rec>(from: Collection<R>): Promise<R[]>
  /** Returns every record of the store by collection. */
  everything(): Promise<Readonly<Record<string, readonly Rec[]>>>
  setRole(merchant: Merchant, roleId: number): Promise<void>
  setStatus(merchant: Merchant, status: OrganizationStatus): Promise<void>
}

export interface Merchant {
  readonly email: string
  readonly token: string
  readonly id: number
  readonly uuid: string
}

interface TestApiOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The time of its clock. */
  readonly now?: string
  readonly instead?: (host: Host) => Partial<PaymentsPorts>
  /** Opens the store; by default a fresh one. */
  readonly open?: typeof openStore
  readonly tracing?: Tracing
}

export const PASSWORD = 'segredo-123'
const SCHOOLS = ['11222333000181', '11444777000161', '12ABC34501DE35']

/** The body of a charge. */
export const MARIA = {
  value: 150.5,
  payment_method: 'PIX',
  due_date: '2026-11-30',
  name: 'Maria da Silva',
  email: 'maria@example.com',
  document: '123.456.789-09',
}

/**
 * Opens the payments app over HTTP on a fresh store, with a fixed clock, e-mails and webhooks in memory, and a worker
 * that runs on `drain`. It is closed when the test ends.
 */
export const openTestApi = async (
  t: Pick<ExecutionContext, 'teardown'>,
  { env = {}, now = NOW, instead, open, tracing }: TestApiOptions = {},
): Promise<TestApi> => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-api-'))
  const fresh = await freshStore(directory)
  const settings = readEnvironment({
    DATA_DIR: directory,
    STORE_URL: fresh.url,
    ...STORE_SECRETS,
    PAYMENTS_PORT: '0',
    PUBLIC_URL: 'https://pay.example.com',
    PASSKEYS: 'true',
    LOG_LEVEL: 'silent',
    BOLETO_SEARCH_CODE: 'codigo-de-busca',
    ...env,
  })
  const isUsual = open === undefined && settings.STORE_URL === fresh.url
  const openAsAsked = () => (open ?? openStore)(settings.STORE_URL, collectionsOf([payments]))
  const store = watchedStore(await (isUsual ? fresh.open() : openAsAsked()))
  const clock = setClock(now)
  const secrets = await secretsOf(store, [payments], settings)
  const random = seededRandom(nextSeed())
  const shared = { store, files: openFiles(store, settings), ids: idPool(store) }
  const host: Host = { settings, secrets, ...shared, clock, random, digest, tracing, close: () => store.close() }
  const mailer = memoryMailer()
  const sender = memorySender()
  const hasher = scryptHasher({ logN: 1 })
  const app = await buildPayments(host, { mailer, webhooks: sender, hasher, ...instead?.(host) })
  await app.api.worker.prepare()
  const serving = await serve(app.api, { host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await serving.stop()
    await app.close()
    await host.close()
    await fresh.remove()
    await rm(directory, { recursive: true, force: true })
  })
  const wire = wireTo(t, serving)
  const ask = apiClient(wire, app.api)
  return {
    url: serving.url,
    wire,
    clock,
    host,
    mailer,
    sender,
    ask,
    drain: (at = 0) => {
      if (typeof at === 'string') clock.set(at)
      else clock.advance(at)
      return app.api.worker.drain()
    },
    told: (url) =>
      sender.requests
        .filter((request) => request.url === url)
        .map(({ body }) => JSON.parse(body))
        .sort((a, b) => (`${a.timestamp} ${a.type}` < `${b.timestamp} ${b.type}` ? -1 : 1)),
    ...people(ask),
    ...billing(ask),
    ...behind(host),
  }
}

/** Opens the payments app with the organization of a user. */
export const openMerchant = async (...args: Parameters<typeof openTestApi>) => {
  const api = await openTestApi(...args)
  const merchant = await api.merchant()
  return { ...api, api, merchant, token: merchant.token }
}

type With<K extends string> = { readonly [field in K]?: unknown }

/** Returns a field of each record. */
export const pluck = <K extends string>(records: readonly With<K>[], field: K): readonly unknown[] =>
  records.map((record) => record[field])

/** Returns some fields of each record. */
export const pluckAll = <K extends string>(records: readonly With<K>[], ...fields: readonly K[]) =>
  records.map((record) => fields.map((field) => record[field]))

/** Returns the messages of each invalid field. */
export const errorsOf = ({ body }: Pick<Answer, 'body'>): Readonly<Record<string, readonly string[]>> =>
  body.errors ?? {}

/** Returns the names of the invalid fields of a 422; throws for any other reply. */
export const wrongFields = (answer: Pick<Answer, 'status' | 'body'>): readonly string[] => {
  if (answer.status !== 422) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return Object.keys(errorsOf(answer))
}

export const failure = ({ status, body }: Answer): readonly [number, string] => [status, body.error_code]
export const statusAndMessage = ({ status, body }: Answer): readonly [number, string] => [status, body.message]

/** Returns a text of this many code points, each of two UTF-16 units. */
export const wide = (codePoints: number): string => '𝓐'.repeat(codePoints)

/** The check of documented codes, built once for all apps. */
let undocumentedFailure: ReturnType<typeof documentedCodes> | undefined

const apiClient =
  (wire: Wire, mounted: Mounted): TestApi['ask'] =>
  async (method, target, { token, body, headers } = {}) => {
    const reply = await wire({
      method,
      target,
      headers: {
        'user-agent': 'tests',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const isJson = reply.headers['content-type']?.includes('json')
    const isPage = reply.headers['content-type']?.includes('html')
    if ((isJson || isPage) && reply.status >= 400) {
      undocumentedFailure ??= documentedCodes(mounted.document())
      const code = isPage ? (headerIn(reply, 'X-Error-Code') ?? 'none') : reply.body?.error_code
      const defect = undocumentedFailure(method, target, reply.status, code)
      if (defect !== null) throw new Error(defect)
    }
    return { ...reply, headers: { get: (name) => headerIn(reply, name) }, body: isJson ? reply.body : null }
  }

const headerIn = ({ headers }: Reply, name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null

const people = (ask: TestApi['ask']): Pick<TestApi, 'person' | 'merchant' | 'again'> => {
  let count = 0
  const person = async (email = 'ana@aurora.example') => {
    const body = { name: 'Ana Souza', email, password: PASSWORD, password_confirmation: PASSWORD }
    return (await ask('POST', '/v1/auth/register', { body })).body.data.access_token as string
  }
  return {
    person,
    async again(merchant) {
      const { body } = await ask('POST', '/v1/auth/login', { body: { email: merchant.email, password: PASSWORD } })
      return { ...merchant, token: body.data.access_token }
    },
    async merchant(email = `ana${count || ''}@aurora.example`, document = SCHOOLS[count]) {
      count += 1
      const token = await person(email)
      const body = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document }
      const { organization } = (await ask('POST', '/v1/organizations', { token, body })).body
      return { email, token, id: organization.id, uuid: organization.uuid }
    },
  }
}

/** Returns the body of a successful reply; throws for any other. */
export const worked = ({ status, body, text }: Answer): Answer['body'] => {
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`)
  return body
}

const billing = (ask: TestApi['ask']): Pick<TestApi, 'charge' | 'pay' | 'fail'> => ({
  charge: async ({ token }, over = {}) =>
    worked(await ask('POST', '/invoices', { token, body: { ...MARIA, ...over } })).data,
  pay: (txid, over = {}) => ask('POST', '/fake-bank/payments', { body: { txid, ...over } }),
  fail: async (operation, mode, times = 1) => {
    worked(await ask('POST', '/fake-bank/faults', { body: { operation, mode, times } }))
  },
})

const everyRecord = async <R extends Rec>(store: Store, from: Collection<R>): Promise<R[]> => {
  const found: R[] = []
  for await (const record of store.scan(from, always)) found.push(record)
  return found
}

const behind = ({
  store,
  secrets,
}: Host): Pick<TestApi, 'mailsTo' | 'every' | 'everything' | 'setRole' | 'setStatus'> => {
  const every = <R extends Rec>(from: Collection<R>) => everyRecord(store, from)
  return {
    every,
    async mailsTo(email) {
      const cipher = aesCipher(secrets.dataKey)
      return (await every(mails)).filter(({ to }) => to === email).map((mail) => plainText(templateOf(cipher, mail)))
    },
    async everything() {
      const all: Record<string, readonly Rec[]> = {}
      for (const each of collectionsOf([payments])) all[each.name] = await everyRecord(store, each as Collection<Rec>)
      return all
    },
    async setRole({ id }, roleId) {
      const held = (await every(memberships)).filter(({ accountId }) => accountId === id)
      await store.commit(held.map((membership) => patch(memberships, membership.id, { set: { roleId }, when: always })))
    },
    async setStatus({ id }, status) {
      await store.commit([patch(accounts, id, { set: { status }, when: always })])
    },
  }
}

/** Codes of failures before the operation of a request is known. */
const UNROUTED = new Set(['route.unknown', 'method.not-allowed', 'request.malformed', 'request.slow'])

interface Operation {
  /** Shared responses are references, without a description. */
  readonly responses: Readonly<Record<string, { readonly description?: string }>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}/?$`)

/** Returns a function that finds failures without documentation at their operation. */
const documentedCodes = (document: OpenApi) => {
  const places = Object.entries(JSON.parse(JSON.stringify(document.paths)) as Paths).map(
    ([path, operations]) => [patternOf(path), operations] as const,
  )
  return (method: string, target: string, status: number, code: unknown): string | null => {
    const [path = ''] = target.split('?')
    const operations = places.flatMap(([pattern, { [method.toLowerCase()]: operation }]) =>
      operation && pattern.test(path) ? [operation] : [],
    )
    if (operations.length === 0 || typeof code !== 'string' || UNROUTED.has(code)) return null
    const isDocumented = operations.some(({ responses }) => responses[status]?.description?.includes(`\`${code}\``))
    return isDocumented ? null : `${method} ${path}: ${status} ${code} is not documented`
  }
}
