import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose'
import { IdentityUnavailable } from '../../core/ports/identity.ts'
import { readText } from '../webhooks/exchange.ts'

interface RemoteKeysOptions {
  readonly url: string
  readonly report?: (line: string) => void
  /** The limit of a request, from its start to the end of its answer; 5,000 by default. */
  readonly timeoutMs?: number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number
}

/** Keys are requested again after this time. */
const FRESH_MS = 600_000
/** Keys stay valid for this time while the provider is unavailable. */
const MAX_AGE_MS = 86_400_000
/** The shortest time between two requests for unknown keys. */
const COOL_DOWN_MS = 30_000
/** The shortest time between two requests after a failure. */
const RETRY_MS = 5_000
const TIMEOUT_MS = 5_000

interface LoadedKeys {
  readonly find: JWTVerifyGetKey
  readonly loadedAt: number
}

interface Attempt {
  readonly at: number
  readonly fault: string | null
}

/**
 * Finds keys in the key set of a provider. Requests it every ten minutes, and when a token names an unknown key. While
 * the provider is unavailable, the loaded keys stay valid for a day, and a token of any other key is invalid. Rejects
 * with `IdentityUnavailable` without valid keys.
 */
export const remoteKeys = ({
  url,
  report = () => {},
  timeoutMs = TIMEOUT_MS,
  elapsed = () => performance.now(),
}: RemoteKeysOptions): JWTVerifyGetKey => {
  let loaded: LoadedKeys | null = null
  let last: Attempt | null = null
  let loading: Promise<void> | null = null

  const record = (fault: string | null): void => {
    const wasUnavailable = (last?.fault ?? null) !== null
    last = { at: elapsed(), fault }
    if (fault !== null && !wasUnavailable)
      report(`the keys of the identity provider are unavailable at ${url}: ${fault}`)
    if (fault === null && wasUnavailable) report(`the keys of the identity provider are available again at ${url}`)
  }
  const load = async (): Promise<void> => {
    try {
      loaded = { find: createLocalJWKSet(await fetchKeySet(url, timeoutMs)), loadedAt: elapsed() }
      record(null)
    } catch (error) {
      record(reasonOf(error))
    }
    loading = null
  }
  const isCoolingDown = (): boolean =>
    last !== null && elapsed() - last.at < (last.fault === null ? COOL_DOWN_MS : RETRY_MS)
  /** Concurrent calls share one request. */
  const reload = async (): Promise<void> => {
    if (loading === null && isCoolingDown()) return
    loading ??= load()
    await loading
  }
  const isOlder = (ms: number): boolean => loaded === null || elapsed() - loaded.loadedAt >= ms
  const current = async (): Promise<LoadedKeys> => {
    if (isOlder(FRESH_MS)) {
      const reloading = reload()
      // After a failure, callers do not wait for the provider while the loaded keys are valid.
      if (isOlder(MAX_AGE_MS) || last?.fault === null) await reloading
    }
    if (loaded === null || isOlder(MAX_AGE_MS))
      throw new IdentityUnavailable(`no valid keys: ${last?.fault ?? 'they are too old'}`)
    return loaded
  }

  return async (header, token) => {
    const keys = await current()
    try {
      return await keys.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await reload()
      const reloaded = await current()
      if (reloaded !== keys) return reloaded.find(header, token)
      throw error
    }
  }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

/** Many times the size of a provider's key set. */
const MAX_BYTES = 262_144

/** Requests the public RSA and EC keys of a key set. Rejects after the time limit, or if the answer contains none. */
const fetchKeySet = async (url: string, timeoutMs: number): Promise<JSONWebKeySet> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  try {
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    return keySetOf(response.body ? await readText(response.body, MAX_BYTES) : '')
  } finally {
    // An unread body would keep its connection open.
    if (!response.bodyUsed) await response.body?.cancel()
  }
}

const keySetOf = (text: string): JSONWebKeySet => {
  const set: unknown = parseJson(text)
  const listed = isObject(set) && Array.isArray(set.keys) ? set.keys : []
  const keys = listed.filter(isPublicKey)
  if (keys.length === 0) throw new Error('the answer contains no public RSA or EC keys')
  return { keys }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the answer is not JSON')
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isPublicKey = (key: unknown): key is JWK =>
  isObject(key) && (key.kty === 'RSA' || key.kty === 'EC') && !Object.hasOwn(key, 'd')
