import { createSecretKey, type KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { Claims, Tokens } from '../../core/ports/identity.ts'

const ALGORITHM = 'HS256'
/** A JWT's subject is a text (RFC 7519 §4.1.2); ours is an id written in decimal. */
const SUBJECT = /^[1-9]\d{0,15}$/

/** Tokens that are known to be sound: a caller sends the same one again and again, and its signature costs more than the rest. */
const MAX_KNOWN = 10_000

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
    // An extension that must be understood (RFC 7515 §4.1.11) is not: the library passes it over.
    return 'crit' in header || typeof payload === 'string' ? null : claimsOf(payload)
  } catch {
    return null
  }
}

/**
 * Access tokens as JWT, HS256 only, under a secret of at least 32 bytes.
 *
 * Source: decisions.md §1, "Sessions and codes".
 */
export const jwtTokens = (secret: Uint8Array): Tokens => {
  // Made once: with a bare secret the library would make one per call, fifty times slower.
  const key = createSecretKey(secret)
  const known = new Map<string, Claims>()
  const remember = (token: string, claims: Claims): void => {
    const oldest = known.size < MAX_KNOWN ? undefined : known.keys().next().value
    if (oldest !== undefined) known.delete(oldest)
    known.set(token, claims)
  }
  return {
    sign: (claims) => jwt.sign({ ...claims, sub: String(claims.sub) }, key, { algorithm: ALGORITHM }),
    read: (token) => {
      const before = known.get(token)
      if (before) return before
      const claims = verifyToken(token, key)
      if (claims) remember(token, claims)
      return claims
    },
  }
}
