import { createSecretKey, type KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { Claims, Tokens } from '../../core/ports/identity.ts'

const ALGORITHM = 'HS256'
/** The `sub` of a JWT is a text (RFC 7519 §4.1.2): an id in decimal. */
const SUBJECT = /^[1-9]\d{0,15}$/

/** The limit of remembered tokens. Callers send one token many times, and its signature check is expensive. */
const MAX_VERIFIED = 10_000

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

const claimsOf = (payload: Readonly<Record<string, unknown>>): Claims | null => {
  const { sub, sid, acc, jti, iat, exp } = payload
  if (typeof sub !== 'string' || !SUBJECT.test(sub) || !isCount(Number(sub))) return null
  if (!isName(sid) || !isName(jti) || !isCount(iat) || !isCount(exp)) return null
  if (acc === undefined) return { sub: Number(sub), sid, jti, iat, exp }
  return isCount(acc) ? { sub: Number(sub), sid, acc, jti, iat, exp } : null
}

const verifyToken = (token: string, key: KeyObject): Claims | null => {
  try {
    const { header, payload } = jwt.verify(token, key, {
      algorithms: [ALGORITHM],
      ignoreExpiration: true,
      complete: true,
    })
    // The library ignores critical extensions (RFC 7515 §4.1.11), so a token with one is rejected here.
    return 'crit' in header || typeof payload === 'string' ? null : claimsOf(payload)
  } catch {
    return null
  }
}

/** Signs access tokens as JWTs, HS256 only, under a secret of at least 32 bytes. */
export const jwtTokens = (secret: Uint8Array): Tokens => {
  // With a bare secret the library would create a key per call, fifty times slower.
  const key = createSecretKey(secret)
  const verified = new Map<string, Claims>()
  const remember = (token: string, claims: Claims): void => {
    const oldest = verified.size < MAX_VERIFIED ? undefined : verified.keys().next().value
    if (oldest !== undefined) verified.delete(oldest)
    verified.set(token, claims)
  }
  return {
    sign: (claims) => jwt.sign({ ...claims, sub: String(claims.sub) }, key, { algorithm: ALGORITHM }),
    read: (token) => {
      const known = verified.get(token)
      if (known) return known
      const claims = verifyToken(token, key)
      if (claims) remember(token, claims)
      return claims
    },
  }
}
