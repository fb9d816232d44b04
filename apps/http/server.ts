import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, Server as ListeningServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { waitQueue } from '../../adapters/concurrency/wait-queue.ts'
import { failure } from '../../core/failure.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import { SECURITY_LINES } from './headers.ts'
import { MALFORMED, type Mounted, NOT_ALLOWED } from './mount.ts'
import type { ServerFailure } from './replies/messages.ts'
import { endLiveAnswer } from './replies/send.ts'

/** The limits for the headers of a request, and for a whole request. */
export const HEADERS_TIMEOUT_MS = 10_000
export const REQUEST_TIMEOUT_MS = 30_000

/**
 * The time for which idle sockets stay open after a stop begins: a client that was just answered may send another
 * request.
 */
const LINGER_MS = 500

/** The timeouts of a server's sockets. */
export interface Timeouts {
  /** For the headers of a request. */
  readonly headersMs: number
  /** For a request with its body. */
  readonly requestMs: number
  /** Between two requests. */
  readonly keepAliveMs: number
  /** During a request or an answer, without a byte in either direction. */
  readonly inactivityMs: number
  /** For one more request after a stop has begun. */
  readonly lingerMs: number
  /** From the begin of a stop to the end of the last answer. */
  readonly stopMs: number
  /** The interval of the checks for expired sockets. */
  readonly checkMs: number
}

/** After this long, a stop closes all sockets, so that it ends within 10 s. */
export const STOP_MS = 8_000

const TIMEOUTS: Timeouts = {
  headersMs: HEADERS_TIMEOUT_MS,
  requestMs: REQUEST_TIMEOUT_MS,
  keepAliveMs: 5_000,
  inactivityMs: 60_000,
  lingerMs: LINGER_MS,
  stopMs: STOP_MS,
  checkMs: 1_000,
}

export interface RunningServer {
  readonly host: string
  readonly port: number
  readonly url: string
  /** Accepts no more connections, finishes the requests in flight, and resolves when the last socket is closed. */
  stop(): Promise<void>
}

/** The server cannot listen on its address. The message is one line, with the address and the reason. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen'
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'the port is not allowed to this user',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this host name is unknown',
}

/** Returns the URL of an address; an IPv6 address gets brackets. */
export const urlAt = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly timeouts?: Partial<Timeouts>
  /**
   * The names of the settings with the host and the port, for the message of `CannotListen`: `HOST`, `PAYMENTS_PORT`.
   */
  readonly names?: { readonly host: string; readonly port: string }
  /** The limit of open sockets, by default 10,000; a further one replaces an idle one. */
  readonly maxSockets?: number
}

/** Listens on an address; port 0 takes a free port. Rejects with `CannotListen`. */
export const serve = async (
  app: Mounted,
  { host, port, maxSockets = MAX_SOCKETS, ...options }: ListenOptions,
): Promise<RunningServer> => {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  let stopped: Promise<void> | null = null
  const sockets = new Map<Duplex, ServerResponse | null>()
  const idle = idleSockets(maxSockets)
  const server = createServer(optionsOf(timeouts), (req, res) => {
    if (stopped) res.shouldKeepAlive = false
    const { socket } = req
    sockets.set(socket, res)
    idle.remove(socket)
    res.once('close', () => {
      if (sockets.get(socket) !== res) return
      sockets.set(socket, null)
      idle.add(socket)
    })
    app.answer(req, res)
  })
  server.timeout = timeouts.inactivityMs
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, null)
    idle.open(socket)
    app.connectionOpened(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  answerClientErrors(server, app, sockets)
  await listen(server, { host, port, ...(options.names && { names: options.names }) })
  const bound = (server.address() as AddressInfo).port
  return {
    host,
    port: bound,
    url: urlAt(host, bound),
    stop() {
      stopped ??= stopServer(server, sockets, timeouts)
      return stopped
    },
  }
}

const optionsOf = ({ headersMs, requestMs, keepAliveMs, checkMs }: Timeouts) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: checkMs,
  // The API itself refuses a request without a host, in its own format.
  requireHostHeader: false,
})

/** Returns the name of the setting that caused an error, as the prefix of its message. */
const settingOf = (code: string, names: ListenOptions['names']): string => {
  if (!names) return ''
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? `${names.host}: ` : `${names.port}: `
}

const listen = (server: Server, { host, port, names }: Pick<ListenOptions, 'host' | 'port' | 'names'>): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = LISTEN_ERRORS[error.code ?? ''] ?? error.message
      reject(new CannotListen(`${settingOf(error.code ?? '', names)}cannot listen on ${host}:${port}: ${why}`))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })

/** The limit of open sockets of a server: five for each request in flight. */
const MAX_SOCKETS = 10_000

/**
 * The sockets that wait for a request or for the rest of its headers, by network. At the limit, a new socket replaces
 * the longest idle socket of the network with the most idle ones; no request is lost.
 */
const idleSockets = (limit: number) => {
  const waiting = waitQueue<Socket>()
  const networks = new Map<Socket, string>()
  const add = (socket: Socket): void => {
    const network = networks.get(socket)
    if (network !== undefined) waiting.add(network, socket)
  }
  const remove = (socket: Socket): void => waiting.remove(networks.get(socket) ?? '', socket)
  const close = (socket: Socket | undefined): void => {
    if (!socket) return
    networks.delete(socket)
    socket.destroy()
  }
  return {
    /** Adds a new socket. */
    open(socket: Socket): void {
      const network = networkOf(socket.remoteAddress ?? '')
      if (networks.size >= limit) close(waiting.evictFor(network))
      networks.set(socket, network)
      add(socket)
      socket.once('close', () => {
        remove(socket)
        networks.delete(socket)
      })
    },
    /** Removes a socket on which a request has arrived. */
    remove,
    /** Adds a socket again after the answer. */
    add,
  }
}

/** Builds the answers to bytes that are no HTTP request. */
type ErrorReplies = Pick<Mounted, 'faultReply' | 'newId'>

const CAUSES: Readonly<Record<string, ServerFailure>> = {
  HPE_INVALID_METHOD: NOT_ALLOWED,
  HPE_HEADER_OVERFLOW: failure('refused', 'headers.too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: failure('refused', 'request.slow'),
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** Answers malformed requests, and requests that time out, in the format of the API. */
const answerClientErrors = (server: Server, app: ErrorReplies, sockets: Sockets): void => {
  const last = new WeakSet<ServerResponse>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = sockets.get(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    // An earlier complete request is still answered; nothing after it is.
    else if (isPending(answer)) {
      // Each further chunk raises the error again.
      if (!last.has(answer)) answer.once('close', () => socket.destroy())
      last.add(answer)
    }
    // A second answer would corrupt the one in progress.
    else if (hasBegun(answer)) socket.destroy()
    else writeFailure(app, CAUSES[error.code ?? ''] ?? MALFORMED, socket)
  })
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    // Node has removed its own listener: an error without one would end the process.
    socket.on('error', () => socket.destroy())
    writeFailure(app, NOT_ALLOWED, socket)
  })
}

const isPending = (answer: ServerResponse | null | undefined): answer is ServerResponse =>
  answer?.req.complete === true && !answer.writableFinished

const hasBegun = (answer: ServerResponse | null | undefined): boolean =>
  answer?.headersSent === true && !answer.writableFinished

const writeFailure = (app: ErrorReplies, cause: ServerFailure, socket: Duplex): void => {
  const { status, type, body } = app.faultReply(cause)
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${app.newId()}\r\n` +
      `${status === 405 ? `Allow: ${METHODS}\r\n` : ''}${SECURITY_LINES}\r\n`,
  )
  socket.end(body)
}

/** After this long, a stop closes sockets without a request. */
const SILENT_STOP_MS = 2_000
const SWEEP_MS = 50

/** The sockets of a server, each with its answer in progress. */
type Sockets = ReadonlyMap<Duplex, ServerResponse | null>

/** Stops listening, ends live answers, finishes the requests in flight, and resolves when the last socket is closed. */
const stopServer = async (
  server: Server,
  sockets: Sockets,
  { lingerMs, stopMs }: Pick<Timeouts, 'lingerMs' | 'stopMs'>,
): Promise<void> => {
  const start = performance.now()
  for (const answer of sockets.values()) if (answer && !answer.headersSent) answer.shouldKeepAlive = false
  endLiveAnswers(sockets)
  // `close` of an HTTP server also closes idle sockets, and loses requests that were already sent on them.
  const closed = new Promise<void>((resolve) => ListeningServer.prototype.close.call(server, () => resolve()))
  const sweep = setInterval(() => {
    endLiveAnswers(sockets)
    const passedMs = performance.now() - start
    if (passedMs >= lingerMs) server.closeIdleConnections()
    if (passedMs >= SILENT_STOP_MS) closeSilent(sockets)
    if (passedMs >= stopMs) server.closeAllConnections()
  }, SWEEP_MS)
  await closed
  // Deno reports that the server is closed while it still answers.
  while ([...sockets.values()].some((answer) => answer !== null)) await setTimeout(SWEEP_MS)
  clearInterval(sweep)
  // Clears the server's own timers.
  server.close()
}

const endLiveAnswers = (sockets: Sockets): void => {
  for (const answer of sockets.values()) if (answer) endLiveAnswer(answer)
}

const closeSilent = (sockets: Sockets): void => {
  for (const [socket, answer] of sockets) if (answer === null) socket.destroy()
}
