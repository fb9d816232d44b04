import { failureIn, jsonIn, PorticoError, retryAfterOf } from './errors.ts'

/** The settings by which requests are sent. */
export interface Sending {
  /** Retries after the first try. */
  readonly retries: number
  /** The longest time for one try, its body included. */
  readonly timeoutMs: number
  readonly fetch: typeof fetch
  readonly now: () => number
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** At least 0, below 1. */
  readonly random: () => number
}

/** A body that can be sent more than once. */
export type Body = string | FormData | URLSearchParams | Blob

/** A request, ready to be sent again. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Body | undefined
  readonly signal: AbortSignal | undefined
  /** True if the request may be repeated: GET, PUT, DELETE, and POST with a key. */
  readonly isRepeatable: boolean
  /** The media types that the operation documents; null accepts any. */
  readonly types: readonly string[] | null
}

const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 8_000
/** A longer Retry-After gets no retry. */
const MAX_RETRY_AFTER_SECONDS = 60

const UNAVAILABLE = 503
/** The first try of a key may still be running. */
const RUNNING: ReadonlySet<string> = new Set(['key.running', 'key.conflict'])
const LOST: ReadonlySet<string> = new Set(['network', 'timeout'])

const mayPass = ({ status, code }: PorticoError): boolean =>
  LOST.has(code) || status === UNAVAILABLE || (status === 409 && RUNNING.has(code))

/** Returns the wait before the next try, from Retry-After or doubled each time; null for no further try. */
const waitBefore = (failure: unknown, tries: number, request: Request, sending: Sending): number | null => {
  if (!(failure instanceof PorticoError) || !request.isRepeatable || tries > sending.retries || !mayPass(failure)) {
    return null
  }
  const { retryAfterSeconds } = failure
  if (retryAfterSeconds !== null) {
    return retryAfterSeconds <= MAX_RETRY_AFTER_SECONDS ? retryAfterSeconds * 1_000 : null
  }
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.5 + sending.random() / 2)
}

/**
 * Sends a request and returns the value of its answer. Retries a repeatable one after a network error, a time-out, a 503 or a
 * conflict with a running request of its key. Throws a `PorticoError`, or the reason of the caller's signal.
 */
export const send = async (request: Request, sending: Sending): Promise<unknown> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(request, sending)
    } catch (failure) {
      const wait = waitBefore(failure, tries, request, sending)
      if (wait === null) throw failure
      await sending.wait(wait, request.signal)
    }
  }
}

const tryOnce = async (request: Request, sending: Sending): Promise<unknown> => {
  const { method, url, headers, body, signal } = request
  signal?.throwIfAborted()
  const ending = new AbortController()
  const onAbort = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ending.abort()
  }, sending.timeoutMs)
  let isStream = false
  try {
    // A redirect could change a POST to a GET, or send it twice.
    const redirect = method === 'GET' ? 'follow' : 'error'
    const answer = await sending.fetch(url, { method, headers, body: body ?? null, signal: ending.signal, redirect })
    isStream = answer.ok && typeIn(answer) === EVENTS && accepts(request, EVENTS)
    return isStream ? answer.body : await readValue(answer, request, sending)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof PorticoError) throw error
    const message = isLate ? `no answer after ${sending.timeoutMs} ms` : `no answer: ${String(error)}`
    throw new PorticoError({
      code: isLate ? 'timeout' : 'network',
      message: `${method} ${url}: ${message}`,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
    if (!isStream) signal?.removeEventListener('abort', onAbort)
  }
}

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'

const typeIn = ({ headers }: Response): string => headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''

const accepts = ({ types }: Request, type: string): boolean =>
  types === null || types.some((each) => each === type || (each.endsWith('/*') && type.startsWith(each.slice(0, -1))))

const NO_CONTENT: ReadonlySet<number> = new Set([204, 205])

const readValue = async (answer: Response, request: Request, { now }: Sending): Promise<unknown> => {
  const { status, headers, ok } = answer
  if (!ok) throw failureIn(status, headers, await answer.text(), now())
  if (NO_CONTENT.has(status)) return undefined
  const type = typeIn(answer)
  if (type !== JSON_TYPE && accepts(request, type)) return answer.blob()
  const text = await answer.text()
  const value = type === JSON_TYPE ? jsonIn(text) : undefined
  if (value !== undefined) return value
  const message = `${request.method} ${request.url}: an answer of type "${type}" that is not as documented`
  const about = { status, requestId: headers.get('x-request-id'), retryAfterSeconds: retryAfterOf(headers, now()) }
  throw new PorticoError({ ...about, code: 'reply.unreadable', message, body: text.slice(0, 1_000) })
}

/** Waits, unless the signal ends it. */
export const waitMs = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done, failed) => {
    const end = () => {
      clearTimeout(timer)
      failed(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      done()
    }, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
