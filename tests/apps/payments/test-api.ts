import type { ExecutionContext } from 'ava'
import type { SetClock } from '../../../adapters/clock/set-clock.ts'
import { aesCipher } from '../../../adapters/crypto/cipher.ts'
import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { memoryMailer, memorySender } from '../../../adapters/memory/memory-services.ts'
import type { Host } from '../../../apps/host/host.ts'
import type { OpenApi } from '../../../apps/http/docs/openapi.ts'
import type { Mounted } from '../../../apps/http/mount.ts'
import { buildPayments, payments } from '../../../apps/payments/app.ts'
import { always, type Collection, patch, type Rec } from '../../../core/kernel/records/record.ts'
import { plainText } from '../../../core/office/mail.ts'
import { accounts, type OrganizationStatus } from '../../../core/payments/accounts/account.ts'
import { memberships } from '../../../core/payments/members/membership.ts'
import { mails, templateOf } from '../../../core/payments/office.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import { NOW, PASSWORD, PIN } from '../../core/payments/world.ts'
import type { Answer, Reply, Sent, Wire } from '../rows/wire.ts'
import { worked } from '../rows/wire.ts'
import { apiClient, headerIn, openTestHost, serveTestApp, storedRecords, type TestHostOptions } from '../test-host.ts'
import {
  type Asking,
  charge,
  fund,
  MARIA,
  type Merchant,
  merchant,
  paid,
  pay,
  person,
  setPin,
} from './given/merchants.ts'

export { type Answer, MARIA, type Merchant, NOW, PASSWORD, PIN, type Sent, worked }

type Given = 'person' | 'merchant' | 'again' | 'fund' | 'setPin' | 'charge' | 'pay' | 'paid' | 'fail'

/** The payments API of a test. Its givens are those of `given/merchants.ts`. */
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
  /** Activates an account, sets its PIN, and pays it so many reais. */
  fund(merchant: Merchant, reais?: number): Promise<Merchant>
  /** Sets the PIN of an account. */
  setPin(merchant: Pick<Merchant, 'token'>): Promise<void>
  /** Issues a Pix charge and returns it as the API shows it. */
  charge(merchant: Pick<Merchant, 'token'>, over?: Record<string, unknown>): Promise<Answer['body']>
  /** Issues a charge, which is paid, and returns it as it was issued. */
  paid(merchant: Pick<Merchant, 'token'>, over?: Record<string, unknown>): Promise<Answer['body']>
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

interface TestApiOptions extends TestHostOptions {
  readonly instead?: (host: Host) => Partial<PaymentsPorts>
}

const SCHOOLS = ['11222333000181', '11444777000161', '12ABC34501DE35']

/**
 * Opens the payments app over HTTP on a fresh store, with a fixed clock, e-mails and webhooks in memory, and a worker
 * that runs on `drain`. It is closed when the test ends.
 */
export const openTestApi = async (
  t: Pick<ExecutionContext, 'teardown'>,
  { env, instead, ...options }: TestApiOptions = {},
): Promise<TestApi> => {
  const defaults = { PUBLIC_URL: 'https://pay.example.com', PASSKEYS: 'true', BOLETO_SEARCH_CODE: 'codigo-de-busca' }
  const host = await openTestHost(t, payments, { ...options, env: { ...defaults, ...env } })
  const { clock } = host
  const mailer = memoryMailer()
  const sender = memorySender()
  const hasher = scryptHasher({ logN: 1 })
  const app = await buildPayments(host, { mailer, webhooks: sender, hasher, ...instead?.(host) })
  const { url, wire } = await serveTestApp(t, app)
  const ask = apiClient(wire, (method, target, reply) => assertDocumented(app.api, method, target, reply))
  return {
    url,
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
    ...givens({ ask }),
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

const assertDocumented = (mounted: Mounted, method: string, target: string, reply: Reply): void => {
  const type = reply.headers['content-type'] ?? ''
  if (reply.status < 400 || !/json|html/.test(type)) return
  undocumentedFailure ??= documentedCodes(mounted.document())
  const code = type.includes('html') ? (headerIn(reply, 'X-Error-Code') ?? 'none') : reply.body?.error_code
  const defect = undocumentedFailure(method, target, reply.status, code)
  if (defect !== null) throw new Error(defect)
}

const givens = ({ ask }: Asking): Pick<TestApi, Given> => {
  let count = 0
  return {
    person: (email = 'ana@aurora.example') => person({ ask }, email),
    async again(merchant) {
      const { body } = await ask('POST', '/v1/auth/login', { body: { email: merchant.email, password: PASSWORD } })
      return { ...merchant, token: body.data.access_token }
    },
    merchant(email = `ana${count || ''}@aurora.example`, document = SCHOOLS[count]) {
      count += 1
      return merchant({ ask }, email, document)
    },
    fund: (merchant, reais) => fund({ ask }, merchant, reais),
    setPin: (merchant) => setPin({ ask }, merchant),
    charge: (merchant, over) => charge({ ask }, merchant, over),
    pay: (txid, over) => pay({ ask }, txid, over),
    paid: (merchant, over) => paid({ ask }, merchant, over),
    fail: async (operation, mode, times = 1) => {
      worked(await ask('POST', '/fake-bank/faults', { body: { operation, mode, times } }))
    },
  }
}

const behind = ({
  store,
  secrets,
}: Host): Pick<TestApi, 'mailsTo' | 'every' | 'everything' | 'setRole' | 'setStatus'> => {
  const stored = storedRecords(store, payments)
  const { every } = stored
  return {
    ...stored,
    async mailsTo(email) {
      const cipher = aesCipher(secrets.dataKey)
      return (await every(mails)).filter(({ to }) => to === email).map((mail) => plainText(templateOf(cipher, mail)))
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
