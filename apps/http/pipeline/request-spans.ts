import { readTraceContext, type Tracer } from '../../../core/ports/tracer.ts'
import { HEALTH_PATH } from '../docs/page.ts'
import type { Context } from '../request/context.ts'
import { templateOf } from '../routing/path-parameters.ts'
import type { Routes } from '../routing/routes.ts'
import { METRICS_PATH } from '../telemetry/metrics-route.ts'

/** Probes come every few seconds and tell nothing. */
const UNTRACED: ReadonlySet<string> = new Set([HEALTH_PATH, METRICS_PATH])
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Runs each request in a span, which continues the trace of its `traceparent`. A server around this one that has begun a
 * span itself has read the header. The span ends once the answer is ready; a streamed body is sent after it.
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

/** Routes that name the span of a request by their template. A path with parameters is no attribute: it may hold a secret. */
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
