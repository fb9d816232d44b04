import { performance } from 'node:perf_hooks'
import { isPublicAddress } from '../../adapters/webhooks/target.ts'
import { failure, refusal } from '../../core/failure.ts'
import { parseUrl } from '../../core/kernel/values/network.ts'
import { isWellFormed } from '../../core/kernel/values/text.ts'
import { readTraceContext, type Tracer } from '../../core/ports/tracer.ts'
import { HEALTH_PATH } from './docs/page.ts'
import { type Cors, setSecurityHeaders } from './headers.ts'
import type { Dialect } from './replies/dialect.ts'
import type { Faults } from './replies/faults.ts'
import type { ServerFailure } from './replies/messages.ts'
import { send } from './replies/send.ts'
import { addressOf, type Context, type requestIds } from './request.ts'
import { type Routes, templateOf } from './routing.ts'
import type { ForeignPaths } from './rows/api.ts'
import { type Log, METRICS_PATH, type Metrics } from './telemetry.ts'

interface LifecycleDeps {
  readonly idOf: ReturnType<typeof requestIds>
  readonly cors: Cors
  readonly faults: Faults
  readonly dialect: Dialect
  readonly log: Log
  readonly trustProxy: boolean
  readonly metrics?: Metrics
}

/** The route, in metrics, of requests that no row and no page of the server answered. */
const UNROUTED = 'none'
const NO_ROUTE: ServerFailure = failure('not-found', 'route.unknown')
const MALFORMED: ServerFailure = failure('refused', 'request.malformed')
const NOT_ALLOWED: ServerFailure = failure('refused', 'method.not-allowed')

/** Runs around every route: sets the request's id and the common headers, answers thrown errors, and writes the log line. */
export const requestLifecycle = ({ idOf, cors, faults, dialect, log, trustProxy, metrics }: LifecycleDeps) => {
  const warnOfProxy = proxyWarning(log, trustProxy)
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const start = performance.now()
    const { state } = ctx
    state.id = idOf(ctx.req.headers['x-request-id'])
    state.route = null
    state.address = addressOf(ctx, trustProxy)
    state.place = null
    warnOfProxy(ctx)
    ctx.res.setHeader('X-Request-Id', state.id)
    setSecurityHeaders(ctx.res)
    cors.setHeaders(ctx)
    try {
      const fault = faultOf(ctx)
      if (fault) await send(ctx, faults.of(fault, dialect))
      else await next()
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
  if (!ctx.url.startsWith('/')) {
    // The absolute form, which proxies send. Its host is not checked.
    const url = parseUrl(ctx.url)
    if (!url) return NO_ROUTE
    ctx.url = url.pathname + url.search
  }
  if (!ctx.path.includes('%')) return null
  try {
    return isWellFormed(decodeURIComponent(ctx.path)) ? null : NO_ROUTE
  } catch {
    return NO_ROUTE
  }
}

/**
 * Warns once if an untrusted proxy seems to stand before the server: all its callers share the proxy's address, and so the fair
 * share of one caller.
 */
export const proxyWarning = (log: Pick<Log, 'warn'>, trustProxy: boolean) => {
  let isDone = trustProxy
  return ({ req }: Context): void => {
    if (isDone || req.headers['x-forwarded-for'] === undefined) return
    const peer = req.socket.remoteAddress ?? 'a socket of this machine'
    if (isPublicAddress(peer)) return
    isDone = true
    log.warn(`TRUST_PROXY: got false, and ${peer} sends X-Forwarded-For: all who call through it share one address`)
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
export const notFound =
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
    ctx.set('Allow', allowed)
    return send(ctx, faults.of(NOT_ALLOWED, dialect))
  }

/** Probes come every few seconds and are not traced. */
const UNTRACED: ReadonlySet<string> = new Set([HEALTH_PATH, METRICS_PATH])
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Runs each request in a span, which continues the trace of its `traceparent`, unless a server around this one has begun a span.
 * The span ends when the answer is ready; a streamed body is sent after it.
 */
export const requestSpans =
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
export const tracedRoutes = (routes: Routes): Routes => ({
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
