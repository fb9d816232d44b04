import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, Server as ListeningServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { waiters } from '../../adapters/concurrency/wait-queue.ts'
import { failure } from '../../core/failure.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import { SECURITY_LINES } from './headers.ts'
import type { Mounted } from './mount.ts'
import type { ServerFailure } from './replies/messages.ts'
import { endLiveAnswer } from './replies/send.ts'

/** Source: reliability.md S9. */
export const HEADERS_TIMEOUT_MS = 10_000
export const REQUEST_TIMEOUT_MS = 30_000

/** How long a socket may go on asking after a stop has begun: whoever has just been answered may be about to. */
export const LINGER_MS = 500
/** How long a socket may take for what it does. */
export interface Timeouts {
  /** For the headers of a request. */
  readonly headersMs: number
  /** For a request with its body. */
  readonly requestMs: number
  /** Between two requests. */
  readonly keepAliveMs: number
  /** In the midst of anything, without a byte in either direction. */
  readonly inactivityMs: number
  /** For one more request, once a stop has begun. */
  readonly lingerMs: number
  /** How often sockets that have run out of time are looked for. */
  readonly checkMs: number
}

const PATIENCE: Timeouts = {
  headersMs: HEADERS_TIMEOUT_MS,
  requestMs: REQUEST_TIMEOUT_MS,
  keepAliveMs: 5_000,
  inactivityMs: 60_000,
  lingerMs: LINGER_MS,
  checkMs: 1_000,
}

export interface RunningServer {
  readonly host: string
  readonly port: number
  readonly url: string
  /** Takes no more requests, finishes those in flight, and resolves when the last socket is closed. */
  stop(): Promise<void>
}

/** The address cannot be listened on: one line that says which, and why. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen'
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'the port is not allowed to this user',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this host name is unknown',
}

/** Where a browser finds what listens there. */
export const urlAt = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

interface Place {
  readonly host: string
  readonly port: number
  readonly timeouts?: Partial<Timeouts>
  /** The settings that name the host and the port, for the line of a start that fails: `HOST`, `PAYMENTS_PORT`. */
  readonly names?: { readonly host: string; readonly port: string }
  /** Sockets open at once, 10,000 by default; a further one takes the place of one that waits for a request. */
  readonly maxSockets?: number
}

/** Listens at an address; port 0 takes a free one. Rejects with `CannotListen`. */
export const serve = async (
  app: Mounted,
  { host, port, maxSockets = MAX_SOCKETS, ...place }: Place,
): Promise<RunningServer> => {
  const patience = { ...PATIENCE, ...place.timeouts }
  let stopped: Promise<void> | null = null
  const sockets = new Map<Duplex, ServerResponse | null>()
  const waiting = waitingSockets(maxSockets)
  const server = createServer(optionsOf(patience), (req, res) => {
    if (stopped) res.shouldKeepAlive = false
    const { socket } = req
    sockets.set(socket, res)
    waiting.asks(socket)
    res.once('close', () => {
      if (sockets.get(socket) !== res) return
      sockets.set(socket, null)
      waiting.waits(socket)
    })
    app.handle(req, res)
  })
  server.timeout = patience.inactivityMs
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, null)
    waiting.opened(socket)
    app.connectionOpened(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  answerBadBytes(server, app, sockets)
  await listening(server, { host, port, ...(place.names && { names: place.names }) })
  const bound = (server.address() as AddressInfo).port
  return {
    host,
    port: bound,
    url: urlAt(host, bound),
    stop() {
      stopped ??= stopServer(server, sockets, patience)
      return stopped
    },
  }
}

const optionsOf = ({ headersMs, requestMs, keepAliveMs, checkMs }: Timeouts) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: checkMs,
  // A request without a host is refused in the server's own words.
  requireHostHeader: false,
})

/** The settings that may be at fault, by the error. */
const namesOf = (code: string, names: Place['names']): string => {
  if (!names) return ''
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? `${names.host}: ` : `${names.port}: `
}

const listening = (server: Server, { host, port, names }: Pick<Place, 'host' | 'port' | 'names'>): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = WHY[error.code ?? ''] ?? error.message
      reject(new CannotListen(`${namesOf(error.code ?? '', names)}cannot listen on ${host}:${port}: ${why}`))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })

/** Sockets that a server keeps open at once: five for each request that it has in hand. */
export const MAX_SOCKETS = 10_000

/**
 * The sockets of a server that wait for a request, or for the rest of its headers, by where they come from. Where too many
 * sockets are open, the longest waiter of whoever has most is closed for the next one: nothing is lost with it, since nothing
 * was asked on it yet. Source: decisions.md §12, Fair shares.
 */
export const waitingSockets = (most: number) => {
  const waiting = waiters<Socket>()
  const networks = new Map<Socket, string>()
  const waits = (socket: Socket): void => {
    const whose = networks.get(socket)
    if (whose !== undefined) waiting.add(whose, socket)
  }
  const close = (socket: Socket | undefined): void => {
    if (!socket) return
    networks.delete(socket)
    socket.destroy()
  }
  const asks = (socket: Socket): void => waiting.remove(networks.get(socket) ?? '', socket)
  return {
    opened(socket: Socket): void {
      const whose = networkOf(socket.remoteAddress ?? '')
      if (networks.size >= most) close(waiting.giveWay(whose))
      networks.set(socket, whose)
      waits(socket)
      socket.once('close', () => {
        asks(socket)
        networks.delete(socket)
      })
    },
    /** A request has come on it. */
    asks,
    /** It was answered: the next one is waited for. */
    waits,
  }
}

/** What words an answer to what is no request. */
type ErrorReplies = Pick<Mounted, 'faultReply' | 'newId'>

const MALFORMED: ServerFailure = failure('refused', 'request.malformed')
const NOT_ALLOWED: ServerFailure = failure('refused', 'method.not-allowed')

const CAUSES: Readonly<Record<string, ServerFailure>> = {
  HPE_INVALID_METHOD: NOT_ALLOWED,
  HPE_HEADER_OVERFLOW: failure('refused', 'headers.too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: failure('refused', 'request.slow'),
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** Answers bytes that are no request, and requests that do not end in time, in the server's words. */
export const answerBadBytes = (server: Server, app: ErrorReplies, sockets: Sockets): void => {
  const last = new WeakSet<ServerResponse>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = sockets.get(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    // What came whole before is answered still, and nothing after it.
    else if (isOwed(answer)) {
      // Every piece of what follows is as bad as the first.
      if (!last.has(answer)) answer.once('close', () => socket.destroy())
      last.add(answer)
    }
    // Once an answer has begun, another one in its midst would only spoil it.
    else if (hasBegun(answer)) socket.destroy()
    else write(app, CAUSES[error.code ?? ''] ?? MALFORMED, socket)
  })
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => write(app, NOT_ALLOWED, socket))
}

const isOwed = (answer: ServerResponse | null | undefined): answer is ServerResponse =>
  answer?.req.complete === true && !answer.writableFinished

const hasBegun = (answer: ServerResponse | null | undefined): boolean =>
  answer?.headersSent === true && !answer.writableFinished

const write = (app: ErrorReplies, cause: ServerFailure, socket: Duplex): void => {
  const { status, type, body } = app.faultReply(cause)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${app.newId()}\r\n` +
      `${status === 405 ? `Allow: ${METHODS}\r\n` : ''}${SECURITY_LINES}\r\n${body}`,
  )
}

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
  for (const answer of sockets.values()) if (answer) endLiveAnswer(answer)
}

const cutStreams = (sockets: Sockets): void => {
  for (const [socket, answer] of sockets) if (answer === null || isStreaming(answer)) socket.destroy()
}

const isStreaming = ({ headersSent, writableEnded }: ServerResponse): boolean => headersSent && !writableEnded
