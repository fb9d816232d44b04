import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Mounted } from './handlers.ts'
import { answerBadBytes } from './sockets/bad-bytes.ts'
import { LINGER_MS, stopServer } from './sockets/stop.ts'
import { MAX_SOCKETS, waitingSockets } from './sockets/waiting-sockets.ts'

/** Source: reliability.md S9. */
export const HEADERS_TIMEOUT_MS = 10_000
export const REQUEST_TIMEOUT_MS = 30_000

/** How long a socket may take for what it does. */
export interface Patience {
  /** For the headers of a request. */
  readonly headersMs: number
  /** For a request with its body. */
  readonly requestMs: number
  /** Between two requests. */
  readonly keepAliveMs: number
  /** In the midst of anything, without a byte in either direction. */
  readonly silentMs: number
  /** For one more request, once a stop has begun. */
  readonly lingerMs: number
  /** How often sockets that have run out of time are looked for. */
  readonly checkMs: number
}

const PATIENCE: Patience = {
  headersMs: HEADERS_TIMEOUT_MS,
  requestMs: REQUEST_TIMEOUT_MS,
  keepAliveMs: 5_000,
  silentMs: 60_000,
  lingerMs: LINGER_MS,
  checkMs: 1_000,
}

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

/** Where a browser finds what listens there. */
export const urlAt = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

interface Place {
  readonly host: string
  readonly port: number
  readonly patience?: Partial<Patience>
  /** The settings that name the host and the port, for the line of a start that fails: `HOST`, `PAYMENTS_PORT`. */
  readonly names?: { readonly host: string; readonly port: string }
  /** Sockets open at once, 10,000 by default; a further one takes the place of one that waits for a request. */
  readonly maxSockets?: number
}

/** Listens at an address; port 0 takes a free one. Rejects with `CannotListen`. */
export const serve = async (
  app: Mounted,
  { host, port, maxSockets = MAX_SOCKETS, ...place }: Place,
): Promise<Serving> => {
  const patience = { ...PATIENCE, ...place.patience }
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
  server.timeout = patience.silentMs
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, null)
    waiting.opened(socket)
    app.opened(socket)
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

const optionsOf = ({ headersMs, requestMs, keepAliveMs, checkMs }: Patience) => ({
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
