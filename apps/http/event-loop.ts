import { performance } from 'node:perf_hooks'
import { waitQueue } from '../../adapters/concurrency/wait-queue.ts'
import { networkOf } from '../../core/kernel/values/network.ts'

/** Turns of the event loop that take longer delay all callers. */
const LATE_MS = 50
/** New requests are started for this long in a turn. */
const START_MS = 10
/** If connections keep arriving for this long, each turn also starts one waiting request. */
const ACCEPT_MS = 200
/** The requests of a caller are counted in the current window and the previous one. */
const WINDOW_MS = 1_000
/** A new connection without a request becomes idle after this long. */
const NEW_SOCKET_MS = 1_000

/** Returns the time, in milliseconds, that the current or the last turn of the event loop has taken. */
type LoopDelay = () => number

/** Measures only the turns in which it is called, so that an idle process does no work. */
export const measureLoopDelay = (now = () => performance.now()): LoopDelay => {
  let startMs: number | null = null
  let [tookMs, endMs] = [0, Number.NEGATIVE_INFINITY]
  return () => {
    const at = now()
    if (startMs === null) {
      startMs = at
      setImmediate(() => {
        endMs = now()
        tookMs = endMs - at
        startMs = null
      })
    }
    return Math.max(at - startMs, at - endMs < WINDOW_MS ? tookMs : 0)
  }
}

/** A request that waits for its start. */
interface Waiter {
  start(): void
}

/**
 * Starts requests for `START_MS` in a turn of the event loop and the rest in later turns, caller by caller, so that
 * answers are sent in between. A turn accepts only one connection: while connections come, the turns are kept short.
 */
const startQueue = (now: () => number) => {
  const waiting = waitQueue<Waiter>()
  let [turnMs, waitingMs, acceptingMs] = [0, 0, 0]
  let [isTurn, isAccepting, wasAccepting] = [false, false, false]
  let started = 0

  const endTurn = (): void => {
    wasAccepting = isAccepting
    isAccepting = false
    isTurn = false
    started = 0
    if (waiting.size > 0) void startWaiting()
  }
  const openTurn = (): void => {
    if (isTurn) return
    isTurn = true
    turnMs = now()
    setImmediate(endTurn)
  }
  const hasRoom = (): boolean => {
    if (!isAccepting && !wasAccepting) return now() - turnMs < START_MS
    return started === 0 && (waiting.size === 0 || now() - acceptingMs >= ACCEPT_MS)
  }
  const startWaiting = async (): Promise<void> => {
    openTurn()
    while (waiting.size > 0 && hasRoom()) {
      started += 1
      waiting.next()?.start()
      // The started request runs before the loop continues.
      await null
    }
  }
  return {
    connectionAccepted(): void {
      openTurn()
      if (!isAccepting && !wasAccepting) acceptingMs = now()
      isAccepting = true
    },
    /** Resolves when the request may start; null if it may start at once. */
    waitForStart(network: string): Promise<void> | null {
      openTurn()
      if (waiting.size === 0 && hasRoom()) {
        started += 1
        return null
      }
      if (waiting.size === 0) waitingMs = now()
      return new Promise((start) => waiting.add(network, { start }))
    },
    /** The time since which requests have been waiting without a break. */
    delayMs: () => (waiting.size === 0 ? 0 : now() - waitingMs),
  }
}

/** An answer in progress. */
interface PendingAnswer {
  readonly headersSent: boolean
}

/** A connection on which a request is expected. */
interface NewSocket {
  readonly remoteAddress?: string | undefined
  once(event: 'close', listener: () => void): unknown
}

interface Options {
  readonly loopDelayMs?: LoopDelay
  readonly now?: () => number
  /** True if the address of a connection is its caller's: there is no proxy. */
  readonly isDirect: boolean
}

/**
 * Tracks the callers of an app by network. While the event loop is late and another caller waits for an answer,
 * requests of the busiest caller are refused, which costs little. A single caller is never refused.
 */
export const trackCallers = ({
  loopDelayMs = measureLoopDelay(),
  now = () => performance.now(),
  isDirect,
}: Options) => {
  const pending = new Map<string, Set<PendingAnswer>>()
  const queue = startQueue(now)
  const newSockets = new Map<NewSocket, { readonly network: string; readonly openedMs: number }>()
  let [current, previous] = [new Map<string, number>(), new Map<string, number>()]
  let windowMs = now()

  const rotate = (): void => {
    const passedMs = now() - windowMs
    if (passedMs < WINDOW_MS) return
    previous = passedMs < 2 * WINDOW_MS ? current : new Map()
    current = new Map()
    windowMs = now()
  }
  const countOf = (network: string): number => (current.get(network) ?? 0) + (previous.get(network) ?? 0)
  const isBusiest = (network: string): boolean => {
    const own = countOf(network)
    for (const counted of [current, previous])
      for (const other of counted.keys()) if (other !== network && countOf(other) >= own) return false
    return true
  }
  const isWaiting = (answers: Set<PendingAnswer>): boolean => {
    for (const { headersSent } of answers) if (!headersSent) return true
    return false
  }
  const isAnotherWaiting = (network: string): boolean => {
    for (const [other, answers] of pending) if (other !== network && isWaiting(answers)) return true
    for (const [socket, { network: other, openedMs }] of newSockets) {
      if (now() - openedMs >= NEW_SOCKET_MS) newSockets.delete(socket)
      else if (other !== network) return true
    }
    return false
  }
  return {
    /** Reports a new connection; its first request is expected. */
    connectionOpened(socket: NewSocket): void {
      queue.connectionAccepted()
      if (!isDirect) return
      newSockets.set(socket, { network: networkOf(socket.remoteAddress ?? ''), openedMs: now() })
      socket.once('close', () => newSockets.delete(socket))
    },
    waitForStart: queue.waitForStart,
    /** Reports whether a request must be refused at its start. */
    isRefused: (network: string): boolean =>
      Math.max(loopDelayMs(), queue.delayMs()) >= LATE_MS && isAnotherWaiting(network) && isBusiest(network),
    /** Counts a request, which is in progress until `endRequest`. */
    countRequest(network: string, socket: NewSocket, answer: PendingAnswer): void {
      newSockets.delete(socket)
      rotate()
      current.set(network, (current.get(network) ?? 0) + 1)
      const own = pending.get(network)
      if (own) own.add(answer)
      else pending.set(network, new Set([answer]))
    },
    endRequest(network: string, answer: PendingAnswer): void {
      const own = pending.get(network)
      own?.delete(answer)
      if (own?.size === 0) pending.delete(network)
    },
  }
}
