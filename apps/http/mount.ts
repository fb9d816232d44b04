import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { finished } from 'node:stream/promises'
import Koa from 'koa'
import { isPublicAddress } from '../../adapters/webhooks/target.ts'
import { type Failure, failure, refusal } from '../../core/failure.ts'
import type { Json } from '../../core/kernel/records/record.ts'
import { dayOf } from '../../core/kernel/values/day.ts'
import { isWellFormed, parseUrl } from '../../core/kernel/values/text.ts'
import { keysOf } from '../../core/office/idempotency-keys.ts'
import { readTraceContext, type Tracer } from '../../core/ports/tracer.ts'
import { addressOf, type Context, type State } from './context.ts'
import { openApi } from './docs/openapi.ts'
import { HEALTH_PATH, metricsRoute, mountDocs, once } from './docs/page.ts'
import { trackCallers } from './event-loop.ts'
import { type Cors, commonHeaders, corsOf } from './headers.ts'
import { loadShedding } from './load-shedding.ts'
import { createHandler, type RouteDeps } from './pipeline.ts'
import { createRates, rateLimitOf } from './rates.ts'
import type { Dialect } from './replies/dialect.ts'
import { type Faults, faultsOf } from './replies/faults.ts'
import type { ServerFailure } from './replies/messages.ts'
import { storedAnswer } from './replies/reply.ts'
import { send, sendStream } from './replies/send.ts'
import { isHangUp, requestIds } from './request.ts'
import { bySpecificity, type Handler, type Routes, routesOf, templateOf } from './routing.ts'
import { type ApiConfig, type ForeignPaths, rowErrors } from './rows/api.ts'
import type { ApiTypes } from './rows/row.ts'
import { type Log, METRICS_PATH, type Metrics } from './telemetry.ts'
import { createTurns } from './turns.ts'

/** The options of a mounted API. */
export interface ApiOptions {
  /** Receives requests and failures; by default JSON lines on stdout. */
  readonly log?: Log
  /** The origins that may call from a browser: `https://app.example.com`; by default none. */
  readonly corsOrigins?: readonly string[]
  /** If true, the last address of `X-Forwarded-For` is the caller's; by default false. */
  readonly trustProxy?: boolean
  /** The limit of requests per minute and address, over all processes of the store; null (the default) for none. */
  readonly ratePerMinute?: number | null
  /** The limit of requests in flight, by default 2,000, shared fairly by the callers; further requests get 503. */
  readonly maxInFlight?: number
  /** If true (the default), answers of writes name the ignored body fields in `X-Ignored-Fields`. */
  readonly ignoredFields?: boolean
  /** Counts requests and serves `/metrics`; without it the route does not exist. */
  readonly metrics?: Metrics
  /** Rejects if `/health` must return 503; by default if the store cannot be read. */
  readonly health?: () => Promise<void>
}

/** Builds the API of a configuration. Throws if its rows contradict each other, with a line for each error. */
export const mount = (config: ApiConfig<ApiTypes>): Mounted => {
  const resources = config.rows.flatMap(({ texts }) => texts ?? [])
  const setup = { ...config, messages: config.messages.withResources(resources) }
  const dialect = setup.dialects[setup.defaultDialect]
  const wrong = rowErrors(setup)
  if (wrong.length > 0 || !dialect)
    throw new Error(wrong.join('\n') || `defaultDialect "${setup.defaultDialect}" is not one of dialects`)

  const faults = faultsOf(setup.messages, setup.log)
  const { tracer } = setup
  const routes = tracer ? tracedRoutes(routesOf()) : routesOf()
  const document = once(() => openApi(setup))
  const { name: app, core, metrics, ratePerMinute = null, ignoredFields: namesIgnored = true } = setup
  const today = () => dayOf(setup.clock.steady())
  const deps: RouteDeps = {
    app,
    core,
    keys: keysOf(setup, storedAnswer),
    today,
    faults,
    rates: createRates(setup),
    requestTurn: createTurns(),
    ratePerMinute,
    namesIgnored,
  }
  mountDocs(routes, setup, document, withRateLimit(deps, dialect))
  mountRows(routes, setup, deps)

  const koa = new Koa<State>()
  koa.on('error', (error: unknown, ctx?: Context) => {
    if (!isHangUp(error)) setup.log.failure({ id: ctx?.state.id ?? null, route: ctx?.state.route ?? null }, error)
  })
  const idOf = requestIds(setup.random)
  const cors = corsOf(setup.corsOrigins ?? [])
  const callers = trackCallers({
    isDirect: !setup.trustProxy,
    ...(setup.loopDelayMs && { loopDelayMs: setup.loopDelayMs }),
  })
  const layers = [
    tracer && requestSpans(tracer),
    requestLifecycle({ ...setup, idOf, cors, faults, dialect }),
    metrics && metricsRoute(metrics),
    loadShedding({ ...setup, faults, dialect, callers }),
    routes.dispatch,
  ].filter((layer) => layer !== undefined)
  const run = composed(layers, notFound({ routes, cors, faults, dialect, foreign: setup.foreign ?? null }))
  const hasPath = (path: string) => (metrics && path === METRICS_PATH) || routes.methodsOf(path).length > 0
  const answer = answering(koa, run)
  return {
    ...handlersOf(answer, hasPath),
    answer,
    document,
    connectionOpened: callers.connectionOpened,
    faultReply: (failure) => faults.of(failure, dialect),
    newId: () => idOf(undefined),
    releaseRates: deps.rates.releaseUnused,
  }
}

/**
 * Answers requests with the contexts of Koa, and reports errors as it does. Koa's own handler would watch the end of
 * each answer and decide how to write it, which is decided already.
 */
const answering =
  (koa: Koa<State>, run: (ctx: Context) => Promise<unknown>) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const ctx: Context = koa.createContext<State>(req, res)
    res.statusCode = 404
    try {
      await run(ctx)
      if (ctx.state.stream) sendStream(ctx, ctx.state.stream)
    } catch (error) {
      ctx.onerror(error instanceof Error ? error : new Error(`${error}`))
    }
  }

type Layer = (ctx: Context, next: () => Promise<unknown>) => Promise<unknown>
type Last = (ctx: Context) => unknown

/**
 * Composes layers into one function. Unlike Koa's own composition, it makes one closure for each layer of a request.
 */
const composed = (layers: readonly Layer[], last: Last) =>
  layers.reduceRight<(ctx: Context) => Promise<unknown>>(
    (inner, layer) => (ctx) => layer(ctx, () => inner(ctx)),
    async (ctx) => last(ctx),
  )

/** Applies the rate limit of the whole app to a handler without a row. */
const withRateLimit =
  (deps: RouteDeps, dialect: Dialect) =>
  (handler: Handler): Handler => {
    const limit = rateLimitOf(deps, null)
    if (!limit) return handler
    return async (ctx) => {
      const failure = await limit(ctx.state)
      await (failure ? send(ctx, deps.faults.of(failure, dialect)) : handler(ctx))
    }
  }

const mountRows = (routes: Routes, setup: ApiConfig<ApiTypes>, deps: RouteDeps): void => {
  const handlers = setup.rows.flatMap((row) => {
    const [scheme, dialect] = [setup.authSchemes[row.auth], setup.dialects[row.dialect]]
    if (!scheme || !dialect) return []
    // Created at the row's first request, since a start would spend most of its time on rows that get none.
    const rowHandler = once(() => createHandler(row, scheme, dialect, deps))
    const handler: Handler = (ctx) => rowHandler()(ctx)
    return row.paths.map((path) => ({ row, path, handler }))
  })
  for (const { row, path, handler } of bySpecificity(handlers)) {
    routes.register(path, row.methods, handler)
  }
}

/** The part of a Koa context that an API needs; it is the same in all releases of Koa. */
export interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** False if Koa must not write the answer. */
  respond?: boolean
}

/** The handlers of an API. Mount them before any middleware that reads the request body. */
export interface Handlers {
  /**
   * `createServer(api.handle)`, or `express().use(api.handle)`. For an unknown path it calls `next`; without `next` it
   * returns 404.
   */
  readonly handle: (req: IncomingMessage, res: ServerResponse, next?: () => void) => void
  /** `koa.use(api.middleware)`. For an unknown path it calls `next`. */
  readonly middleware: (ctx: KoaContext, next: () => Promise<unknown>) => Promise<unknown>
}

/** A mounted API, for `serve` or for your own server. */
export interface Mounted extends Handlers {
  /** Answers a request of `serve`. */
  answer(req: IncomingMessage, res: ServerResponse): void
  /** Returns the OpenAPI document of `/openapi.json`, built at the first call. */
  document(): { readonly [key: string]: Json }
  /**
   * Reports a new connection, on which a request is expected. Without these reports, fair shares under load consider
   * requests only.
   */
  connectionOpened(socket: Socket): void
  /** Builds the answer to bytes that are no HTTP request. */
  faultReply(failure: Failure): {
    readonly status: number
    readonly type: string | null
    readonly body: string | Uint8Array
  }
  /** Returns an id for a request without one. */
  newId(): string
  /**
   * Releases the unused part of the rate limits that this process has reserved in the store. Call it after the last
   * request.
   */
  releaseRates(): Promise<void>
}

/** Returns the handlers of an API: `answer` answers the requests whose path exists. */
export const handlersOf = (
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  hasPath: (path: string) => boolean,
): Handlers => {
  // Node keeps headers that are written at once readable only beside a header that was set before.
  const answerReadably = (req: IncomingMessage, res: ServerResponse): void => {
    res.setHeader('X-Request-Id', '')
    answer(req, res)
  }
  const isOurs = ({ url = '/' }: IncomingMessage): boolean => hasPath((originForm(url) ?? '').replace(/[?#].*$/s, ''))
  return {
    handle: (req, res, next) => (next === undefined || isOurs(req) ? answerReadably(req, res) : next()),
    middleware: async (ctx, next) => {
      if (!isOurs(ctx.req)) return next()
      ctx.respond = false
      answerReadably(ctx.req, ctx.res)
      // Middleware around the API that measures or logs waits for the whole answer, or until the client hangs up.
      await finished(ctx.res).catch(() => {})
    },
  }
}

interface LifecycleDeps {
  readonly idOf: ReturnType<typeof requestIds>
  readonly cors: Cors
  readonly faults: Faults
  readonly dialect: Dialect
  readonly log: Log
  readonly trustProxy?: boolean
  readonly metrics?: Metrics
}

/** The route, in metrics, of requests that no row and no page of the server answered. */
const UNROUTED = 'none'
const NO_ROUTE: ServerFailure = failure('not-found', 'route.unknown')
export const MALFORMED: ServerFailure = failure('refused', 'request.malformed')
export const NOT_ALLOWED: ServerFailure = failure('refused', 'method.not-allowed')

/**
 * Runs around every route: sets the request's id and the common headers, answers thrown errors, and writes the log
 * line.
 */
const requestLifecycle = ({ idOf, cors, faults, dialect, log, trustProxy = false, metrics }: LifecycleDeps) => {
  const warnOfProxy = proxyWarning(log, trustProxy)
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const start = performance.now()
    const { state } = ctx
    state.id = idOf(ctx.req.headers['x-request-id'])
    state.route = null
    state.address = addressOf(ctx, trustProxy)
    state.stream = null
    state.slot = null
    warnOfProxy(ctx)
    state.headers = commonHeaders(state.id)
    cors.setHeaders(ctx)
    try {
      const fault = faultOf(ctx)
      await (fault ? send(ctx, faults.of(fault, dialect)) : next())
    } catch (error) {
      await send(ctx, faults.thrown(error, dialect, state))
    }
    const tookMs = performance.now() - start
    const { id, route, address } = state
    metrics?.request(route ?? UNROUTED, ctx.status, tookMs / 1000)
    log.request({ id, method: ctx.method, route, status: ctx.status, ms: Math.round(tookMs * 100) / 100, address })
  }
}

/** Returns the fault of a request that is not routed: no host, a malformed target, or a NUL in its path. */
const faultOf = (ctx: Context): ServerFailure | null => {
  const { req } = ctx
  if (req.headers.host === undefined && req.httpVersionMinor > 0) return MALFORMED
  const target = originForm(ctx.url)
  if (target === null) return NO_ROUTE
  ctx.url = target
  if (!ctx.path.includes('%')) return null
  try {
    return isWellFormed(decodeURIComponent(ctx.path)) ? null : NO_ROUTE
  } catch {
    return NO_ROUTE
  }
}

/**
 * Returns a target as path and query: proxies send the absolute form, whose host is not checked. Null for any other
 * target.
 */
const originForm = (target: string): string | null => {
  if (target.startsWith('/')) return target
  const url = parseUrl(target)
  return url && url.pathname + url.search
}

/**
 * Warns once if the server seems to be behind an untrusted proxy: all its callers share the proxy's address, and so the
 * fair share of one caller.
 */
export const proxyWarning = (log: Pick<Log, 'warn'>, trustProxy: boolean) => {
  let isDone = trustProxy
  return ({ req }: Pick<KoaContext, 'req'>): void => {
    if (isDone || req.headers['x-forwarded-for'] === undefined) return
    const peer = req.socket.remoteAddress ?? 'a socket of this machine'
    if (isPublicAddress(peer)) return
    isDone = true
    log.warn(`TRUST_PROXY: got false, and ${peer} sends X-Forwarded-For: all callers behind it share one address`)
  }
}

interface NotFoundDeps {
  readonly routes: Routes
  readonly cors: Cors
  readonly faults: Faults
  readonly dialect: Dialect
  /** The prefixes whose unknown paths are answered in another dialect. */
  readonly foreign?: ForeignPaths | null
}

/** Answers requests without a route: OPTIONS, 405 for a path with other methods, else 404. */
const notFound =
  ({ routes, cors, faults, dialect: usual, foreign = null }: NotFoundDeps) =>
  (ctx: Context): void | Promise<void> => {
    const methods = routes.methodsOf(ctx.path)
    const isForeign = foreign?.prefixes.some((prefix) => ctx.path.startsWith(prefix)) ?? false
    const dialect = foreign && isForeign ? foreign.dialect : usual
    if (methods.length === 0) {
      // If the preflight request failed, the browser could not read the 404 of the request itself.
      if (isForeign && ctx.method === 'OPTIONS') return cors.answerOptions(ctx, 'GET, POST, OPTIONS')
      return send(ctx, faults.of(refusal('route.unknown', isForeign ? null : routes.nearest(ctx.path)), dialect))
    }
    const allowed = [...methods, 'OPTIONS'].join(', ')
    if (ctx.method === 'OPTIONS') return cors.answerOptions(ctx, allowed)
    ctx.state.headers.Allow = allowed
    return send(ctx, faults.of(NOT_ALLOWED, dialect))
  }

/** Probes are sent every few seconds, and are not traced. */
const UNTRACED: ReadonlySet<string> = new Set([HEALTH_PATH, METRICS_PATH])
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Runs each request in a span, which continues the trace of its `traceparent`, unless a server around this one has
 * begun a span. The span ends when the answer is ready; a streamed body is sent after it.
 */
const requestSpans =
  (tracer: Tracer) =>
  async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    if (UNTRACED.has(ctx.path)) return void (await next())
    const { traceparent, tracestate } = ctx.req.headers
    const method = METHODS.has(ctx.method) ? ctx.method : '_OTHER'
    const isWithin = tracer.current() !== null
    const span = tracer.start({
      name: method === '_OTHER' ? 'HTTP' : method,
      kind: 'server',
      attributes: { 'http.request.method': method, 'url.scheme': ctx.protocol },
      ...(isWithin ? {} : { parent: readTraceContext(traceparent, tracestate) }),
    })
    ctx.state.span = span
    try {
      await span.run(next)
    } finally {
      span.set({ 'http.response.status_code': ctx.status })
      if (ctx.status >= 500) span.fail(`${ctx.status}`)
      span.end()
    }
  }

/** Names the span of a request by its route. A path with parameters is no attribute: it may contain a secret. */
const tracedRoutes = (routes: Routes): Routes => ({
  ...routes,
  register(path, methods, handler) {
    const route = templateOf(path)
    const attributes = { 'http.route': route, ...(route.includes('{') ? {} : { 'url.path': route }) }
    routes.register(path, methods, (ctx) => {
      ctx.state.span?.rename(`${ctx.method} ${route}`)
      ctx.state.span?.set(attributes)
      return handler(ctx)
    })
  },
})
