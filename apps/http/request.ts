import { isIP } from 'node:net'
import type { ParameterizedContext } from 'koa'
import { isCardNumber } from '../../core/kernel/values/card-number.ts'
import type { Random } from '../../core/ports/runtime.ts'
import type { Span } from '../../core/ports/tracer.ts'
import type { Place } from './places.ts'

/** What a row is told of the request, whoever asks. */
export interface HttpRequest {
  readonly id: string
  readonly address: string
  /** Aborted once the caller has hung up. */
  readonly signal: { readonly aborted: boolean }
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** As it came: what a row may ask of it is its `input.query`. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  header(name: string): string | null
}

/** What the server keeps of a request from its first moment: for its headers and its line in the log. */
export interface State {
  id: string
  route: string | null
  address: string
  /** Among those in hand; what never stands in line has none. */
  place: Place | null
  /** Only with a tracer. */
  span?: Span
}

export type Context = ParameterizedContext<State>

const MAX_ID_CHARS = 64
const WELL_FORMED_ID = new RegExp(`^[A-Za-z0-9._-]{1,${MAX_ID_CHARS}}$`)

/**
 * Ids of requests: the caller's own if it is well-formed and not the number of a card, since ids are logged; else the
 * process's random mark and a count, so that a request costs no randomness.
 */
export const requestIds = (random: Random): ((sent: string | string[] | undefined) => string) => {
  const mark = Buffer.from(random.bytes(9)).toString('base64url')
  let count = 0
  return (sent) => {
    if (typeof sent === 'string' && WELL_FORMED_ID.test(sent) && !isCardNumber(sent)) return sent
    count += 1
    return `${mark}.${count.toString(36)}`
  }
}

/**
 * Where the request comes from. Of `X-Forwarded-For` only the last address counts, which our own proxy wrote: those
 * before it are whatever the caller made up. Source: decisions.md §7, `TRUST_PROXY`.
 */
export const addressOf = ({ req }: Context, trustProxy: boolean): string => {
  const forwarded = trustProxy ? lastOf(req.headers['x-forwarded-for']) : null
  if (forwarded !== null && isIP(forwarded) !== 0) return forwarded
  const address = req.socket.remoteAddress ?? ''
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}

const lastOf = (sent: string | string[] | undefined): string | null => `${sent ?? ''}`.split(',').at(-1)?.trim() ?? null

/** The request as rows and schemes see it. */
export const requestOf = (ctx: Context, params: Readonly<Record<string, string>>): HttpRequest => {
  const { req, state } = ctx
  return {
    id: state.id,
    address: state.address,
    signal: {
      get aborted() {
        return req.socket.destroyed
      },
    },
    method: ctx.method,
    path: ctx.path,
    params,
    query: ctx.query,
    header(name) {
      const sent = req.headers[name.toLowerCase()]
      return sent === undefined ? null : `${sent}`
    },
  }
}

const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** Whether this is only somebody who did not wait for the answer. */
export const isHangUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && HANG_UPS.has(error.code)
