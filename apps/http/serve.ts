import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Failure, failure } from '../../core/kernel/failure.ts'
import type { Mounted } from './mount.ts'
import { SECURITY_LINES } from './request/headers.ts'

/** Source: reliability.md S9. */
export const HEADERS_TIMEOUT_MS = 10_000
export const REQUEST_TIMEOUT_MS = 30_000
const KEEP_ALIVE_MS = 5_000
/** How often sockets that have run out of time are looked for. */
const CHECK_MS = 1_000
/** What is still in flight after this long is cut off, so that a stop ends within 10 s. */
export const STOP_MS = 8_000
const SWEEP_MS = 50

export interface Serving {
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

/** Listens at an address; port 0 takes a free one. Rejects with `CannotListen`. */
export const serve = async (app: Mounted, { host, port }: { host: string; port: number }): Promise<Serving> => {
  let isStopping = false
  const answers = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
      // A request without a host is refused in the house's own words.
      requireHostHeader: false,
    },
    (req, res) => {
      if (isStopping) res.shouldKeepAlive = false
      answers.set(req.socket, res)
      app.handle(req, res)
    },
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Once an answer has begun, another one in its midst would only spoil it.
    const last = answers.get(socket)
    const isMidway = last?.headersSent === true && !last.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || isMidway) socket.destroy()
    else write(app, CAUSES[error.code ?? ''] ?? MALFORMED, socket)
  })
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => write(app, NOT_ALLOWED, socket))
  await listening(server, host, port)
  const bound = (server.address() as AddressInfo).port
  return {
    host,
    port: bound,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    stop() {
      isStopping = true
      return closing(server)
    },
  }
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = WHY[error.code ?? ''] ?? error.message
      reject(new CannotListen(`cannot listen on ${host}:${port}: ${why}`))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })

const closing = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    // A kept-alive socket whose last answer is out is idle again, and is closed at the next look.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    const end = setTimeout(() => server.closeAllConnections(), STOP_MS)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(end)
      resolve()
    })
    server.closeIdleConnections()
  })

const MALFORMED = failure('refused', 'request.malformed')
const NOT_ALLOWED = failure('refused', 'method.not-allowed')

const CAUSES: Readonly<Record<string, Failure>> = {
  HPE_INVALID_METHOD: NOT_ALLOWED,
  HPE_HEADER_OVERFLOW: failure('refused', 'headers.too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: failure('refused', 'request.slow'),
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** Answers bytes that are no request. */
const write = (app: Mounted, cause: Failure, socket: Duplex): void => {
  const { status, type, body } = app.faults.of(cause, app.dialect)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${app.newId()}\r\n` +
      `${status === 405 ? `Allow: ${METHODS}\r\n` : ''}${SECURITY_LINES}\r\n${body}`,
  )
}
