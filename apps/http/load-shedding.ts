import { unavailable } from '../../core/kernel/running/use-case.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import { HEALTH_PATH } from './docs/page.ts'
import type { trackCallers } from './event-loop.ts'
import type { Dialect } from './replies/dialect.ts'
import type { Faults } from './replies/faults.ts'
import type { ServerFailure } from './replies/messages.ts'
import { send } from './replies/send.ts'
import type { Context } from './request.ts'
import { createSlots } from './slots.ts'

/** The default limit of requests in flight of an app, from their headers to the last byte of their answers. */
export const MAX_IN_FLIGHT = 2_000
/** A client that takes longer to read its answer may be cut off when all slots are taken. */
const SLOW_CLIENT_MS = 5_000

/** The answer to a request that gets no slot, or loses its slot. */
export const BUSY: ServerFailure = unavailable('server.busy')

interface LoadSheddingDeps {
  readonly faults: Faults
  readonly dialect: Dialect
  readonly maxInFlight?: number
  readonly slowClientMs?: number
  readonly callers: ReturnType<typeof trackCallers>
}

/**
 * Answers 503 at once when too many requests are in flight. A slot is freed when the row has finished and the answer
 * is sent or its connection closed; a hang-up alone frees none. Callers share the slots fairly; `/health` needs none.
 * While the event loop is late, requests of the busiest caller are refused.
 */
export const loadShedding = ({
  faults,
  dialect,
  maxInFlight = MAX_IN_FLIGHT,
  slowClientMs = SLOW_CLIENT_MS,
  callers,
}: LoadSheddingDeps) => {
  const busy = faults.of(BUSY, dialect)
  const slotFor = createSlots(maxInFlight)
  return async (ctx: Context, next: () => Promise<unknown>): Promise<unknown> => {
    if (ctx.path === HEALTH_PATH) return next()
    const network = networkOf(ctx.state.address)
    const slot = slotFor(network)
    if (!slot) return send(ctx, busy)
    const endRequest = callers.countRequest(network, ctx.req.socket, ctx.res)
    ctx.state.slot = slot
    // In a server of the embedder, the client may have hung up before the API is called.
    let [isDone, isSent] = [false, ctx.req.socket.destroyed]
    let slow: NodeJS.Timeout | undefined
    onClosed(ctx, () => {
      isSent = true
      endRequest()
      clearTimeout(slow)
      if (isDone) slot.leave()
    })
    try {
      const start = callers.waitForStart(network)
      if (start) await start
      if (!callers.isRefused(network)) return await next()
      // A client with an open connection would send its next request at once.
      ctx.res.shouldKeepAlive = false
      await send(ctx, busy)
    } finally {
      isDone = true
      if (isSent) {
        // A connection that was closed before the request was counted emits no further event.
        endRequest()
        slot.leave()
      } else slow = setTimeout(() => slot.whileSending(() => ctx.res.destroy()), slowClientMs)
    }
  }
}

/**
 * Calls `closed` once the answer is sent or its connection is closed. Both are needed: the answer of a pipelined
 * request does not report that its connection was closed.
 */
const onClosed = ({ req: { socket }, res }: Context, closed: () => void): void => {
  const once = (): void => {
    res.off('close', once)
    socket.off('close', once)
    closed()
  }
  res.on('close', once)
  // Pipelined requests add a listener each.
  socket.setMaxListeners(0).on('close', once)
}
