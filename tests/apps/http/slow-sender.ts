import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import type { ExecutionContext } from 'ava'

/** A request from an address of this machine. */
export interface Call {
  readonly from: string
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request on its own connection. */
export const callFrom = (port: number, { from, method = 'GET', path, headers, body }: Call) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const typed = { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }
    const sent = request(
      { host: '127.0.0.1', port, localAddress: from, agent: false, method, path, headers: { ...typed, ...headers } },
      async (answer) => {
        let got = ''
        for await (const piece of answer.setEncoding('utf8')) got += piece
        resolve({ status: answer.statusCode ?? 0, text: got })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })

/** A client that has sent a request except for the end of its body. */
export interface SlowSender {
  /** The answer so far, without `100 Continue`. */
  readonly got: () => string
  readonly isClosed: () => boolean
  finish(): void
  hangUp(): void
}

const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/

/** Sends the headers of a request and half of its body, and waits until the server waits for the rest. */
export const sendSlowly = async (
  t: Pick<ExecutionContext, 'teardown'>,
  port: number,
  { from, method = 'POST', path, headers = {}, body }: Call,
): Promise<SlowSender> => {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  t.teardown(() => socket.destroy())
  const text = JSON.stringify(body)
  const lines = Object.entries({
    host: 'x',
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(text)}`,
    expect: '100-continue',
    ...headers,
  })
  let [got, isClosed] = ['', false]
  socket.setEncoding('utf8')
  socket.on('data', (piece: string) => {
    got += piece
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  while (!CONTINUE.test(got)) await once(socket, 'data')
  const half = Math.floor(text.length / 2)
  socket.write(text.slice(0, half))
  return {
    got: () => got.replace(CONTINUE, ''),
    isClosed: () => isClosed,
    finish: () => void socket.write(text.slice(half)),
    hangUp: () => void socket.destroy(),
  }
}
