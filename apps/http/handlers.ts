import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import type { Failure } from '../../core/failure.ts'
import type { Json } from '../../core/kernel/records/record.ts'

/** What an API asks of a context of Koa, whichever release of it somebody has. */
export interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** False where another one than Koa answers. */
  respond?: boolean
}

/** An API as what it is mounted in calls it: before whatever reads a request's body. */
export interface Handlers {
  /**
   * `createServer(api.handle)`, or `express().use(api.handle)`. A path that the API does not have is its 404, or left to
   * `next` where there is one.
   */
  readonly handle: (req: IncomingMessage, res: ServerResponse, next?: () => void) => void
  /** `koa.use(api.middleware)`. A path that the API does not have is left to what comes next. */
  readonly middleware: (ctx: KoaContext, next: () => Promise<unknown>) => Promise<unknown>
}

/** An API that is put together, for `serve` or for a server of somebody's own. */
export interface Mounted extends Handlers {
  /** The OpenAPI document that `/openapi.json` shows, made when it is first asked for: no request of a row needs it. */
  document(): { readonly [key: string]: Json }
  /** A connection was made on which requests will come. A server that does not say so has only requests compared. */
  opened(socket: Socket): void
  /** Words what goes wrong before there is a request: bytes that are no HTTP. */
  faultReply(failure: Failure): { readonly status: number; readonly type: string | null; readonly body: string }
  /** An id for a request that came without one. */
  newId(): string
  /** Returns what was set aside in the store and not used: on a clean stop, after the last request. */
  unclaim(): Promise<void>
}

/** The handlers of an API that answers by one function, and knows its own paths. */
export const handlersOf = (
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  hasPath: (path: string) => boolean,
): Handlers => {
  const isOurs = ({ url = '/' }: IncomingMessage): boolean => hasPath(url.replace(/[?#].*$/s, ''))
  return {
    handle: (req, res, next) => (next === undefined || isOurs(req) ? answer(req, res) : next()),
    middleware: async (ctx, next) => {
      if (!isOurs(ctx.req)) return next()
      ctx.respond = false
      answer(ctx.req, ctx.res)
      // Whoever measures or logs around it has the whole answer in between; who hung up, before or meanwhile, gets none.
      await finished(ctx.res).catch(() => {})
    },
  }
}
