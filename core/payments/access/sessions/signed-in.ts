import { type Instant, localDateTime, secondsBetween, withOffset } from '../../../kernel/values/day.ts'
import type { Tokens } from '../../../ports/tokens.ts'
import { memberView, type User, userView } from '../../members/user.ts'
import { permissionsByKey, roleView } from '../../role.ts'
import { claimsOf, type Session } from './session.ts'

/** What somebody gets who signed in. */
export interface SignedIn {
  readonly accessToken: string
  /** How long the token is good for, from when it was issued. */
  readonly expiresInSeconds: number
  readonly user: User
  readonly sessionId: string
  readonly device: string | null
  /** When the token runs out. */
  readonly expiresAt: Instant
  /** By which role the session's account was entered; null where it names none. */
  readonly roleId: number | null
}

export const signedIn = (tokens: Tokens, session: Session, user: User, roleId: number | null = null): SignedIn => ({
  accessToken: tokens.sign(claimsOf(session)),
  expiresInSeconds: secondsBetween(session.issuedAt, session.expiresAt),
  user,
  sessionId: session.id,
  device: session.device,
  expiresAt: session.expiresAt,
  roleId,
})

/** Source: 01-access.md, Token data. */
export const tokenView = ({ accessToken, expiresInSeconds, user }: SignedIn) => ({
  access_token: accessToken,
  token_type: 'bearer',
  expires_in: expiresInSeconds,
  user: userView(user),
})

/** Source: 01-access.md, POST /access/auth/login; decisions.md §1, Sessions and codes. */
export const sessionTokenView = ({ accessToken, expiresInSeconds, expiresAt, sessionId }: SignedIn) => ({
  token: accessToken,
  session_duration: expiresInSeconds,
  expires_at: localDateTime(expiresAt),
  session_id: sessionId,
})

/** The same for the dashboard that asks for who signed in. */
export const dashboardTokenView = (signed: SignedIn) => {
  const { session_id: _, ...token } = sessionTokenView(signed)
  return { ...token, user: memberView(signed.user), roles: signed.roleId === null ? [] : [roleView(signed.roleId)] }
}

/** Source: 01-access.md, POST /access/account/get-token; decisions.md §1, Sessions and codes. */
export const keyTokenView = ({ accessToken, expiresAt, roleId }: SignedIn) => ({
  token: accessToken,
  token_type: 'Bearer',
  expires_at: withOffset(expiresAt),
  permissions: roleId === null ? [] : permissionsByKey(roleId),
})
