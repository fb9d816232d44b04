import { type Board, LIST_NAMES, type ListName } from './board.ts'
import { follow, type Liveness } from './follow.ts'
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
