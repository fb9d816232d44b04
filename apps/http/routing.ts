import { Router, type RouterContext } from '@koa/router'
import type { Context, State } from './context.ts'

export type Handler = (ctx: Context & { readonly params: Readonly<Record<string, string>> }) => void | Promise<void>

type Next = () => Promise<unknown>

/** The routes of an API. */
export interface Routes {
  register(path: string, methods: readonly string[], handler: Handler): void
  /** Runs the route of a request, or `next` if there is none. */
  dispatch(ctx: Context, next: Next): Promise<unknown>
  /** Returns the methods of a path: `HEAD, GET`; none for an unknown path. */
  methodsOf(path: string): readonly string[]
  /**
   * Returns the path of a route that is similar to an unknown path: with another prefix, other capitals, or one
   * mistyped letter.
   */
  nearest(path: string): string | null
}

interface Route {
  readonly path: string
  readonly methods: readonly string[]
  readonly handler: Handler
}

const routerFor = (routes: readonly Route[]) => {
  const router = new Router<State>({ sensitive: true })
  for (const { path, methods, handler } of routes) router.register(path, [...methods], handler)
  return { router, run: router.routes() }
}

/**
 * Creates the routes of an API. A router tries its routes one by one, and an API has hundreds: a table answers for the
 * paths that only one template can match, and each group of paths with the same first segment and depth has its own
 * router, made at its first request. Paths that begin with a parameter or contain a wildcard are tried last.
 */
export const routesOf = (): Routes => {
  const groups = new Map<string, readonly Route[]>()
  const routers = new Map<string, ReturnType<typeof routerFor>>()
  /** By their number of segments. */
  const templates = new Map<number, Words[]>()
  const registered: Route[] = []
  let table: ReturnType<typeof routeTable> | null = null
  const routerOf = (group: string) => {
    const routes = groups.get(group)
    if (!routes) return null
    const known = routers.get(group) ?? routerFor(routes)
    routers.set(group, known)
    return known
  }
  const run = (group: string, ctx: Context, next: Next): Promise<unknown> => {
    const known = routerOf(group)
    // The router adds the fields of its own context type.
    return known ? known.run(ctx as RouterContext<State>, next) : next()
  }
  return {
    register(path, methods, handler) {
      const words = wordsOf(segmentsOf(path))
      const { length } = words.segments
      templates.set(length, [...(templates.get(length) ?? []), words])
      const route = { path, methods, handler }
      registered.push(route)
      table = null
      const group = isLast(path) ? LAST : groupOf(path)
      groups.set(group, [...(groups.get(group) ?? []), route])
    },
    dispatch: (ctx, next) => {
      table ??= routeTable(registered)
      const handler = table(ctx)
      if (!handler) return run(groupOf(ctx.path), ctx, () => run(LAST, ctx, next))
      // The table has set the parameters.
      return Promise.resolve(handler(ctx as Parameters<Handler>[0]))
    },
    methodsOf: (path) => {
      const layers = [groupOf(path), LAST].flatMap((group) => routerOf(group)?.router.match(path, '').path ?? [])
      return [...new Set(layers.flatMap((layer) => layer.methods))]
    },
    nearest: (path) => (path.length > MAX_PATH_CHARS ? null : nearestOf(templates, wordsOf(segmentsOf(path)))),
  }
}

const isLast = (path: string): boolean => /^\/[^/]*:|\*/.test(path)

type ByMethod = Map<string, Handler>

/** A path with one parameter, by its path without it: `/invoices/` and `id`. */
interface OneParameter {
  readonly name: string
  readonly handlers: ByMethod
}

const PLAIN = /^[\w.~-]+$/
const PARAMETER = /^:(\w+)$/
const NO_PARAMS = {}

/** The segments of a template; `name` is that of its one parameter, if it has exactly one. */
const readTemplate = (path: string) => {
  const segments = path.split('/').slice(1)
  const [first, ...others] = segments.filter((segment) => !PLAIN.test(segment))
  const name = others.length === 0 ? (PARAMETER.exec(first ?? '')?.[1] ?? null) : null
  return { path, group: groupOf(path), segments, isPlain: first === undefined, name }
}

type Template = ReturnType<typeof readTemplate>

/**
 * Reports whether two templates of a group may match the same path: no pair of their segments consists of different
 * words.
 */
const mayOverlap = ({ segments }: Template, other: Template): boolean =>
  segments.every((segment, at) => {
    const rival = other.segments[at] ?? ''
    return segment === rival || !PLAIN.test(segment) || !PLAIN.test(rival)
  })

/** Reports whether the routers can match a path of this template by another one. Plain paths are looked up first. */
const hasRival = (template: Template, templates: readonly Template[]): boolean =>
  templates.some(
    (other, at) =>
      other.group === template.group &&
      other.path !== template.path &&
      !other.isPlain &&
      (!template.isPlain || at < templates.indexOf(template)) &&
      mayOverlap(template, other),
  )

/**
 * Returns the handlers of a path, the first that was registered for each method. As in the routers, GET includes HEAD.
 */
const handlersOf = (registered: readonly Route[], path: string): ByMethod => {
  const handlers: ByMethod = new Map()
  for (const { methods, handler, path: own } of registered) {
    if (own !== path) continue
    for (const method of methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])))
      if (!handlers.has(method)) handlers.set(method, handler)
  }
  return handlers
}

/**
 * Builds the table of the paths without parameters, and of those with one (`/invoices/:id`) that no other template
 * matches. It returns the handler of a request after setting its parameters; null if the routers decide.
 */
const routeTable = (registered: readonly Route[]): ((ctx: Context) => Handler | null) => {
  const paths = [...new Set(registered.map(({ path }) => path))].filter((path) => !isLast(path))
  const templates = paths.map(readTemplate)
  const plain = new Map<string, ByMethod>()
  const withParameter = new Map<string, OneParameter>()
  for (const template of templates) {
    const { path, isPlain, name } = template
    const isKnown = !hasRival(template, templates)
    // A plain path with a rival is left to the routers, and so is not taken for one with a parameter.
    if (isPlain) plain.set(path, isKnown ? handlersOf(registered, path) : new Map())
    else if (name !== null && isKnown)
      withParameter.set(path.replace(`:${name}`, ''), { name, handlers: handlersOf(registered, path) })
  }
  return (ctx) => {
    const { method, path } = ctx
    const known = plain.get(path)
    if (known) return withParams(ctx, NO_PARAMS, known.get(method))
    // The first segment is no parameter.
    for (let start = path.indexOf('/', 1) + 1, end = 0; start > 0 && start < path.length; start = end + 1) {
      end = path.indexOf('/', start)
      if (end < 0) end = path.length
      if (end === start) continue
      const found = withParameter.get(path.slice(0, start) + path.slice(end))
      if (!found) continue
      const value = path.slice(start, end)
      return value.includes('%') ? null : withParams(ctx, { [found.name]: value }, found.handlers.get(method))
    }
    return null
  }
}

const withParams = (ctx: Context, params: object, handler: Handler | undefined): Handler | null => {
  if (!handler) return null
  Object.assign(ctx, { params })
  return handler
}

const LAST = ''

/** `/v1/users/7` is in the group `v1 3`; a slash at the end does not count. */
const groupOf = (path: string): string => {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
  const [, first = '', ...rest] = path.slice(0, end).split('/')
  return `${first} ${rest.length}`
}

// Words precede words that contain a parameter, then come parameters, then wildcards.
const rank = (segment: string): string => {
  if (segment.startsWith('*')) return '3'
  if (segment.startsWith(':')) return '2'
  return segment.includes(':') ? '1' : '0'
}

const ranks = (path: string): string => path.split('/').map(rank).join('')

/** Sorts routes by the specificity of their paths: `/charges/notify` is matched before `/charges/:id`. */
export const bySpecificity = <R extends { readonly path: string }>(routes: readonly R[]): readonly R[] =>
  routes
    .map((route) => ({ route, ranks: ranks(route.path) }))
    .sort((a, b) => (a.ranks < b.ranks ? -1 : a.ranks > b.ranks ? 1 : 0))
    .map(({ route }) => route)

/** Matches each parameter of a path (`:id`, `*rest`). A literal colon is escaped: `accounts\:signUp`. */
export const PARAMETERS = /(?<!\\)[:*](\w+)/g

/** Returns a path as clients write it, except for its parameters. */
export const unescapePath = (path: string): string => path.replaceAll('\\:', ':')

/** Returns a path with its parameters in braces: `/invoices/{id}`. */
export const templateOf = (path: string): string => unescapePath(path.replace(PARAMETERS, '{$1}'))

/** The limit for `nearest`; no route is longer. */
const MAX_PATH_CHARS = 200
/** The leading segments of a path that can be its prefix: `/api/v1`. */
const MAX_PREFIX = 2

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '')

const isParameter = (segment: string): boolean => /^[:*]/.test(segment)

/** A path as `nearest` compares it. */
interface Words {
  readonly segments: readonly string[]
  readonly lower: readonly string[]
  readonly stems: readonly string[]
  /** The number of segments before the first parameter. */
  readonly plain: number
}

const wordsOf = (segments: readonly string[]): Words => {
  const lower = segments.map((segment) => unescapePath(segment).toLowerCase())
  const stems = lower.map((word) => word.replace(/(?:ies|y|s)$/, ''))
  const parameter = segments.findIndex(isParameter)
  return { segments, lower, stems, plain: parameter < 0 ? segments.length : parameter }
}

type IsAlike = (template: Words, at: number, path: Words, own: number) => boolean

const isSame: IsAlike = (template, at, path, own) => template.lower[at] === path.lower[own]

/** In a shorter word, another letter makes another word. */
const MIN_MISTYPED = 5

/**
 * Reports whether two words differ only in number, or by one letter. Allocates nothing: unknown paths are free to send.
 */
const isNear: IsAlike = (template, at, path, own) => {
  const [one = '', two = ''] = [template.stems[at], path.stems[own]]
  const [shorter, longer] = one.length < two.length ? [one.length, two.length] : [two.length, one.length]
  if (one === two || shorter < MIN_MISTYPED || longer - shorter > 1) return one === two
  let start = 0
  while (start < shorter && one.charCodeAt(start) === two.charCodeAt(start)) start += 1
  let end = 0
  while (end < shorter - start && one.charCodeAt(one.length - 1 - end) === two.charCodeAt(two.length - 1 - end))
    end += 1
  return start + end >= longer - 1
}

/** The numbers of leading segments that the path and the template skip, the shortest first. */
const CUTS = [0, 1, MAX_PREFIX]
  .flatMap((own) => [0, 1, MAX_PREFIX].map((other) => [own, other] as const))
  .sort((a, b) => a[0] + a[1] - b[0] - b[1])

/**
 * Finds the template with the same or similar words after the shortest prefixes. If both paths have a prefix and only
 * one word follows, the word must be the same and the prefixes of equal length.
 */
const nearestOf = (templates: ReadonlyMap<number, readonly Words[]>, path: Words): string | null => {
  for (const [own, other] of CUTS) {
    const rest = path.segments.length - own
    if (rest <= 0) continue
    const isOneWord = own > 0 && other > 0 && rest < 2
    if (isOneWord && own !== other) continue
    const sameLength = templates.get(other + rest) ?? []
    const find = (isAlike: IsAlike) => sameLength.find((template) => isLike(isAlike, template, other, path, own))
    const found = find(isSame) ?? (isOneWord ? undefined : find(isNear))
    if (!found) continue
    const words = found.segments.map((segment, at) =>
      at >= other && isParameter(segment) ? (path.segments[at - other + own] ?? '') : segment,
    )
    return `/${words.map(unescapePath).join('/')}`
  }
  return null
}

const isLike = (isAlike: IsAlike, template: Words, other: number, path: Words, own: number): boolean => {
  if (template.plain < other) return false
  for (let at = other; at < template.segments.length; at += 1) {
    const isFree = at > other && at >= template.plain && isParameter(template.segments[at] ?? '')
    if (!isFree && !isAlike(template, at, path, own + at - other)) return false
  }
  return true
}
