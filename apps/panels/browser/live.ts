import { useEffect, useRef, useState } from 'preact/hooks'
import { fieldMessageOf, isStale, Mistakes, messageOf, NOT_MODIFIED, Refused, SignedOut } from './connection.ts'

/** Visible data is read again this often. */
const POLL_MS = 2_000
/** The longest wait after failures. */
const MAX_WAIT_MS = 30_000

/** A result that is read again while the page is visible. */
export interface Live<T> {
  /** The last answer; null before the first one. */
  readonly data: T | null
  /** The message of the last failure, null after a success. */
  readonly error: string | null
  /** True if the record does not exist or the user may not see it. */
  readonly isMissing: boolean
  readonly refresh: () => void
}

const isUnknownRecord = (error: unknown): boolean => error instanceof Refused && error.status === 404

const isMissingRecord = (error: unknown): boolean =>
  isUnknownRecord(error) || (error instanceof Refused && error.status === 403)

/** Reports whether the server answered that the request is wrong: the data are not out of date. */
const isWrongRequest = (error: unknown): boolean =>
  error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429

/** Sends a GET as the signed-in user, with the `ETag` of the last answer. The answer may be 304. */
type Get = (path: string, tag: string | null) => Promise<Response>

/**
 * Returns a hook that reads a path, and again every two seconds while the page is visible. A null path reads nothing. A
 * record that does not exist is read again once the page is visible again, or on `refresh`.
 */
export const createUseLive = (get: Get) =>
  function useLive<T>(path: string | null, pollMs = POLL_MS): Live<T> {
    const [state, setState] = useState<{ path: string | null; data: T | null; error: unknown }>({
      path,
      data: null,
      error: null,
    })
    const wake = useRef(() => {})
    useEffect(() => {
      if (path === null) return
      let isEnded = false
      let reads = 0
      // The number of the read that answered last: the answer of an earlier one is dropped.
      let answered = 0
      let failures = 0
      let tag: string | null = null
      let timer: ReturnType<typeof setTimeout> | undefined
      const read = async (): Promise<void> => {
        clearTimeout(timer)
        reads += 1
        const own = reads
        const isLate = (): boolean => isEnded || own < answered
        let wait = 0
        let isUnknown = false
        try {
          const answer = await get(path, tag)
          const isSame = answer.status === NOT_MODIFIED
          const data: T | null = isSame ? null : await answer.json()
          if (isLate()) return
          failures = 0
          isStale.value = false
          if (!isSame) tag = answer.headers.get('ETag')
          setState((last) => {
            if (!isSame) return { path, data, error: null }
            return last.error === null ? last : { ...last, error: null }
          })
        } catch (error) {
          if (isLate() || error instanceof SignedOut) return
          failures += 1
          isUnknown = isUnknownRecord(error)
          isStale.value = !isWrongRequest(error)
          if (error instanceof Refused && error.retryAfter !== null) wait = error.retryAfter * 1_000
          setState((last) => ({ ...(last.path === path ? last : { path, data: null }), error }))
        }
        answered = own
        clearTimeout(timer)
        if (document.hidden || isUnknown) return
        // Slow reads are repeated as soon as fast ones after a failure.
        const next = failures === 0 ? pollMs : Math.min(POLL_MS * 2 ** failures, MAX_WAIT_MS)
        timer = setTimeout(read, Math.max(wait, next))
      }
      const onVisible = (): void => {
        if (document.hidden) clearTimeout(timer)
        else void read()
      }
      wake.current = () => void read()
      void read()
      document.addEventListener('visibilitychange', onVisible)
      addEventListener('online', onVisible)
      return () => {
        isEnded = true
        clearTimeout(timer)
        document.removeEventListener('visibilitychange', onVisible)
        removeEventListener('online', onVisible)
      }
    }, [path, pollMs])
    const isCurrent = state.path === path
    const error = isCurrent ? state.error : null
    return {
      data: isCurrent ? state.data : null,
      error: error === null ? null : fieldMessageOf(error),
      isMissing: isMissingRecord(error),
      refresh: () => wake.current(),
    }
  }

/** An action with its progress and its failure. */
export interface Action {
  readonly isRunning: boolean
  /** The message of the last failure, until the next try has ended, so that the content below it does not move. */
  readonly error: string | null
  /** The messages of wrong fields by their paths. */
  readonly fields: Readonly<Record<string, string>>
  /** Runs the action unless it is running. */
  readonly run: (perform: () => Promise<void>) => void
  /** The number of ended tries. */
  readonly tries: number
}

const NOWHERE: Readonly<Record<string, string>> = {}

/** Returns an action. `places` has, by the codes of failures that name no field, the field that shows them. */
export const useAction = (places = NOWHERE): Action => {
  const [isRunning, setRunning] = useState(false)
  const [{ failure, tries }, setResult] = useState<{ failure: unknown; tries: number }>({ failure: null, tries: 0 })
  const isBusy = useRef(false)
  const end = (next: unknown): void => setResult((last) => ({ failure: next, tries: last.tries + 1 }))
  const place = failure instanceof Refused ? places[failure.code] : undefined
  const fields = failure instanceof Refused || failure instanceof Mistakes ? failure.fields : NOWHERE
  return {
    isRunning,
    error: failure === null || failure instanceof Mistakes || place ? null : messageOf(failure),
    fields: place ? { [place]: messageOf(failure) } : fields,
    tries,
    run: (perform) => {
      if (isBusy.current) return
      isBusy.current = true
      setRunning(true)
      perform()
        .then(() => end(null), end)
        .finally(() => {
          isBusy.current = false
          setRunning(false)
        })
    },
  }
}
