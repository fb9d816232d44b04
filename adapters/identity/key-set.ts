import type { JSONWebKeySet, JWK } from 'jose'

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
