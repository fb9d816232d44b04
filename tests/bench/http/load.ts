import { connect, type Socket } from 'node:net'
import type { Work } from '../rates.ts'

/** Returns the bytes of the request with this number. */
export type Requests = (number: number) => Buffer

const CONNECTIONS = 32
/** More than are busy while the server keeps up; otherwise requests wait for a connection, and the wait counts. */
const OPEN_CONNECTIONS = 128

const connected = (url: string, connections: number): Promise<Wire[]> =>
  Promise.all(Array.from({ length: connections }, () => wire(url)))

const ask = async (one: Wire, request: Buffer): Promise<void> => {
  const { status, body } = await one.ask(request)
  if (status >= 300) throw new Error(`${request.toString('latin1', 0, 40)}… was answered ${status}: ${body}`)
}

/** Sends requests until there are none: each connection sends the next one once it is answered. */
const sendAll = async (url: string, connections: number, next: () => Buffer | null): Promise<void> => {
  const wires = await connected(url, connections)
  const lane = async (one: Wire): Promise<void> => {
    for (let request = next(); request !== null; request = next()) await ask(one, request)
  }
  await Promise.all(wires.map(lane))
  for (const one of wires) one.close()
}

export const closedLoad = (url: string, requests: Requests): Work => {
  let asked = 0
  return async (endMs) => {
    const before = asked
    await sendAll(url, CONNECTIONS, () => {
      if (performance.now() >= endMs) return null
      asked += 1
      return requests(asked)
    })
    return asked - before
  }
}

export const burst = (url: string, count: number, requests: Requests): Promise<void> => {
  let asked = 0
  return sendAll(url, Math.min(count, CONNECTIONS), () => {
    if (asked >= count) return null
    asked += 1
    return requests(asked)
  })
}

/**
 * Sends requests at a fixed rate and returns their durations in milliseconds, each from the time it was due, so that a
 * pause of the server counts for all waiting requests. Each connection has had a request before: to accept all of them
 * at once takes the server longer than one in a hundred requests may wait.
 */
export const openLoad = async (
  url: string,
  requests: Requests,
  { perSecond, forMs }: { readonly perSecond: number; readonly forMs: number },
): Promise<readonly number[]> => {
  const wires = await connected(url, OPEN_CONNECTIONS)
  await Promise.all(wires.map((one) => ask(one, requests(0))))
  const free = [...wires]
  const count = Math.floor((perSecond * forMs) / 1_000)
  const start = performance.now()
  const dueAt = (number: number): number => start + (number * 1_000) / perSecond
  const tookMs: number[] = []
  let failure: { readonly error: unknown } | null = null
  const send = async (one: Wire, number: number): Promise<void> => {
    await ask(one, requests(number))
    tookMs.push(performance.now() - dueAt(number))
    free.push(one)
  }
  let sent = 0
  while (tookMs.length < count && failure === null) {
    for (let one = free.at(-1); one && sent < count && dueAt(sent) <= performance.now(); one = free.at(-1)) {
      free.pop()
      send(one, sent).catch((error: unknown) => {
        failure = { error }
      })
      sent += 1
    }
    // A timer would be later than the answers take.
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const one of wires) one.close()
  if (failure !== null) throw new Error('a request of an open load failed', { cause: failure })
  return tookMs
}

export interface Answer {
  readonly status: number
  readonly body: string
}

/** One kept-alive connection, one request at a time. */
export interface Wire {
  /** Sends the bytes of a request; resolves with the whole answer. */
  ask(request: Buffer): Promise<Answer>
  close(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: *(\d+)/i
/** `HTTP/1.1 200` */
const STATUS_FROM = 9
const STATUS_TO = 12

export const requestOf = (
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

/** Connects without a client library, whose time would count as the server's on both sides of every ratio. */
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

/** Returns the answer, or null while it is incomplete. */
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
