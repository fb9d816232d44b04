import type { Tokens } from '../../ports/tokens.ts'
import { ACCESS_TOKEN_SECONDS, claimsOf, type Session } from './session.ts'
import { type User, userView } from './user.ts'

/** What somebody gets who signed in. */
export interface SignedIn {
  readonly accessToken: string
  readonly expiresInSeconds: number
  readonly user: User
}

export const signedIn = (tokens: Tokens, session: Session, user: User): SignedIn => ({
  accessToken: tokens.sign(claimsOf(session)),
  expiresInSeconds: ACCESS_TOKEN_SECONDS,
  user,
})

/** Source: 01-access.md, Token data. */
export const tokenView = ({ accessToken, expiresInSeconds, user }: SignedIn) => ({
  access_token: accessToken,
  token_type: 'bearer',
  expires_in: expiresInSeconds,
  user: userView(user),
})
