import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose'
import { type Identity, IdentityUnavailable } from '../../core/ports/identity.ts'
import { jwtIdentity } from './jwt-identity.ts'

/** An identity provider that shows its keys; of Firebase: `https://securetoken.google.com/PROJECT`, `PROJECT`, and Google's address. */
export interface JwksProvider {
  /** What its tokens have as `iss`. */
  readonly issuer: string
  /** For whom tokens have to be: their `aud`. */
  readonly audience: string
  /** Answers a JSON Web Key Set. */
  readonly url: string
  /** Told in one line when the keys cannot be had, and when they can again; by default a warning of the process. */
  readonly report?: (line: string) => void
}

/**
 * An identity provider whose tokens are JWTs of RS256 or ES256, by the keys that it shows: asked for once in ten minutes, and
 * when a token names a new one. While it does not answer, the keys that it had serve for a day.
 * Source: decisions.md §6 and §10, Identity.
 */
export const jwksIdentity = ({
  issuer,
  audience,
  url,
  report = (line) => process.emitWarning(line),
}: JwksProvider): Identity => jwtIdentity({ issuer, audience, keys: remoteKeys({ url, report }) })

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

/** Many times what any provider has. */
const MAX_BYTES = 262_144

/**
 * The public keys that a provider answers with: RSA and EC, the only ones that tokens are taken by. Rejects where nothing
 * comes in time, or anything else than keys.
 */
export const fetchKeySet = async (url: string, timeoutMs: number): Promise<JSONWebKeySet> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  try {
    if (response.status !== 200) throw new Error(`it answers ${response.status}`)
    return keySetOf(await textOf(response))
  } finally {
    // Of a body that was not read to its end the connection would stay open.
    if (!response.bodyUsed) await response.body?.cancel()
  }
}

const textOf = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`it answers more than ${MAX_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const keySetOf = (text: string): JSONWebKeySet => {
  const set: unknown = parsed(text)
  const listed = isObject(set) && Array.isArray(set.keys) ? set.keys : []
  const keys = listed.filter(isPublicKey)
  if (keys.length === 0) throw new Error('it answers no keys')
  return { keys }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('it answers no JSON')
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isPublicKey = (key: unknown): key is JWK =>
  isObject(key) && (key.kty === 'RSA' || key.kty === 'EC') && !Object.hasOwn(key, 'd')
