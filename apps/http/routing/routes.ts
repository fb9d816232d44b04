import { Router, type RouterContext } from '@koa/router'
import type { Context, State } from '../request/context.ts'

export type Handler = (ctx: Context & { readonly params: Readonly<Record<string, string>> }) => void | Promise<void>

type Next = () => Promise<unknown>

/** The routes of an API. */
export interface Routes {
  register(path: string, methods: readonly string[], handler: Handler): void
  /** Runs the route of a request, or what comes next. */
  dispatch(ctx: Context, next: Next): Promise<unknown>
  /** What a path is known by: `HEAD, GET`; nothing where it is unknown. */
  methodsOf(path: string): readonly string[]
}

const smallRouter = () => {
  const router = new Router<State>({ sensitive: true })
  return { router, run: router.routes() }
}

type Small = ReturnType<typeof smallRouter>

/**
 * A router tries its routes one by one, and an API has hundreds: each gets a small router of its own kind of paths, by
 * their first word and their depth. What begins with a parameter, or has no depth of its own, is tried last.
 */
export const routesOf = (): Routes => {
  const routers = new Map<string, Small>()
  const routerOf = (kind: string): Router<State> => {
    const small = routers.get(kind) ?? smallRouter()
    routers.set(kind, small)
    return small.router
  }
  const run = (kind: string, ctx: Context, next: Next): Promise<unknown> => {
    const known = routers.get(kind)
    // The router itself makes its own kind of context of it.
    return known ? known.run(ctx as RouterContext<State>, next) : next()
  }
  return {
    register(path, methods, handler) {
      routerOf(/^\/[^/]*:|\*/.test(path) ? LAST : kindOf(path)).register(path, [...methods], handler)
    },
    dispatch: (ctx, next) => run(kindOf(ctx.path), ctx, () => run(LAST, ctx, next)),
    methodsOf: (path) => {
      const layers = [kindOf(path), LAST].flatMap((kind) => routers.get(kind)?.router.match(path, '').path ?? [])
      return [...new Set(layers.flatMap((layer) => layer.methods))]
    },
  }
}

const LAST = ''

/** `/v1/users/7` is `v1 3`; a slash at the end does not count. */
const kindOf = (path: string): string => {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
  const [, first = '', ...rest] = path.slice(0, end).split('/')
  return `${first} ${rest.length}`
}
