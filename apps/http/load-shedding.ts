import { unavailable } from '../../core/kernel/running/use-case.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import { HEALTH_PATH } from './docs/page.ts'
import type { trackCallers } from './event-loop.ts'
import { createPlaces } from './places.ts'
import type { Dialect } from './replies/dialect.ts'
import type { Faults } from './replies/faults.ts'
import type { ServerFailure } from './replies/messages.ts'
import { send } from './replies/send.ts'
import type { Context } from './request.ts'

/** Requests that an app has in hand at once, from their headers to the last byte of their answers. */
export const MAX_IN_FLIGHT = 2_000
/** How long an answer may take to be taken before its caller gives way to others, where all places are taken. */
const SLOW_TAKER_MS = 5_000

/** What whoever finds no place, or has to leave it, is told. */
export const BUSY: ServerFailure = unavailable('server.busy')

interface LoadSheddingDeps {
  readonly faults: Faults
  readonly dialect: Dialect
  readonly maxInFlight?: number
  readonly slowClientMs?: number
  readonly callers: ReturnType<typeof trackCallers>
}

/**
 * Answers 503 at once where too much is in hand: what is not taken need not be waited for. A request is in hand until its
 * row is done and its answer is out: who hangs up makes no room before. Callers share the places fairly, and whoever asks
 * after the app's health needs none. While the event loop is late, requests of the busiest caller give way to others.
 */
export const loadShedding = ({
  faults,
  dialect,
  maxInFlight = MAX_IN_FLIGHT,
  slowClientMs: slowTakerMs = SLOW_TAKER_MS,
  callers,
}: LoadSheddingDeps) => {
  const busy = faults.of(BUSY, dialect)
  const placeFor = createPlaces(maxInFlight)
  return async (ctx: Context, next: () => Promise<unknown>): Promise<unknown> => {
    if (ctx.path === HEALTH_PATH) return next()
    const whose = networkOf(ctx.state.address)
    const place = placeFor(whose)
    if (!place) return send(ctx, busy)
    const ended = callers.begins(whose, ctx.req.socket, ctx.res)
    ctx.state.place = place
    // Whoever has the API within a server of their own may ask for somebody who has hung up before.
    let [isDone, isTaken] = [false, ctx.req.socket.destroyed]
    let slow: NodeJS.Timeout | undefined
    onClosed(ctx, () => {
      isTaken = true
      ended()
      clearTimeout(slow)
      if (isDone) place.leave()
    })
    try {
      const turn = callers.turn(whose)
      if (turn) await turn
      if (!callers.refuses(whose)) return await next()
      // A connection that stays open would ask again at once.
      ctx.res.shouldKeepAlive = false
      await send(ctx, busy)
    } finally {
      isDone = true
      if (isTaken) place.leave()
      else slow = setTimeout(() => place.whileSending(() => ctx.res.destroy()), slowTakerMs)
    }
  }
}

/** Once an answer is out, or its connection is gone: of what was asked behind another request there, the answer never says so. */
const onClosed = ({ req: { socket }, res }: Context, closed: () => void): void => {
  const once = (): void => {
    res.off('close', once)
    socket.off('close', once)
    closed()
  }
  res.on('close', once)
  // However many are asked on it at once.
  socket.setMaxListeners(0).on('close', once)
}
