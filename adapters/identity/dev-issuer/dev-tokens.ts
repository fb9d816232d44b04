import { epochSeconds, type Instant } from '../../../core/kernel/values/day.ts'
import { digest } from '../../crypto/digest.ts'
import type { DevAccount } from './dev-accounts.ts'
import type { DevKeys } from './dev-keys.ts'

/** Source: 03-real-estate.md, Limits. */
export const DEV_TOKEN_SECONDS = 3_600

/** Somebody who is signed in. */
export interface DevSession {
  readonly account: DevAccount
  /** A JWT as Firebase makes them, whose e-mail counts as verified. */
  readonly idToken: string
  /** Good until the password changes. */
  readonly refreshToken: string
}

const idTokenOf = (keys: DevKeys, account: DevAccount, now: Instant, signedInSeconds: number): Promise<string> => {
  const { id, email, displayName: name, photoUrl: picture } = account
  const iat = epochSeconds(now)
  return keys.sign({
    sub: id,
    user_id: id,
    email,
    email_verified: true,
    ...(name !== null && { name }),
    ...(picture !== null && { picture }),
    auth_time: signedInSeconds,
    iat,
    exp: iat + DEV_TOKEN_SECONDS,
    firebase: { identities: { email: [email] }, sign_in_provider: 'password' },
  })
}

const markOf = (keys: DevKeys, { id, passwordHash }: DevAccount, signedInSeconds: string): string =>
  keys.mark(JSON.stringify([id, signedInSeconds, passwordHash]))

/** The tokens of somebody who signed in at this moment, or at another, in seconds since 1970. */
export const sessionOf = async (
  keys: DevKeys,
  account: DevAccount,
  now: Instant,
  signedInSeconds = epochSeconds(now),
): Promise<DevSession> => {
  const { id } = account
  const since = `${signedInSeconds}`
  return {
    account,
    idToken: await idTokenOf(keys, account, now, signedInSeconds),
    refreshToken: [id, since, markOf(keys, account, since)].join('.'),
  }
}

const REFRESH_TOKEN = /^(\w+)\.(\d{1,12})\.([\w-]+)$/

/** Whose a refresh token says it is; null where it is none. */
export const refreshedId = (refreshToken: string): string | null => REFRESH_TOKEN.exec(refreshToken)?.[1] ?? null

/** When they signed in who have this refresh token, in seconds since 1970; null where it is not, or no more, of the account. */
export const signedInBy = (keys: DevKeys, account: DevAccount, refreshToken: string): number | null => {
  const [, id, since = '', mark = ''] = REFRESH_TOKEN.exec(refreshToken) ?? []
  return id === account.id && digest.equal(mark, markOf(keys, account, since)) ? Number(since) : null
}
