import { Router, type RouterContext } from '@koa/router'
import type { Context, State } from './request.ts'

export type Handler = (ctx: Context & { readonly params: Readonly<Record<string, string>> }) => void | Promise<void>

type Next = () => Promise<unknown>

/** The routes of an API. */
export interface Routes {
  register(path: string, methods: readonly string[], handler: Handler): void
  /** Runs the route of a request, or what comes next. */
  dispatch(ctx: Context, next: Next): Promise<unknown>
  /** What a path is known by: `HEAD, GET`; nothing where it is unknown. */
  methodsOf(path: string): readonly string[]
  /** The path of a route that an unknown path may mean: the same words under another prefix, or in other capitals. */
  nearest(path: string): string | null
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
  const templates: (readonly string[])[] = []
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
      templates.push(segmentsOf(path))
      routerOf(/^\/[^/]*:|\*/.test(path) ? LAST : kindOf(path)).register(path, [...methods], handler)
    },
    dispatch: (ctx, next) => run(kindOf(ctx.path), ctx, () => run(LAST, ctx, next)),
    methodsOf: (path) => {
      const layers = [kindOf(path), LAST].flatMap((kind) => routers.get(kind)?.router.match(path, '').path ?? [])
      return [...new Set(layers.flatMap((layer) => layer.methods))]
    },
    nearest: (path) => (path.length > MAX_ASKED ? null : nearestOf(templates, segmentsOf(path))),
  }
}

const LAST = ''

/** A longer path than any route has is not looked up. */
const MAX_ASKED = 200
/** Leading words of a path that are its prefix: `/api/v1`. */
const MAX_PREFIX = 2

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '')

const isParameter = (segment: string): boolean => /^[:*]/.test(segment)

type IsAlike = (word: string, other: string) => boolean

const isSame: IsAlike = (word, other) => word.toLowerCase() === other.toLowerCase()

const stemOf = (word: string): string => word.toLowerCase().replace(/(?:ies|y|s)$/, '')

/** A shorter word with another letter is another word. */
const MIN_MISTYPED = 5

/** Reports whether words differ in number alone, or by a letter. */
const isNear: IsAlike = (word, other) => {
  const [one, two] = [stemOf(word), stemOf(other)]
  if (one === two || Math.min(one.length, two.length) < MIN_MISTYPED) return one === two
  const at = [...one].findIndex((letter, index) => letter !== two[index])
  const [left, right] = [one, two].map((each) => each.slice(at < 0 ? one.length : at))
  return left?.slice(1) === right?.slice(1) || left?.slice(1) === right || left === right?.slice(1)
}

type Paths = readonly (readonly string[])[]

/**
 * Finds the template that has the same words, or near ones, below the shortest prefixes. Where both have a prefix, one
 * word must be the same, below prefixes of one length.
 */
const nearestOf = (templates: Paths, asked: readonly string[]): string | null => {
  const cuts = [0, 1, MAX_PREFIX].flatMap((own) => [0, 1, MAX_PREFIX].map((other) => [own, other] as const))
  for (const [own, other] of cuts.sort((a, b) => a[0] + a[1] - b[0] - b[1])) {
    const rest = asked.slice(own)
    if (rest.length === 0) continue
    const find = (alike: IsAlike) =>
      templates.find(
        (template) => isLike(alike, template.slice(other), rest) && !template.slice(0, other).some(isParameter),
      )
    const isOneWord = own > 0 && other > 0 && rest.length < 2
    const found = isOneWord ? (own === other ? find(isSame) : undefined) : (find(isSame) ?? find(isNear))
    if (!found) continue
    const words = [...found.slice(0, other), ...rest.map((word, at) => wordOf(found[other + at], word))]
    return `/${words.map(unescapePath).join('/')}`
  }
  return null
}

const isLike = (alike: IsAlike, template: readonly string[], words: readonly string[]): boolean =>
  template.length === words.length &&
  template.every((segment, at) =>
    at > 0 && isParameter(segment) ? true : alike(unescapePath(segment), words[at] ?? ''),
  )

const wordOf = (segment: string | undefined, word: string): string =>
  segment === undefined || isParameter(segment) ? word : segment

/** `/v1/users/7` is `v1 3`; a slash at the end does not count. */
const kindOf = (path: string): string => {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
  const [, first = '', ...rest] = path.slice(0, end).split('/')
  return `${first} ${rest.length}`
}

/** Each parameter of a path (`:id`, `*rest`). A colon that is a letter of the path is escaped: `accounts\:signUp`. */
export const PARAMETERS = /(?<!\\)[:*](\w+)/g

/** A path as it is asked for, but for its parameters. */
export const unescapePath = (path: string): string => path.replaceAll('\\:', ':')

/** A path with its parameters in braces: `/invoices/{id}`. */
export const templateOf = (path: string): string => unescapePath(path.replace(PARAMETERS, '{$1}'))

// Words before words with a parameter in them, those before parameters, and wildcards last.
const rank = (segment: string): string => {
  if (segment.startsWith('*')) return '3'
  if (segment.startsWith(':')) return '2'
  return segment.includes(':') ? '1' : '0'
}

const ranks = (path: string): string => path.split('/').map(rank).join('')

/** Orders paths so that `/charges/notify` is matched before `/charges/:id`, in whatever order they were written. */
export const bySpecificity = (a: string, b: string): number => {
  const [left, right] = [ranks(a), ranks(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
