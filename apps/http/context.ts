import { isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { ParameterizedContext } from 'koa'
import type { Span } from '../../core/ports/tracer.ts'
import type { HttpRequest } from './request.ts'
import type { Slot } from './slots.ts'

// The published types import `request.ts`, but not this file: embedders have no Koa.

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

/**
 * Returns the address of the caller. Of `X-Forwarded-For` only the last address counts, which the trusted proxy wrote;
 * the caller can forge the others.
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
