import Koa from 'koa'
import { dayOf } from '../../core/kernel/values/day.ts'
import { keysOf } from '../../core/office/idempotency-keys.ts'
import { type OpenApi, openApi } from './docs/openapi.ts'
import { mountDocs } from './docs/page.ts'
import { handlersOf, type Mounted } from './handlers.ts'
import { callersOf } from './pipeline/late-loop.ts'
import { loadShedding } from './pipeline/load-shedding.ts'
import { handlerOf, type RouteDeps } from './pipeline/pipeline.ts'
import { notFound, requestContext } from './pipeline/request-context.ts'
import { requestSpans, tracedRoutes } from './pipeline/request-spans.ts'
import { turnsOf } from './pipeline/turns.ts'
import { limitOf } from './rates/rate-step.ts'
import { ratesOf } from './rates/rates.ts'
import type { Dialect } from './replies/dialect.ts'
import { faultsOf } from './replies/faults.ts'
import { keptAnswer } from './replies/kept-answer.ts'
import { send } from './replies/send.ts'
import { type Context, requestIds, type State } from './request/context.ts'
import { isHangUp } from './request/hang-up.ts'
import { corsOf } from './request/headers.ts'
import { type Handler, type Routes, routesOf } from './routing/routes.ts'
import { bySpecificity } from './routing/specificity.ts'
import type { ApiConfig } from './rows/api.ts'
import type { ApiTypes } from './rows/row.ts'
import { wrongRows } from './rows/row-check.ts'
import { METRICS_PATH, metricsRoute } from './telemetry/metrics-route.ts'

/** Puts an API together. Throws where its rows contradict each other, a line for each. */
export const mount = (setup: ApiConfig<ApiTypes>): Mounted => {
  const dialect = setup.dialects[setup.defaultDialect]
  const wrong = wrongRows(setup)
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
    keys: keysOf(setup, keptAnswer),
    today,
    faults,
    rates: ratesOf(setup),
    takeTurn: turnsOf(),
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
  koa.use(requestContext({ ...setup, idOf, cors, faults, dialect }))
  if (metrics) koa.use(metricsRoute(metrics))
  const callers = callersOf({ isDirect: !setup.trustProxy, ...(setup.lateMs && { lateMs: setup.lateMs }) })
  koa.use(loadShedding({ ...setup, faults, dialect, callers }))
  koa.use(routes.dispatch)
  koa.use(notFound({ routes, cors, faults, dialect, foreign: setup.foreign ?? null }))
  const { unclaim } = deps.rates
  const hasPath = (path: string) => (metrics && path === METRICS_PATH) || routes.methodsOf(path).length > 0
  const handlers = handlersOf(koa.callback(), hasPath)
  return {
    ...handlers,
    document,
    opened: callers.opened,
    faultReply: (failure) => faults.of(failure, dialect),
    newId: () => idOf(undefined),
    unclaim,
  }
}

/** A handler of no row, under the limit of the whole app. */
const limited =
  (deps: RouteDeps, dialect: Dialect) =>
  (handler: Handler): Handler => {
    const limit = limitOf(deps, null)
    if (!limit) return handler
    return async (ctx) => {
      const failure = await limit(ctx.state)
      await (failure ? send(ctx, deps.faults.of(failure, dialect)) : handler(ctx))
    }
  }

const mountRows = (routes: Routes, setup: ApiConfig<ApiTypes>, deps: RouteDeps): void => {
  const places = setup.rows.flatMap((row) => {
    const [scheme, dialect] = [setup.authSchemes[row.auth], setup.dialects[row.dialect]]
    const handler = scheme && dialect && handlerOf(row, scheme, dialect, deps)
    return handler ? row.paths.map((path) => ({ row, path, handler })) : []
  })
  for (const { row, path, handler } of places.sort((a, b) => bySpecificity(a.path, b.path))) {
    routes.register(path, row.methods, handler)
  }
}
