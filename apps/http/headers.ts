import type { ServerResponse } from 'node:http'
import type { Context } from './request.ts'

/** The security headers of every answer. */
const SECURITY: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
]

export const setSecurityHeaders = (res: ServerResponse): void => {
  for (const [name, value] of SECURITY) res.setHeader(name, value)
}

/** The security headers as lines, for answers that are written without a response object. */
export const SECURITY_LINES = SECURITY.map(([name, value]) => `${name}: ${value}\r\n`).join('')

/** The header of an HTML page that shows a failure; other answers have the code in their body. */
export const ERROR_CODE = 'X-Error-Code'

const EXPOSED = [
  ...['X-Request-Id', 'Retry-After', 'Idempotent-Replayed', 'Deprecation', 'Link', 'Allow', 'Content-Disposition'],
  ...['X-Ignored-Fields', ERROR_CODE, 'X-Skipped-Units'],
].join(', ')
const PREFLIGHT_SECONDS = 600

export interface Cors {
  /** Sets the CORS headers of an answer to an allowed origin. */
  setHeaders(ctx: Context): void
  /** Answers OPTIONS on a path with these methods: `GET, HEAD, OPTIONS`. */
  answerOptions(ctx: Context, allowed: string): void
}

/** Allows calls from browsers of exactly these origins, never with cookies: no route reads cookies. */
export const corsOf = (origins: readonly string[]): Cors => {
  const allowed = new Set(origins)
  const allows = (ctx: Context) => allowed.has(ctx.get('Origin'))
  return {
    setHeaders(ctx) {
      if (allowed.size === 0) return
      ctx.vary('Origin')
      if (!allows(ctx)) return
      ctx.set('Access-Control-Allow-Origin', ctx.get('Origin'))
      ctx.set('Access-Control-Expose-Headers', EXPOSED)
    },
    answerOptions(ctx, methods) {
      ctx.status = 204
      ctx.set('Allow', methods)
      if (!allows(ctx)) return
      ctx.set('Access-Control-Allow-Methods', methods)
      // All requested headers are allowed: a browser adds no header that the page could not forge.
      ctx.set(
        'Access-Control-Allow-Headers',
        ctx.get('Access-Control-Request-Headers') || 'Authorization, Content-Type',
      )
      ctx.set('Access-Control-Max-Age', `${PREFLIGHT_SECONDS}`)
    },
  }
}

/** Marks the answer of a deprecated route. Clients of these routes look for the value `true`. */
export const setDeprecation = (ctx: Context, { use }: { readonly use: string | null }): void => {
  ctx.set('Deprecation', 'true')
  if (use !== null) ctx.set('Link', `<${use}>; rel="successor-version"`)
}
