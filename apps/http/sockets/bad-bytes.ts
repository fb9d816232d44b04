import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { failure } from '../../../core/failure.ts'
import type { Mounted } from '../handlers.ts'
import type { ServerFailure } from '../replies/server-messages.ts'
import { SECURITY_LINES } from '../request/headers.ts'
import type { Sockets } from './stop.ts'

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
