import { type Board, LIST_NAMES, type ListName } from './board.ts'
import { eventReader, type StreamEvent } from './event-lines.ts'
import { element, setText } from './page.ts'
import { ApiProblem, type Session, SignedOut } from './session.ts'
import type { Notification } from './wire.ts'

/** The lists that a type of notification changes, besides the figures. */
const CHANGED: Readonly<Record<string, readonly ListName[]>> = {
  ContractExpiry: ['contracts'],
  PaymentDefault: ['overdue'],
  VisitConfirmed: ['visits'],
}

/** The interval of polling while the page is visible: some changes, such as a payment, notify no user. */
const POLL_MS = 10_000
/** Lists are read with every sixth poll: a change of status can leave the figures the same. */
const POLLS_PER_LIST = 6
/** Notifications within this time cause one read. */
const DEBOUNCE_MS = 250

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  waits: 'Conectando…',
  live: 'Ao vivo',
  lost: 'Sem conexão',
}

const showConnection = (connection: Connection): void => {
  element('#live').dataset.state = connection
  setText('#live', CONNECTION_WORDS[connection])
}

interface Callbacks {
  signedOut(): void
  /** The user is signed in, but may no longer see the board. */
  refused(): void
}

/** Keeps a board up to date until the signal, the end of the session, or the loss of the permission. */
export const keepLive = (
  session: Session,
  board: Board,
  signal: AbortSignal,
  { signedOut, refused }: Callbacks,
): void => {
  const pending = new Set<ListName>()
  let timer = 0
  let polls = 0
  let isBusy = false

  const renew = async (): Promise<void> => {
    // Lists that are requested meanwhile are read right after.
    if (isBusy) return plan(DEBOUNCE_MS)
    // A hidden page stops polling. When it is visible again, it reads all lists.
    if (document.visibilityState !== 'visible' && pending.size === 0) return
    polls += 1
    const names = polls % POLLS_PER_LIST === 0 ? LIST_NAMES : [...pending]
    pending.clear()
    isBusy = true
    try {
      await board.renew(names)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SignedOut) signedOut()
      else if (error instanceof ApiProblem) refused()
      else throw error
    } finally {
      isBusy = false
    }
    plan(POLL_MS)
  }
  const plan = (ms: number): void => {
    clearTimeout(timer)
    if (!signal.aborted) timer = setTimeout(() => void renew(), ms)
  }
  const renewSoon = (names: readonly ListName[]): void => {
    for (const name of names) pending.add(name)
    plan(DEBOUNCE_MS)
  }
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && renewSoon(LIST_NAMES), {
    signal,
  })
  element('.board').addEventListener(
    'click',
    ({ target }) => target instanceof Element && target.closest('[data-again]') && renewSoon(LIST_NAMES),
    { signal },
  )
  signal.addEventListener('abort', () => clearTimeout(timer))
  // At once, even if the stream is refused: the number of streams of a user is limited.
  renewSoon(LIST_NAMES)
  void follow({
    session,
    signal,
    changed: showConnection,
    signedOut,
    opened: () => renewSoon(LIST_NAMES),
    received({ event, data }) {
      if (event !== 'notification') return
      const { type, title, message } = JSON.parse(data) as Notification
      setText('#announcement', `${title}: ${message}`)
      renewSoon(['news', ...(CHANGED[type] ?? [])])
    },
  })
}

type Connection = 'waits' | 'live' | 'lost'

interface FollowOptions {
  readonly session: Pick<Session, 'request'>
  readonly signal: AbortSignal
  received(event: StreamEvent & { readonly data: string }): void
  /** Called when the stream opens, also again after a cut: events in between may be missing. */
  opened(): void
  changed(connection: Connection): void
  signedOut(): void
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
 * Follows the notifications of the user until the signal; after a cut it resumes at the last event. It uses `fetch`, because an
 * `EventSource` sends no headers and a token does not belong in an address.
 */
const follow = async ({ session, signal, received, opened, changed, signedOut }: FollowOptions): Promise<void> => {
  let last: string | null = null
  let failures = 0
  const listen = async (): Promise<void> => {
    const headers = { Accept: 'text/event-stream', ...(last !== null && { 'Last-Event-ID': last }) }
    const { body } = await session.request(STREAM, { headers, signal })
    if (body === null) return
    failures = 0
    changed('live')
    opened()
    await readAll(body, (event) => {
      last = event.id ?? last
      const { data } = event
      if (data !== null) received({ ...event, data })
    })
  }
  while (!signal.aborted) {
    try {
      await listen()
      // The stream also ends with the token: that is no failure.
      changed('waits')
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SignedOut) return signedOut()
      failures += 1
      changed(error instanceof ApiProblem && error.status === 429 ? 'waits' : 'lost')
    }
    await wait(Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LAST_WAIT_MS), signal)
  }
}
