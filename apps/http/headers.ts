import type { Context, State } from './context.ts'
import { send } from './replies/send.ts'

/** The security headers of every answer. */
const SECURITY = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Returns the headers of every answer: the request's id and the security headers. */
export const commonHeaders = (id: string): State['headers'] => ({ 'X-Request-Id': id, ...SECURITY })

/** The security headers as lines, for answers that are written without a response object. */
export const SECURITY_LINES = Object.entries(SECURITY)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

/** The header of an HTML page that shows a failure; other answers have the code in their body. */
export const ERROR_CODE = 'X-Error-Code'

/** The headers that scripts of other origins may read. */
const EXPOSED = [
  'X-Request-Id, Retry-After, Idempotent-Replayed, Deprecation, Link, Allow, Content-Disposition, ETag',
  `X-Ignored-Fields, ${ERROR_CODE}, X-Skipped-Units`,
].join(', ')
const PREFLIGHT_SECONDS = 600

export interface Cors {
  /** Sets the CORS headers of an answer to an allowed origin. */
  setHeaders(ctx: Context): void
  /** Answers OPTIONS on a path with these methods: `GET, HEAD, OPTIONS`. */
  answerOptions(ctx: Context, allowed: string): void | Promise<void>
}

/** Allows calls from browsers of exactly these origins, never with cookies: no route reads cookies. */
export const corsOf = (origins: readonly string[]): Cors => {
  const allowed = new Set(origins)
  const allows = (ctx: Context) => allowed.has(ctx.get('Origin'))
  return {
    setHeaders(ctx) {
      if (allowed.size === 0) return
      const { headers } = ctx.state
      // A server around the API may have set it.
      if (ctx.res.hasHeader('Vary')) ctx.vary('Origin')
      else headers.Vary = 'Origin'
      if (!allows(ctx)) return
      headers['Access-Control-Allow-Origin'] = ctx.get('Origin')
      headers['Access-Control-Expose-Headers'] = EXPOSED
    },
    answerOptions(ctx, methods) {
      const answer = { status: 204, type: null, body: '', headers: { Allow: methods } }
      if (!allows(ctx)) return send(ctx, answer)
      const headers = {
        ...answer.headers,
        'Access-Control-Allow-Methods': methods,
        // All requested headers are allowed: a browser adds no header that the page could not forge.
        'Access-Control-Allow-Headers': ctx.get('Access-Control-Request-Headers') || 'Authorization, Content-Type',
        'Access-Control-Max-Age': `${PREFLIGHT_SECONDS}`,
      }
      return send(ctx, { ...answer, headers })
    },
  }
}

/** Marks the answer of a deprecated route. Clients of these routes look for the value `true`. */
export const setDeprecation = ({ state: { headers } }: Context, { use }: { readonly use: string | null }): void => {
  headers.Deprecation = 'true'
  if (use !== null) headers.Link = `<${use}>; rel="successor-version"`
}
