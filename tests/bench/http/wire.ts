import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** One kept-alive connection, one request at a time. */
export interface Wire {
  /** Sends the bytes of a request; resolves once its answer is here whole. */
  ask(request: Buffer): Promise<Answer>
  close(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: *(\d+)/i
/** `HTTP/1.1 200` */
const STATUS_FROM = 9
const STATUS_TO = 12

/** A request as it goes over the wire, made once and sent often. */
export const requestOf = (method: string, path: string, token: string | null, body?: unknown): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

/** Connects. No client library: what it costs would be taken for the server's, on both sides of every ratio. */
export const wire = async (url: string): Promise<Wire> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return speaking(socket)
}

const speaking = (socket: Socket): Wire => {
  let asked: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = answerIn(received)
    if (!answer) return
    received = Buffer.alloc(0)
    const told = asked
    asked = null
    told?.resolve(answer)
  })
  const end = (error: Error): void => {
    asked?.reject(error)
    asked = null
  }
  socket.on('error', end)
  socket.on('close', () => end(new Error('the connection was closed before the answer')))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        asked = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** The whole answer, or null while some of it is missing. */
const answerIn = (received: Buffer): Answer | null => {
  const end = received.indexOf(HEAD_END)
  if (end === -1) return null
  const head = received.toString('latin1', 0, end)
  const length = LENGTH.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  const from = end + HEAD_END.length
  if (received.length < from + Number(length)) return null
  return { status: Number(head.slice(STATUS_FROM, STATUS_TO)), body: received.toString('utf8', from) }
}
