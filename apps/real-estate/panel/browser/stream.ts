import { Refused, SignedOut } from '../../../panels/browser/connection.ts'
import { eventReader, type StreamEvent } from './event-lines.ts'
import { request } from './session.ts'

export type Connection = 'waits' | 'live' | 'lost'

interface FollowOptions {
  readonly signal: AbortSignal
  onEvent(event: StreamEvent & { readonly data: string }): void
  /** Called whenever the stream opens. After a cut, events in between may be missing. */
  onOpen(): void
  onChange(connection: Connection): void
}

const STREAM = 'api/notifications/stream'
const FIRST_WAIT_MS = 1_000
const LAST_WAIT_MS = 30_000
/** The server sends a heartbeat every 20 s: a connection that is silent for longer is broken. */
const SILENCE_MS = 50_000

/** Waits for a time, but not beyond the signal or the return of the network connection. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const own = new AbortController()
    const end = () => {
      clearTimeout(timer)
      own.abort()
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { signal: own.signal })
    addEventListener('online', end, { signal: own.signal })
  })

/** Reads a stream until it ends or falls silent. */
const readAll = async (body: ReadableStream<Uint8Array>, take: (event: StreamEvent) => void): Promise<void> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const events = eventReader()
  let silence = 0
  // Cancelling a stream that has failed rejects.
  const hangUp = () => void reader.cancel().catch(() => {})
  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(hangUp, SILENCE_MS)
  }
  // An offline browser need not wait for the silence.
  addEventListener('offline', hangUp)
  try {
    for (listen(); ; listen()) {
      const { done, value } = await reader.read()
      if (done) return
      for (const event of events(decoder.decode(value, { stream: true }))) take(event)
    }
  } finally {
    clearTimeout(silence)
    removeEventListener('offline', hangUp)
  }
}

/**
 * Follows the notifications of the user until the signal; after a cut it resumes at the last event. It uses `fetch`,
 * because an `EventSource` sends no headers and a token does not belong in an address.
 */
export const follow = async ({ signal, onEvent, onOpen, onChange }: FollowOptions): Promise<void> => {
  let last: string | null = null
  let failures = 0
  const listen = async (): Promise<void> => {
    const headers = { Accept: 'text/event-stream', ...(last !== null && { 'Last-Event-ID': last }) }
    const { body } = await request(STREAM, { headers, signal })
    if (body === null) return
    failures = 0
    onChange('live')
    onOpen()
    await readAll(body, (event) => {
      last = event.id ?? last
      const { data } = event
      if (data !== null) onEvent({ ...event, data })
    })
  }
  while (!signal.aborted) {
    try {
      await listen()
      // The stream also ends with the token: that is no failure.
      onChange('waits')
    } catch (error) {
      if (signal.aborted || error instanceof SignedOut) return
      failures += 1
      onChange(error instanceof Refused && error.status === 429 ? 'waits' : 'lost')
    }
    await wait(Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LAST_WAIT_MS), signal)
  }
}
