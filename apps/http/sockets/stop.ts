import type { Server, ServerResponse } from 'node:http'
import { Server as ListeningServer } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { endLive } from '../replies/live-answers.ts'

/** How long a socket may go on asking after a stop has begun: whoever has just been answered may be about to. */
export const LINGER_MS = 500
/** What is still streaming after this long is cut off, and so is whoever has asked for nothing. */
export const STREAM_STOP_MS = 2_000
/** What is still in flight after this long is cut off, so that a stop ends within 10 s. */
export const STOP_MS = 8_000
const SWEEP_MS = 50

/** The sockets of a server, each with the answer that is being made on it. */
export type Sockets = ReadonlyMap<Duplex, ServerResponse | null>

type Lingering = { readonly lingerMs: number }

/**
 * Takes no more connections, ends what waits for events, finishes the requests in flight, and resolves when the last socket is
 * closed.
 */
export const stopServer = async (server: Server, sockets: Sockets, { lingerMs }: Lingering): Promise<void> => {
  const start = performance.now()
  for (const answer of sockets.values()) if (answer && !answer.headersSent) answer.shouldKeepAlive = false
  endAllLive(sockets)
  // A server of HTTP also cuts the idle sockets, and with them requests that are already on their way.
  const closed = new Promise<void>((resolve) => ListeningServer.prototype.close.call(server, () => resolve()))
  const sweep = setInterval(() => {
    endAllLive(sockets)
    const passedMs = performance.now() - start
    if (passedMs >= lingerMs) server.closeIdleConnections()
    if (passedMs >= STREAM_STOP_MS) cutStreams(sockets)
    if (passedMs >= STOP_MS) server.closeAllConnections()
  }, SWEEP_MS)
  await closed
  // Deno says that it is closed while it still answers.
  while ([...sockets.values()].some((answer) => answer !== null)) await setTimeout(SWEEP_MS)
  clearInterval(sweep)
  // Lets go of the server's own timers.
  server.close()
}

/** Nobody waits for what may happen; who asks for it meanwhile is let go at the next look. */
const endAllLive = (sockets: Sockets): void => {
  for (const answer of sockets.values()) if (answer) endLive(answer)
}

const cutStreams = (sockets: Sockets): void => {
  for (const [socket, answer] of sockets) if (answer === null || isStreaming(answer)) socket.destroy()
}

const isStreaming = ({ headersSent, writableEnded }: ServerResponse): boolean => headersSent && !writableEnded
