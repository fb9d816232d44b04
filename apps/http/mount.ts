import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import type { Dialect } from './dialect.ts'
import { type OpenApi, openApi } from './docs/openapi.ts'
import { mountDocs } from './docs/page.ts'
import type { HouseSetup } from './house.ts'
import { keysOf } from './keys.ts'
import { type Context, requestIds, type State } from './request/asked.ts'
import { type Faults, faultsOf } from './request/faults.ts'
import { frontOf, restOf } from './request/front.ts'
import { isHangUp } from './request/hang-up.ts'
import { corsOf } from './request/headers.ts'
import { handlerOf } from './request/pipeline.ts'
import { type Routes, routesOf } from './routing/routes.ts'
import { wrongRows } from './routing/row-check.ts'
import { bySpecificity } from './routing/specificity.ts'
import type { House } from './row.ts'

export interface Mounted {
  /** What a node:http server is made with. */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void
  /** The OpenAPI document that `/openapi.json` shows. */
  readonly document: OpenApi
  /** Words what goes wrong before there is a request: bytes that are no HTTP. */
  readonly faults: Faults
  readonly dialect: Dialect
  /** An id for a request that came without one. */
  newId(): string
}

/** Puts a house together. Throws where its rows contradict each other, a line for each. */
export const mount = (setup: HouseSetup<House>): Mounted => {
  const dialect = setup.dialects[setup.defaultDialect]
  const wrong = wrongRows(setup)
  if (wrong.length > 0 || !dialect) throw new Error(wrong.join('\n') || 'nobody speaks the default dialect')

  const faults = faultsOf(setup.messages, setup.log)
  const routes = routesOf()
  const document = openApi(setup)
  mountDocs(routes, setup, document)
  mountRows(routes, setup, faults)

  const app = new Koa<State>()
  app.on('error', (error: unknown, ctx?: Context) => {
    if (!isHangUp(error)) setup.log.failure({ id: ctx?.state.id ?? null, route: ctx?.state.route ?? null }, error)
  })
  const idOf = requestIds(setup.random)
  const cors = corsOf(setup.corsOrigins)
  app.use(frontOf({ ...setup, idOf, cors, faults, dialect }))
  app.use(routes.dispatch)
  app.use(restOf({ routes, cors, faults, dialect }))
  return { handle: app.callback(), document, faults, dialect, newId: () => idOf(undefined) }
}

const mountRows = (routes: Routes, setup: HouseSetup<House>, faults: Faults): void => {
  const kit = { app: setup.name, core: setup.core, keys: keysOf(setup), faults }
  const places = setup.rows.flatMap((row) => {
    const [door, dialect] = [setup.doors[row.auth], setup.dialects[row.dialect]]
    const handler = door && dialect && handlerOf(row, door, dialect, kit)
    return handler ? row.paths.map((path) => ({ row, path, handler })) : []
  })
  for (const { row, path, handler } of places.sort((a, b) => bySpecificity(a.path, b.path))) {
    routes.register(path, row.methods, handler)
  }
}
