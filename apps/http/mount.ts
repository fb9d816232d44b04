import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import Koa from 'koa'
import type { Failure } from '../../core/failure.ts'
import type { Json } from '../../core/kernel/records/record.ts'
import type { Worker } from '../../core/kernel/running/worker.ts'
import { dayOf } from '../../core/kernel/values/day.ts'
import { keysOf } from '../../core/office/idempotency-keys.ts'
import type { Clock } from '../../core/ports/runtime.ts'
import { type OpenApi, openApi } from './docs/openapi.ts'
import { mountDocs } from './docs/page.ts'
import { trackCallers } from './event-loop.ts'
import { corsOf } from './headers.ts'
import { loadShedding } from './load-shedding.ts'
import { notFound, requestLifecycle, requestSpans, tracedRoutes } from './middleware.ts'
import { createHandler, type RouteDeps } from './pipeline.ts'
import { createRates, rateLimitOf } from './rates.ts'
import type { Dialect } from './replies/dialect.ts'
import { faultsOf } from './replies/faults.ts'
import { storedAnswer } from './replies/reply.ts'
import { send } from './replies/send.ts'
import { type Context, isHangUp, requestIds, type State } from './request.ts'
import { bySpecificity, type Handler, type Routes, routesOf } from './routing.ts'
import { type ApiConfig, rowErrors } from './rows/api.ts'
import type { ApiTypes } from './rows/row.ts'
import { type Log, METRICS_PATH, type Metrics, metricsRoute } from './telemetry.ts'
import { createTurns } from './turns.ts'

/** How an API answers, wherever it is mounted. */
export interface ApiOptions {
  /** What is told of requests and of what failed; lines of JSON on stdout by default. */
  readonly log?: Log
  /** Origins that may call from a browser: `https://app.example.com`; none by default. */
  readonly corsOrigins?: readonly string[]
  /** Whether the last address of `X-Forwarded-For` is the caller's; `false` by default. */
  readonly trustProxy?: boolean
  /** Requests a minute and address, over all processes of the store; null and by default without limit. */
  readonly ratePerMinute?: number | null
  /** Requests in hand at once, of which callers have fair shares; further ones are 503. 2,000 by default. */
  readonly maxInFlight?: number
  /** Names the ignored body fields in the answers of writes, in `X-Ignored-Fields`; `true` by default. */
  readonly ignoredFields?: boolean
  /** Where requests are counted, and what `/metrics` shows; without it there is no such route. */
  readonly metrics?: Metrics
  /** Rejects where `/health` is to be 503; by default where the store cannot be read. */
  readonly health?: () => Promise<void>
}

/** Puts an API together. Throws where its rows contradict each other, a line for each. */
export const mount = (setup: ApiConfig<ApiTypes>): Mounted => {
  const dialect = setup.dialects[setup.defaultDialect]
  const wrong = rowErrors(setup)
  if (wrong.length > 0 || !dialect) throw new Error(wrong.join('\n') || 'nobody speaks the default dialect')

  const faults = faultsOf(setup.messages, setup.log)
  const { tracer } = setup
  const routes = tracer ? tracedRoutes(routesOf()) : routesOf()
  let made: OpenApi | undefined
  const document = () => {
    made ??= openApi(setup)
    return made
  }
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
  mountDocs(routes, setup, document, limited(deps, dialect))
  mountRows(routes, setup, deps)

  const koa = new Koa<State>()
  koa.on('error', (error: unknown, ctx?: Context) => {
    if (!isHangUp(error)) setup.log.failure({ id: ctx?.state.id ?? null, route: ctx?.state.route ?? null }, error)
  })
  const idOf = requestIds(setup.random)
  const cors = corsOf(setup.corsOrigins)
  if (tracer) koa.use(requestSpans(tracer))
  koa.use(requestLifecycle({ ...setup, idOf, cors, faults, dialect }))
  if (metrics) koa.use(metricsRoute(metrics))
  const callers = trackCallers({
    isDirect: !setup.trustProxy,
    ...(setup.loopDelayMs && { loopDelayMs: setup.loopDelayMs }),
  })
  koa.use(loadShedding({ ...setup, faults, dialect, callers }))
  koa.use(routes.dispatch)
  koa.use(notFound({ routes, cors, faults, dialect, foreign: setup.foreign ?? null }))
  const { releaseUnused: unclaim } = deps.rates
  const hasPath = (path: string) => (metrics && path === METRICS_PATH) || routes.methodsOf(path).length > 0
  const handlers = handlersOf(koa.callback(), hasPath)
  return {
    ...handlers,
    document,
    connectionOpened: callers.opened,
    faultReply: (failure) => faults.of(failure, dialect),
    newId: () => idOf(undefined),
    releaseRates: unclaim,
  }
}

/** A handler of no row, under the limit of the whole app. */
const limited =
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
  const places = setup.rows.flatMap((row) => {
    const [scheme, dialect] = [setup.authSchemes[row.auth], setup.dialects[row.dialect]]
    const handler = scheme && dialect && createHandler(row, scheme, dialect, deps)
    return handler ? row.paths.map((path) => ({ row, path, handler })) : []
  })
  for (const { row, path, handler } of places.sort((a, b) => bySpecificity(a.path, b.path))) {
    routes.register(path, row.methods, handler)
  }
}

/** What an API asks of a context of Koa, whichever release of it somebody has. */
export interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** False where another one than Koa answers. */
  respond?: boolean
}

/** An API as what it is mounted in calls it: before whatever reads a request's body. */
export interface Handlers {
  /**
   * `createServer(api.handle)`, or `express().use(api.handle)`. A path that the API does not have is its 404, or left to
   * `next` where there is one.
   */
  readonly handle: (req: IncomingMessage, res: ServerResponse, next?: () => void) => void
  /** `koa.use(api.middleware)`. A path that the API does not have is left to what comes next. */
  readonly middleware: (ctx: KoaContext, next: () => Promise<unknown>) => Promise<unknown>
}

/** An API that is put together, for `serve` or for a server of somebody's own. */
export interface Mounted extends Handlers {
  /** The OpenAPI document that `/openapi.json` shows, made when it is first asked for: no request of a row needs it. */
  document(): { readonly [key: string]: Json }
  /** A connection was made on which requests will come. A server that does not say so has only requests compared. */
  connectionOpened(socket: Socket): void
  /** Words what goes wrong before there is a request: bytes that are no HTTP. */
  faultReply(failure: Failure): { readonly status: number; readonly type: string | null; readonly body: string }
  /** An id for a request that came without one. */
  newId(): string
  /** Returns what was set aside in the store and not used: on a clean stop, after the last request. */
  releaseRates(): Promise<void>
}

/** The handlers of an API that answers by one function, and knows its own paths. */
export const handlersOf = (
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  hasPath: (path: string) => boolean,
): Handlers => {
  const isOurs = ({ url = '/' }: IncomingMessage): boolean => hasPath(url.replace(/[?#].*$/s, ''))
  return {
    handle: (req, res, next) => (next === undefined || isOurs(req) ? answer(req, res) : next()),
    middleware: async (ctx, next) => {
      if (!isOurs(ctx.req)) return next()
      ctx.respond = false
      answer(ctx.req, ctx.res)
      // Whoever measures or logs around it has the whole answer in between; who hung up, before or meanwhile, gets none.
      await finished(ctx.res).catch(() => {})
    },
  }
}

/** How long the worker may take for what it has in hand once it is told to stop. */
const LAST_CALLS_MS = 2_000

/** What is closed, and by whose time. */
interface Closed {
  readonly worker: Pick<Worker, 'stop' | 'release'>
  readonly mounted: { unclaim(): Promise<void> }
  readonly clock: Pick<Clock, 'wait'>
}

/** Stops a worker while its server answers its last requests, and gives back what both had in hand. */
export const shutdownOf =
  ({ worker, mounted, clock }: Closed) =>
  async (served: Promise<unknown> = Promise.resolve()): Promise<void> => {
    // A receiver that hangs may hang longer than a stop may last: its call is left to another process, which makes it again.
    const letGo = Promise.race([worker.stop(), clock.wait(LAST_CALLS_MS)]).then(worker.release)
    await Promise.all([served.then(mounted.unclaim), letGo])
  }
