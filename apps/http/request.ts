import { isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { ParameterizedContext } from 'koa'
import { isCardNumber } from '../../core/kernel/values/card-number.ts'
import type { Random } from '../../core/ports/runtime.ts'
import type { Span } from '../../core/ports/tracer.ts'
import type { Slot } from './slots.ts'

/** The request as rows and auth schemes see it. */
export interface HttpRequest {
  readonly id: string
  readonly address: string
  /** Aborted once the caller has hung up. */
  readonly signal: { readonly aborted: boolean }
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** The raw query; a row reads its `input.query`. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  header(name: string): string | null
}

/** The state of a request from its arrival, for its headers and its log line. */
export interface State {
  id: string
  route: string | null
  address: string
  /** The headers of the answer, by name, for any status. */
  headers: Record<string, string>
  /** The body of a streamed answer, which is sent once all layers have run. */
  stream: Readable | null
  /** The slot among the requests in flight; null for requests that need none. */
  slot: Slot | null
  /** Only with a tracer. */
  span?: Span
}

export type Context = ParameterizedContext<State>

const MAX_ID_CHARS = 64
const WELL_FORMED_ID = new RegExp(`^[A-Za-z0-9._-]{1,${MAX_ID_CHARS}}$`)

/**
 * Creates the ids of requests: the id that the caller sent if it is well-formed and no card number, because ids are logged;
 * else the process's random prefix and a counter, so that a request needs no randomness.
 */
export const requestIds = (random: Random): ((sent: string | string[] | undefined) => string) => {
  const prefix = Buffer.from(random.bytes(9)).toString('base64url')
  let count = 0
  return (sent) => {
    if (typeof sent === 'string' && WELL_FORMED_ID.test(sent) && !isCardNumber(sent)) return sent
    count += 1
    return `${prefix}.${count.toString(36)}`
  }
}

/**
 * Returns the address of the caller. Of `X-Forwarded-For` only the last address counts, which the trusted proxy wrote; the caller
 * can forge the others.
 */
export const addressOf = ({ req }: Context, trustProxy: boolean): string => {
  const forwarded = trustProxy ? lastOf(req.headers['x-forwarded-for']) : null
  if (forwarded !== null && isIP(forwarded) !== 0) return forwarded
  const address = req.socket.remoteAddress ?? ''
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}

const lastOf = (sent: string | string[] | undefined): string | null => `${sent ?? ''}`.split(',').at(-1)?.trim() ?? null

/** Reads the request of a Koa context. The query is parsed when it is read first. */
class KoaRequest implements HttpRequest {
  readonly params: HttpRequest['params']
  readonly #ctx: Context

  constructor(ctx: Context, params: HttpRequest['params']) {
    this.#ctx = ctx
    this.params = params
  }

  get id(): string {
    return this.#ctx.state.id
  }

  get address(): string {
    return this.#ctx.state.address
  }

  get signal(): HttpRequest['signal'] {
    return new HangUpSignal(this.#ctx.req.socket)
  }

  get method(): string {
    return this.#ctx.method
  }

  get path(): string {
    return this.#ctx.path
  }

  get query(): HttpRequest['query'] {
    return this.#ctx.query
  }

  header(name: string): string | null {
    const sent = this.#ctx.req.headers[name.toLowerCase()]
    return sent === undefined ? null : `${sent}`
  }
}

class HangUpSignal {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  get aborted(): boolean {
    return this.#socket.destroyed
  }
}

export const requestOf = (ctx: Context, params: HttpRequest['params']): HttpRequest => new KoaRequest(ctx, params)

const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** Reports whether an error only says that the client hung up. */
export const isHangUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && HANG_UPS.has(error.code)
