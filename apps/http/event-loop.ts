import { performance } from 'node:perf_hooks'
import { waitQueue } from '../../adapters/concurrency/wait-queue.ts'
import { networkOf } from '../../core/kernel/values/network.ts'

/** A turn of the event loop that takes longer makes every caller wait. */
const LATE_MS = 50
/** So long requests are begun in one turn. */
const BEGIN_MS = 10
/** So long connections may come before requests are begun beside them, one in a turn. */
const ACCEPT_MS = 200
/** The requests of a caller are counted over this long, and the one before. */
const WINDOW_MS = 1_000
/** A new connection on which nothing was asked for so long is idle, and waits for nothing. */
const NEW_SOCKET_MS = 1_000

/** Says for how many milliseconds the event loop has been busy in its present or last turn. */
export type LoopDelay = () => number

/** Measures turns in which it is called, so that an idle process does nothing for it. */
export const measureLoopDelay = (now = () => performance.now()): LoopDelay => {
  let begunMs: number | null = null
  let [tookMs, endedMs] = [0, Number.NEGATIVE_INFINITY]
  return () => {
    const at = now()
    if (begunMs === null) {
      begunMs = at
      setImmediate(() => {
        endedMs = now()
        tookMs = endedMs - at
        begunMs = null
      })
    }
    return Math.max(at - begunMs, at - endedMs < WINDOW_MS ? tookMs : 0)
  }
}

/** A request that waits to be begun. */
interface Waiter {
  begin(): void
}

/**
 * Begins requests for so long in a turn of the event loop, and the rest in the next turns, caller by caller: answers are sent
 * in between. A turn accepts one connection and no more, so that those to come would wait for as many turns as there are before
 * them: while connections come, the turns are kept short.
 */
const beginnings = (now: () => number) => {
  const waiting = waitQueue<Waiter>()
  let [turnMs, waitingMs, streakMs] = [0, 0, 0]
  let [isTurn, isAccepting, wasAccepting] = [false, false, false]
  let begun = 0

  const endTurn = (): void => {
    wasAccepting = isAccepting
    isAccepting = false
    isTurn = false
    begun = 0
    if (waiting.size > 0) void beginWaiting()
  }
  const openTurn = (): void => {
    if (isTurn) return
    isTurn = true
    turnMs = now()
    setImmediate(endTurn)
  }
  const hasRoom = (): boolean => {
    if (!isAccepting && !wasAccepting) return now() - turnMs < BEGIN_MS
    return begun === 0 && (waiting.size === 0 || now() - streakMs >= ACCEPT_MS)
  }
  const beginWaiting = async (): Promise<void> => {
    openTurn()
    while (waiting.size > 0 && hasRoom()) {
      begun += 1
      waiting.next()?.begin()
      // It runs before this goes on.
      await null
    }
  }
  return {
    accepted(): void {
      openTurn()
      if (!isAccepting && !wasAccepting) streakMs = now()
      isAccepting = true
    },
    /** Null for a request that begins at once. */
    turn(whose: string): Promise<void> | null {
      openTurn()
      if (waiting.size === 0 && hasRoom()) {
        begun += 1
        return null
      }
      if (waiting.size === 0) waitingMs = now()
      return new Promise((begin) => waiting.add(whose, { begin }))
    },
    /** For how long there have always been requests that wait. */
    lateMs: () => (waiting.size === 0 ? 0 : now() - waitingMs),
  }
}

/** An answer that is being made. */
interface Pending {
  readonly headersSent: boolean
}

/** A connection that may be asked on. */
interface NewSocket {
  readonly remoteAddress?: string | undefined
  once(event: 'close', listener: () => void): unknown
}

interface Options {
  readonly loopDelayMs?: LoopDelay
  readonly now?: () => number
  /** The address of a connection is its caller's. */
  readonly isDirect: boolean
}

/**
 * The callers of an app by their networks. While the event loop is late and another caller waits for an answer, requests of the
 * busiest caller are refused: each costs little then, and the other one is answered. A caller alone is never refused.
 */
export const trackCallers = ({
  loopDelayMs: lateMs = measureLoopDelay(),
  now = () => performance.now(),
  isDirect,
}: Options) => {
  const pending = new Map<string, Set<Pending>>()
  const begun = beginnings(now)
  const newSockets = new Map<NewSocket, { readonly whose: string; readonly openedMs: number }>()
  let [recent, before] = [new Map<string, number>(), new Map<string, number>()]
  let windowMs = now()

  const rotate = (): void => {
    const passedMs = now() - windowMs
    if (passedMs < WINDOW_MS) return
    before = passedMs < 2 * WINDOW_MS ? recent : new Map()
    recent = new Map()
    windowMs = now()
  }
  const countOf = (whose: string): number => (recent.get(whose) ?? 0) + (before.get(whose) ?? 0)
  const isBusiest = (whose: string): boolean => {
    const own = countOf(whose)
    for (const counted of [recent, before])
      for (const other of counted.keys()) if (other !== whose && countOf(other) >= own) return false
    return true
  }
  const waits = (answers: Set<Pending>): boolean => {
    for (const { headersSent } of answers) if (!headersSent) return true
    return false
  }
  const isAnotherWaiting = (whose: string): boolean => {
    for (const [other, answers] of pending) if (other !== whose && waits(answers)) return true
    for (const [socket, { whose: other, openedMs }] of newSockets) {
      if (now() - openedMs >= NEW_SOCKET_MS) newSockets.delete(socket)
      else if (other !== whose) return true
    }
    return false
  }
  return {
    /** A connection was made: its first request is on its way. */
    opened(socket: NewSocket): void {
      begun.accepted()
      if (!isDirect) return
      newSockets.set(socket, { whose: networkOf(socket.remoteAddress ?? ''), openedMs: now() })
      socket.once('close', () => newSockets.delete(socket))
    },
    /** Waits for the turn of a request that is in hand; null where it is there. */
    turn: begun.turn,
    /** Reports whether a request is refused, whose turn it is. */
    refuses: (whose: string): boolean =>
      Math.max(lateMs(), begun.lateMs()) >= LATE_MS && isAnotherWaiting(whose) && isBusiest(whose),
    /** Counts a request, which is in hand until the result is called. */
    begins(whose: string, socket: NewSocket, answer: Pending): () => void {
      newSockets.delete(socket)
      rotate()
      recent.set(whose, (recent.get(whose) ?? 0) + 1)
      const own = pending.get(whose) ?? new Set()
      pending.set(whose, own.add(answer))
      return () => {
        own.delete(answer)
        if (own.size === 0 && pending.get(whose) === own) pending.delete(whose)
      }
    },
  }
}
