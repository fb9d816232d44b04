import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import { IdentityUnavailable } from '../../core/ports/identity.ts'
import { fetchKeySet } from './key-set.ts'

/** Where keys are had, and how they are asked for. */
export interface RemoteKeysOptions {
  /** Answers a JSON Web Key Set. */
  readonly url: string
  /** Told in one line when the keys cannot be had, and when they can again. */
  readonly report?: (line: string) => void
  /** For one answer, whole. */
  readonly timeoutMs?: number
  /** Milliseconds of a clock that never jumps. */
  readonly elapsed?: () => number
}

/** A provider that has rotated its keys is believed from then on. */
const FRESH_MS = 600_000
/** How long keys go on serving while nobody gives others. */
const STALE_MS = 86_400_000
/** Tokens that name keys which there are not: of all of them one is asked about in this time. */
const COOL_DOWN_MS = 30_000
/** Whoever does not answer is left alone for so long. */
const RETRY_MS = 5_000
const TIMEOUT_MS = 5_000

interface Held {
  readonly find: JWTVerifyGetKey
  readonly since: number
}

interface Try {
  readonly at: number
  readonly fault: string | null
}

/**
 * Finds keys where a provider has them: asked once in ten minutes, and when a token names one that is new. While it does not
 * answer, the keys that it had serve for a day, and a token of any other key is nobody's. Rejects with `IdentityUnavailable`
 * where there are none.
 * Source: decisions.md §6, Identity; reference/reliability.md, S10; issue 30.
 */
export const remoteKeys = ({
  url,
  report = () => {},
  timeoutMs = TIMEOUT_MS,
  elapsed = () => performance.now(),
}: RemoteKeysOptions): JWTVerifyGetKey => {
  let held: Held | null = null
  let last: Try | null = null
  let loading: Promise<void> | null = null

  const ended = (fault: string | null): void => {
    const wasAway = (last?.fault ?? null) !== null
    last = { at: elapsed(), fault }
    if (fault !== null && !wasAway) report(`the keys of the identity provider cannot be had from ${url}: ${fault}`)
    if (fault === null && wasAway) report(`the keys of the identity provider can be had again from ${url}`)
  }
  const load = async (): Promise<void> => {
    try {
      held = { find: createLocalJWKSet(await fetchKeySet(url, timeoutMs)), since: elapsed() }
      ended(null)
    } catch (error) {
      ended(whyOf(error))
    }
    loading = null
  }
  const isResting = (): boolean =>
    last !== null && elapsed() - last.at < (last.fault === null ? COOL_DOWN_MS : RETRY_MS)
  /** Whoever asks while others do waits with them. */
  const renew = async (): Promise<void> => {
    if (loading === null && isResting()) return
    loading ??= load()
    await loading
  }
  const isOlder = (ms: number): boolean => held === null || elapsed() - held.since >= ms
  const current = async (): Promise<Held> => {
    if (isOlder(FRESH_MS)) {
      const renewing = renew()
      // Where it did not answer last time either, nobody waits for it whom old keys serve.
      if (isOlder(STALE_MS) || last?.fault === null) await renewing
    }
    if (held === null || isOlder(STALE_MS)) throw unavailable()
    return held
  }
  const unavailable = () => new IdentityUnavailable(`there are no keys: ${last?.fault ?? 'they are too old'}`)

  return async (header, token) => {
    const known = await current()
    try {
      return await known.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await renew()
      const now = await current()
      if (now !== known) return now.find(header, token)
      throw error
    }
  }
}

const whyOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}
