import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { ExecutionContext } from 'ava'

/** The number of requests at once. */
const AT_ONCE = 8

export interface Answer {
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes
  readonly body: any
  readonly text: string
}

export interface Sent {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface RawRequest {
  readonly method: string
  /** Path and query, sent unchanged. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Null if the text is no JSON. */
  readonly body: Answer['body']
}

export const parseJson = (text: string): Answer['body'] => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the body of a successful reply. Throws otherwise. */
export const worked = ({ status, body, text }: Answer): Answer['body'] => {
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`)
  return body
}

/** Returns a client of the app at a URL, which sends JSON with a token. */
export const clientAt = (url: string, always: Readonly<Record<string, string>> = {}) => ({
  ask: async (method: string, path: string, { token, body, headers }: Sent = {}): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...always,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
  },
})

export type Wire = (sent: RawRequest) => Promise<Reply>

/**
 * Returns a client that sends what `fetch` refuses: any method, any target, a body with GET. It also takes half the
 * time. Its connections are closed at the end of the test, so that the server does not wait for them.
 */
export const wireTo = (t: Pick<ExecutionContext, 'teardown'>, { url }: { readonly url: string }): Wire => {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: AT_ONCE })
  t.teardown(() => agent.destroy())
  const { hostname, port } = new URL(url)
  const once = ({ method, target, headers = {}, body = '' }: RawRequest): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(body)
      const length = bytes.length > 0 ? { 'content-length': `${bytes.length}` } : {}
      const options = { hostname, port, agent, method, path: target, headers: { ...length, ...headers } }
      const sent = request(options, (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', reject)
        answer.on('end', () => {
          const content = Buffer.concat(pieces)
          record(`${method} ${target}`, answer, content)
          const text = content.toString('utf8')
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parseJson(text) })
        })
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server had closed an idle connection before it read the request.
        const wasIdle = sent.reusedSocket && error.code === 'ECONNRESET'
        reject(wasIdle ? new IdleConnection() : new Error(`${method} ${target.slice(0, 200)}: ${error.message}`))
      })
      sent.end(bytes)
    })
  return (sent) =>
    once(sent).catch((error: unknown) => {
      if (error instanceof IdleConnection) return once(sent)
      throw error
    })
}

/** Headers that differ between two runs. */
const TIMED = new Set(['date'])

/**
 * Appends an answer to the file that `ANSWERS` names, so that the answers of two commits can be compared byte by byte.
 */
const record = (line: string, { statusCode, rawHeaders }: IncomingMessage, content: Buffer): void => {
  const file = process.env.ANSWERS
  if (!file) return
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !TIMED.has(name.toLowerCase()) ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  )
  const text = content.toString('utf8')
  const isText = Buffer.from(text).equals(content)
  const body = isText ? text : createHash('sha256').update(content).digest('hex')
  appendFileSync(file, `${[line, statusCode, ...headers, body].join('\n')}\n\n`)
}

class IdleConnection extends Error {}

/** Sends requests in batches and returns the answers in their order. */
export const inBatches = async <A, B>(items: readonly A[], ask: (item: A) => Promise<B>): Promise<readonly B[]> => {
  const answers: B[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(ask))))
  }
  return answers
}
