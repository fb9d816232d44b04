import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers'
import { unavailable } from '../../core/kernel/running/use-case.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import type { Context } from './context.ts'
import { HEALTH_PATH } from './docs/page.ts'
import type { trackCallers } from './event-loop.ts'
import type { Dialect } from './replies/dialect.ts'
import type { Faults } from './replies/faults.ts'
import type { ServerFailure } from './replies/messages.ts'
import { send } from './replies/send.ts'
import { createSlots, type Slot } from './slots.ts'

/** The default limit of requests in flight of an app, from their headers to the last byte of their answers. */
export const MAX_IN_FLIGHT = 2_000
/** A client that takes longer to read its answer may be cut off when all slots are taken. */
const SLOW_CLIENT_MS = 5_000

/** The failure of a request that gets no slot, or is evicted from its slot. */
export const BUSY: ServerFailure = unavailable('server.busy')

interface LoadSheddingDeps {
  readonly faults: Faults
  readonly dialect: Dialect
  readonly maxInFlight?: number
  readonly slowClientMs?: number
  readonly callers: ReturnType<typeof trackCallers>
}

/**
 * A request in flight: it keeps its slot until its row has finished and its answer is sent. Sets and maps of such
 * requests keep old tables alive until a full garbage collection, so a closed request drops its answer.
 */
class InFlight {
  readonly slot: Slot
  readonly network: string
  isDone = false
  #res: ServerResponse | null

  constructor(slot: Slot, network: string, res: ServerResponse) {
    this.slot = slot
    this.network = network
    this.#res = res
  }

  get headersSent(): boolean {
    return this.#res?.headersSent ?? true
  }

  /** True once the answer is sent or its connection is closed. */
  get isSent(): boolean {
    return this.#res === null
  }

  setSent(): void {
    this.#res = null
  }

  cutOff(): void {
    this.#res?.destroy()
  }
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
  const slow = afterTimeout<InFlight>(slowClientMs, (one) => one.slot.whileSending(() => one.cutOff()))
  const close = (one: InFlight): void => {
    one.setSent()
    callers.endRequest(one.network, one)
    slow.delete(one)
    if (one.isDone) one.slot.leave()
  }
  const onClosed = closeNotifier(close)
  return async (ctx: Context, next: () => Promise<unknown>): Promise<unknown> => {
    if (ctx.path === HEALTH_PATH) return next()
    const { res, state } = ctx
    const { socket } = ctx.req
    const network = networkOf(state.address)
    const slot = slotFor(network)
    if (!slot) return send(ctx, busy)
    const one = new InFlight(slot, network, res)
    callers.countRequest(network, socket, one)
    state.slot = slot
    // In a server of the embedder, the client may have hung up before the API is called.
    if (socket.destroyed) one.setSent()
    onClosed(socket, res, one)
    try {
      const start = callers.waitForStart(network)
      if (start) await start
      if (!callers.isRefused(network)) return await next()
      // A client with an open connection would send its next request at once.
      res.shouldKeepAlive = false
      await send(ctx, busy)
    } finally {
      one.isDone = true
      // A connection that was closed before the request was counted emits no further event.
      if (one.isSent) close(one)
      else slow.add(one)
    }
  }
}

/**
 * Calls `close` for each request once its answer is sent or its connection is closed. Both are needed: the answer of a
 * pipelined request does not report that its connection was closed. All requests of a connection share one listener.
 */
const closeNotifier = (close: (one: InFlight) => void) => {
  const bySocket = new WeakMap<Socket, Set<InFlight>>()
  const requestsOn = (socket: Socket): Set<InFlight> => {
    const known = bySocket.get(socket)
    if (known) return known
    const requests = new Set<InFlight>()
    bySocket.set(socket, requests)
    // Pipelined streams add a listener each.
    socket.setMaxListeners(0).once('close', () => {
      for (const one of requests) close(one)
    })
    return requests
  }
  return (socket: Socket, res: ServerResponse, one: InFlight): void => {
    const requests = requestsOn(socket).add(one)
    res.on('close', () => {
      if (requests.delete(one)) close(one)
    })
  }
}

/** Calls `act` for each item that is not deleted within `ms`. All items share one timer. */
const afterTimeout = <T>(ms: number, act: (item: T) => void) => {
  const addedMs = new Map<T, number>()
  let isTimed = false
  const checkIn = (leftMs: number): void => {
    isTimed = true
    setTimeout(check, leftMs).unref()
  }
  const check = (): void => {
    isTimed = false
    for (const [item, at] of addedMs) {
      const leftMs = at + ms - performance.now()
      if (leftMs > 0) {
        checkIn(leftMs)
        return
      }
      addedMs.delete(item)
      act(item)
    }
  }
  return {
    add(item: T): void {
      addedMs.set(item, performance.now())
      if (!isTimed) checkIn(ms)
    },
    delete: (item: T): boolean => addedMs.delete(item),
  }
}
