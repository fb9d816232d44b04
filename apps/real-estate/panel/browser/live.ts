import { type Board, LIST_NAMES, type ListName } from './board.ts'
import { eventReader, type StreamEvent } from './event-lines.ts'
import { element, say } from './page.ts'
import { ApiProblem, type Session, SignedOut } from './session.ts'
import type { Notification } from './wire.ts'

/** What a notification says is another now, besides the figures. */
const CHANGED: Readonly<Record<string, readonly ListName[]>> = {
  ContractExpiry: ['contracts'],
  PaymentDefault: ['overdue'],
  VisitConfirmed: ['visits'],
}

/** Of some things nobody is notified, as of a payment that came: the figures are looked at so often while somebody sees them. */
const LOOK_EVERY_MS = 10_000
/** And the lists with every so many looks: of what was only moved, the figures stay the same. */
const LOOKS_PER_LIST = 6
/** Several notifications of one moment are one reading. */
const TOGETHER_MS = 250

const WORDS: Readonly<Record<Liveness, string>> = {
  waits: 'Conectando…',
  live: 'Ao vivo',
  lost: 'Sem conexão',
}

const became = (liveness: Liveness): void => {
  element('#live').dataset.state = liveness
  say('#live', WORDS[liveness])
}

interface Ends {
  /** Whoever saw it is signed in no more. */
  signedOut(): void
  /** They are, and may not see it any more. */
  refused(): void
}

/** Keeps a board as things are until the signal says otherwise, or it ends by itself. */
export const keepLive = (session: Session, board: Board, signal: AbortSignal, { signedOut, refused }: Ends): void => {
  const wanted = new Set<ListName>()
  let timer = 0
  let looks = 0
  let isBusy = false

  const renew = async (): Promise<void> => {
    // What is wanted meanwhile is read right after.
    if (isBusy) return plan(TOGETHER_MS)
    // Whoever comes back to it asks for all of it.
    if (document.visibilityState !== 'visible' && wanted.size === 0) return
    looks += 1
    const names = looks % LOOKS_PER_LIST === 0 ? LIST_NAMES : [...wanted]
    wanted.clear()
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
    plan(LOOK_EVERY_MS)
  }
  const plan = (ms: number): void => {
    clearTimeout(timer)
    if (!signal.aborted) timer = setTimeout(() => void renew(), ms)
  }
  const want = (names: readonly ListName[]): void => {
    for (const name of names) wanted.add(name)
  }
  const renewSoon = (names: readonly ListName[]): void => {
    want(names)
    plan(TOGETHER_MS)
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
  // Whether or not there is a stream: a person has so many, and no more.
  renewSoon(LIST_NAMES)
  void follow({
    session,
    signal,
    became,
    signedOut,
    opened: () => renewSoon(LIST_NAMES),
    told({ event, data }) {
      if (event !== 'notification') return
      const { type, title, message } = JSON.parse(data) as Notification
      say('#told', `${title}: ${message}`)
      renewSoon(['news', ...(CHANGED[type] ?? [])])
    },
  })
}

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
