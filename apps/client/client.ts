import { type Authentication, type Tokens, tokensOf } from './authentication.ts'
import { PorticoError } from './errors.ts'
import type {
  ArgumentsOf,
  CommonOptions,
  Facts,
  Method,
  OperationOf,
  PagedPathOf,
  PathOf,
  ReplyOf,
} from './operations.ts'
import { type Body, type Request, type Sending, send, waitMs } from './sending.ts'

/** The settings of a client. */
export interface ClientOptions {
  /** The address of the API: `https://pay.example.com`. */
  readonly baseUrl: string
  /** Without it only public operations succeed. */
  readonly auth?: Authentication
  /** Sent with every request: `{ 'X-Organization-Id': uuid }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Retries of a repeatable request after the first try: 3 by default. */
  readonly retries?: number
  /** The longest time for one try: 30,000 ms by default. */
  readonly timeoutMs?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
  /** The clock and the random source, for tests. */
  readonly runtime?: Partial<Pick<Sending, 'now' | 'wait' | 'random'>>
}

/**
 * A typed client of an API. Paths are written as in its OpenAPI document, parameters apart:
 * `client.get('/invoices/{id}', { path: { id: 1 } })`.
 *
 * Each method returns the JSON of a successful answer, a `Blob` for a file, or undefined for an empty answer, and throws a
 * `PorticoError` otherwise. A POST whose operation takes an `Idempotency-Key` is sent with one, and retried by it after a
 * network error or a 503; so are GET, PUT and DELETE. Any other POST, and a PATCH, is sent once.
 */
export type Client<Paths> = {
  readonly [M in Method]: <P extends PathOf<Paths, M>>(
    path: P,
    ...options: ArgumentsOf<OperationOf<Paths, M, P>>
  ) => Promise<ReplyOf<OperationOf<Paths, M, P>>>
} & {
  /**
   * Yields the pages of a list from `query.page`, by default the first: `for await (const { data } of client.pages('/invoices'))`.
   * A record that is added meanwhile moves the others, so that one may be returned twice.
   */
  pages<P extends PagedPathOf<Paths>>(
    path: P,
    ...options: ArgumentsOf<OperationOf<Paths, 'get', P>>
  ): AsyncGenerator<ReplyOf<OperationOf<Paths, 'get', P>>, void, undefined>
}

/** The options of a request of any operation. */
interface AnyOptions extends CommonOptions {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly idempotencyKey?: string
}

const REPEATABLE: ReadonlySet<string> = new Set(['get', 'put', 'delete'])
/** The code of a 401 after which another token may succeed. */
const TOKEN_REFUSED = 'token.invalid'
const KEY_BYTES = 16

const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const urlOf = (baseUrl: string, path: string, { path: parameters = {}, query = {} }: AnyOptions): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined || value === '') throw new TypeError(`${path}: the path parameter "${name}" is missing`)
    return encodeURIComponent(value)
  })
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) if (each !== undefined && each !== null) sent.append(name, `${each}`)
  return `${baseUrl.replace(/\/+$/, '')}${filled}${sent.size === 0 ? '' : `?${sent}`}`
}

/** Joins headers: the last one of a name counts, in any case. */
const headersOf = (...records: readonly (Readonly<Record<string, string>> | undefined)[]): Headers => {
  const all = new Headers()
  for (const record of records) for (const [name, value] of Object.entries(record ?? {})) all.set(name, value)
  return all
}

const isRaw = (body: unknown): body is Body =>
  typeof body === 'string' || [FormData, URLSearchParams, Blob].some((type) => body instanceof type)

/** Encodes a body for `fetch`, with its type if `fetch` does not set one. */
const encoded = (body: unknown): { readonly body: Body | undefined; readonly type: string | null } => {
  if (body === undefined) return { body: undefined, type: null }
  if (typeof body === 'string') return { body, type: 'text/csv' }
  if (isRaw(body)) return { body, type: null }
  return { body: JSON.stringify(body), type: 'application/json' }
}

/** Creates the client of an API from the facts of its operations. */
export const clientOf = <Paths>(facts: Facts, options: ClientOptions): Client<Paths> => {
  const { baseUrl, auth, headers = {}, retries = 3, timeoutMs = 30_000, runtime = {} } = options
  const sending: Sending = {
    retries,
    timeoutMs,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    now: Date.now,
    wait: waitMs,
    random: Math.random,
    ...runtime,
  }
  const [open, keyed] = [new Set(facts.open), new Set(facts.keyed)]
  const requestOf = (method: Method, path: string, given: AnyOptions, key: string | null): Request => {
    const { body, type } = encoded(given.body)
    return {
      method: method.toUpperCase(),
      url: urlOf(baseUrl, path, given),
      headers: headersOf(type === null ? {} : { 'Content-Type': type }, headers, given.headers, {
        ...(key === null ? {} : { 'Idempotency-Key': key }),
      }),
      body,
      signal: given.signal,
      isRepeatable: REPEATABLE.has(method) || key !== null,
      types: facts.types[`${method} ${path}`] ?? ['application/json'],
    }
  }
  const withToken = (request: Request, token: string): Request => ({
    ...request,
    headers: headersOf(Object.fromEntries(request.headers), { Authorization: `Bearer ${token}` }),
  })
  const tokens: Tokens | null =
    auth === undefined
      ? null
      : tokensOf(
          auth,
          (path, body, token) => {
            const request = requestOf('post', path, { body }, null)
            return send(token === null ? request : withToken(request, token), sending)
          },
          sending.now,
        )
  const ask = async (method: Method, path: string, given: AnyOptions = {}): Promise<unknown> => {
    const name = `${method} ${path}`
    const request = requestOf(method, path, given, keyed.has(name) ? (given.idempotencyKey ?? newKey()) : null)
    if (tokens === null || open.has(name)) return send(request, sending)
    const token = await tokens.current()
    try {
      return await send(withToken(request, token), sending)
    } catch (failure) {
      if (!(failure instanceof PorticoError) || failure.code !== TOKEN_REFUSED) throw failure
      tokens.forget(token)
      const next = request.isRepeatable ? await tokens.current() : token
      if (next === token) throw failure
      return send(withToken(request, next), sending)
    }
  }
  async function* pages(path: string, given: AnyOptions = {}): AsyncGenerator<unknown, void, undefined> {
    for (let page = Number(given.query?.page ?? 1); ; page += 1) {
      const reply = await ask('get', path, { ...given, query: { ...given.query, page } })
      yield reply
      if (page >= lastPageIn(reply)) return
    }
  }
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
  const asked = methods.map((method) => [method, (path: string, given?: AnyOptions) => ask(method, path, given)])
  return { ...Object.fromEntries(asked), pages } as Client<Paths>
}

const LAST_PAGE = ['last_page', 'total_pages', 'totalPages']

/** Page numbers are in the reply, in its `meta`, or in the `meta` of a list within it. */
const DEPTH = 2

/** Returns the number of the last page; 1 for a list without pages. */
const lastPageIn = (reply: unknown): number => {
  let level: readonly unknown[] = [reply]
  for (let depth = 0; depth <= DEPTH; depth += 1) {
    const records = level.filter(
      (each) => typeof each === 'object' && each !== null && !Array.isArray(each),
    ) as object[]
    const found = records.flatMap((record) => Object.entries(record))
    const last = found.find(([name, value]) => LAST_PAGE.includes(name) && typeof value === 'number')
    if (last) return last[1]
    level = found.map(([, value]) => value)
  }
  return 1
}
