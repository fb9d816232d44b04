import { eventReader, type StreamEvent } from './event-lines.ts'
import { ApiProblem, type Session, SignedOut } from './session.ts'

export type Liveness = 'waits' | 'live' | 'lost'

interface Following {
  readonly session: Pick<Session, 'ask'>
  readonly signal: AbortSignal
  /** Called with each event. */
  told(event: StreamEvent & { readonly data: string }): void
  /** The stream is open, or open again: what came while it was not may not have been told. */
  opened(): void
  became(liveness: Liveness): void
  signedOut(): void
}

const STREAM = 'api/notifications/stream'
const FIRST_WAIT_MS = 1_000
const LAST_WAIT_MS = 30_000
/** The server sends a sign of life every 20 s: a connection that is silent for longer is none. */
const SILENCE_MS = 50_000

/** A telephone that is back on the net need not wait any longer. */
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

/** Reads an open stream to its end, or until nothing comes any more. */
const readAll = async (body: ReadableStream<Uint8Array>, take: (event: StreamEvent) => void): Promise<void> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const events = eventReader()
  let silence = 0
  // What has failed already is cancelled in vain.
  const hangUp = () => void reader.cancel().catch(() => {})
  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(hangUp, SILENCE_MS)
  }
  // A browser that knows that there is no net any more need not wait for the silence.
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
 * Follows what is told to whoever is signed in until the signal says otherwise; after a cut it goes on where it was. By `fetch`,
 * since an `EventSource` takes no header, and a token does not belong into an address.
 */
export const follow = async ({ session, signal, told, opened, became, signedOut }: Following): Promise<void> => {
  let last: string | null = null
  let failures = 0
  const listen = async (): Promise<void> => {
    const headers = { Accept: 'text/event-stream', ...(last !== null && { 'Last-Event-ID': last }) }
    const { body } = await session.ask(STREAM, { headers, signal })
    if (body === null) return
    failures = 0
    became('live')
    opened()
    await readAll(body, (event) => {
      last = event.id ?? last
      const { data } = event
      if (data !== null) told({ ...event, data })
    })
  }
  while (!signal.aborted) {
    try {
      await listen()
      // It ends with the token, too: that is no failure, and the next one begins at once.
      became('waits')
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SignedOut) return signedOut()
      failures += 1
      became(error instanceof ApiProblem && error.status === 429 ? 'waits' : 'lost')
    }
    await wait(Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LAST_WAIT_MS), signal)
  }
}
