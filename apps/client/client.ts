import { type Authentication, type Tokens, tokensOf } from './authentication.ts'
import { failureIn, jsonIn, PorticoError, unreadable } from './errors.ts'
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
 * Each method returns the JSON of a successful answer, a `Blob` for a file, or undefined for an empty answer, and
 * throws a `PorticoError` otherwise. A POST whose operation takes an `Idempotency-Key` is sent with one, and retried by
 * it after a network error or a 503; so are GET, PUT and DELETE. Any other POST, and a PATCH, is sent once.
 */
export type Client<Paths> = {
  readonly [M in Method]: <P extends PathOf<Paths, M>>(
    path: P,
    ...options: ArgumentsOf<OperationOf<Paths, M, P>>
  ) => Promise<ReplyOf<OperationOf<Paths, M, P>>>
} & {
  /**
   * Yields the pages of a list from `query.page`, by default the first: `for await (const { data } of
   * client.pages('/invoices'))`. A record that is added meanwhile moves the others, so that one may be returned twice.
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
  const calls = methods.map((method) => [method, (path: string, options?: AnyOptions) => ask(method, path, options)])
  return { ...Object.fromEntries(calls), pages } as Client<Paths>
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

/** The settings by which requests are sent. */
export interface Sending {
  /** Retries after the first try. */
  readonly retries: number
  /** The longest time for one try, its body included. */
  readonly timeoutMs: number
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** At least 0, below 1. */
  readonly random: () => number
}

/** A body that can be sent more than once. */
export type Body = string | FormData | URLSearchParams | Blob

/** A request, ready to be sent again. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Body | undefined
  readonly signal: AbortSignal | undefined
  /** True if the request may be repeated: GET, PUT, DELETE, and POST with a key. */
  readonly isRepeatable: boolean
  /** The media types that the operation documents; null accepts any. */
  readonly types: readonly string[] | null
}

const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 8_000
/** A longer Retry-After gets no retry. */
const MAX_RETRY_AFTER_SECONDS = 60

const UNAVAILABLE = 503
/** The first try of a key may still be running. */
const RUNNING: ReadonlySet<string> = new Set(['key.running', 'key.conflict'])
const LOST: ReadonlySet<string> = new Set(['network', 'timeout'])

const mayPass = ({ status, code }: PorticoError): boolean =>
  LOST.has(code) || status === UNAVAILABLE || (status === 409 && RUNNING.has(code))

/** Returns the wait before the next try, from Retry-After or doubled each time; null for no further try. */
const waitBefore = (failure: unknown, tries: number, request: Request, sending: Sending): number | null => {
  if (!(failure instanceof PorticoError) || !request.isRepeatable || tries > sending.retries || !mayPass(failure)) {
    return null
  }
  const { retryAfterSeconds } = failure
  if (retryAfterSeconds !== null) {
    return retryAfterSeconds <= MAX_RETRY_AFTER_SECONDS ? retryAfterSeconds * 1_000 : null
  }
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.5 + sending.random() / 2)
}

/**
 * Sends a request and returns the value of its answer. Retries a repeatable one after a network error, a time-out, a
 * 503 or a conflict with a running request of its key. Throws a `PorticoError`, or the reason of the caller's signal.
 */
const send = async (request: Request, sending: Sending): Promise<unknown> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(request, sending)
    } catch (failure) {
      const wait = waitBefore(failure, tries, request, sending)
      if (wait === null) throw failure
      await sending.wait(wait, request.signal)
    }
  }
}

const tryOnce = async (request: Request, sending: Sending): Promise<unknown> => {
  const { method, url, headers, body, signal } = request
  signal?.throwIfAborted()
  const ending = new AbortController()
  const onAbort = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ending.abort()
  }, sending.timeoutMs)
  let isStream = false
  try {
    // A redirect could change a POST to a GET, or send it twice.
    const redirect = method === 'GET' ? 'follow' : 'error'
    const answer = await sending.fetch(url, { method, headers, body: body ?? null, signal: ending.signal, redirect })
    isStream = answer.ok && typeIn(answer) === EVENTS && accepts(request, EVENTS)
    return isStream ? answer.body : await readValue(answer, request, sending)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof PorticoError) throw error
    const message = isLate ? `no answer after ${sending.timeoutMs} ms` : `no answer: ${String(error)}`
    throw new PorticoError({
      code: isLate ? 'timeout' : 'network',
      message: `${method} ${url}: ${message}`,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
    if (!isStream) signal?.removeEventListener('abort', onAbort)
  }
}

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'

const typeIn = ({ headers }: Response): string => headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''

const accepts = ({ types }: Request, type: string): boolean =>
  types === null || types.some((each) => each === type || (each.endsWith('/*') && type.startsWith(each.slice(0, -1))))

const NO_CONTENT: ReadonlySet<number> = new Set([204, 205])

const readValue = async (answer: Response, request: Request, { now }: Sending): Promise<unknown> => {
  if (!answer.ok) throw failureIn(answer, await answer.text(), now())
  if (NO_CONTENT.has(answer.status)) return undefined
  const type = typeIn(answer)
  if (type !== JSON_TYPE && accepts(request, type)) return answer.blob()
  const text = await answer.text()
  const value = type === JSON_TYPE ? jsonIn(text) : undefined
  if (value !== undefined) return value
  const message = `${request.method} ${request.url}: an answer of type "${type}" that is not as documented`
  throw unreadable(answer, text, now(), message)
}

/** Waits, unless the signal ends it. */
const waitMs = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done, failed) => {
    const end = () => {
      clearTimeout(timer)
      failed(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      done()
    }, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
