import type { ServerResponse } from 'node:http'
import type { Context } from './request.ts'

/** What every answer carries. Source: reliability.md S20. */
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

/** The same as lines, for answers that are written without a response object. */
export const SECURITY_LINES = SECURITY.map(([name, value]) => `${name}: ${value}\r\n`).join('')

/** The header of a page that shows a failure: the code that other answers have in their body. */
export const ERROR_CODE = 'X-Error-Code'

const EXPOSED = [
  ...['X-Request-Id', 'Retry-After', 'Idempotent-Replayed', 'Deprecation', 'Link', 'Allow', 'Content-Disposition'],
  ...['X-Ignored-Fields', ERROR_CODE, 'X-Skipped-Units'],
].join(', ')
const PREFLIGHT_SECONDS = 600

export interface Cors {
  /** Marks an answer for a browser of an allowed origin. */
  setHeaders(ctx: Context): void
  /** Answers OPTIONS on a path with these methods: `GET, HEAD, OPTIONS`. */
  answerOptions(ctx: Context, allowed: string): void
}

/**
 * Who may call from a browser: exact origins only, and never with cookies, which nothing here reads.
 * Source: decisions.md §7, `CORS_ORIGINS`.
 */
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
      // Whatever it wants to send: a browser sends nothing that the page could not have made up anyway.
      ctx.set(
        'Access-Control-Allow-Headers',
        ctx.get('Access-Control-Request-Headers') || 'Authorization, Content-Type',
      )
      ctx.set('Access-Control-Max-Age', `${PREFLIGHT_SECONDS}`)
    },
  }
}

/** Says that a route has a successor. `true` is what clients of these routes look for. */
export const setDeprecation = (ctx: Context, { use }: { readonly use: string | null }): void => {
  ctx.set('Deprecation', 'true')
  if (use !== null) ctx.set('Link', `<${use}>; rel="successor-version"`)
}
