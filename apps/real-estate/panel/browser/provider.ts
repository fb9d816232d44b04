/** What somebody who is signed in has. */
export interface Tokens {
  readonly idToken: string
  readonly refreshToken: string
  /** By the clock of this browser, in milliseconds since 1970. */
  readonly endsAt: number
}

/** The provider refused, with a word of its own: `INVALID_LOGIN_CREDENTIALS`. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

interface Addresses {
  readonly password: string
  readonly refresh: string
  readonly key: string
}

/** What both calls answer, each under names of its own. */
interface Answered {
  readonly idToken?: string
  readonly id_token?: string
  readonly refreshToken?: string
  readonly refresh_token?: string
  readonly expiresIn?: string
  readonly expires_in?: string
  readonly error?: { readonly message?: string }
}

const HOUR_SECONDS = 3_600
/** A token is renewed while it still has so long: requests take time, and clocks differ. */
const AHEAD_SECONDS = 60

const tokensOf = (answered: Answered): Tokens => {
  const seconds = Number(answered.expiresIn ?? answered.expires_in ?? HOUR_SECONDS)
  return {
    idToken: answered.idToken ?? answered.id_token ?? '',
    refreshToken: answered.refreshToken ?? answered.refresh_token ?? '',
    endsAt: Date.now() + (seconds - AHEAD_SECONDS) * 1_000,
  }
}

/** `TOO_MANY_ATTEMPTS_TRY_LATER : Access has been disabled`: what follows the word is for programmers. */
const wordOf = ({ error }: Answered): string => error?.message?.split(/[\s:]/)[0] ?? 'UNKNOWN'

const request = async (url: string, key: string, body: BodyInit, type: string): Promise<Answered> => {
  const answer = await fetch(`${url}?key=${encodeURIComponent(key)}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
    referrerPolicy: 'no-referrer',
  })
  const answered: Answered = await answer.json()
  if (!answer.ok) throw new Refused(wordOf(answered))
  return answered
}

const ask = async (...sent: Parameters<typeof request>): Promise<Tokens> => tokensOf(await request(...sent))

const JSON_TYPE = 'application/json'

/** The calls of the identity provider. Rejects with `Refused`, or as `fetch` does. Source: Firebase Auth REST API. */
export const providerAt = ({ password, refresh, key }: Addresses) => {
  const accounts = password.replace(/:signInWithPassword$/, '')
  const does = async (operation: string, sent: object): Promise<void> => {
    await request(`${accounts}:${operation}`, key, JSON.stringify(sent), JSON_TYPE)
  }
  return {
    signIn: (email: string, secret: string): Promise<Tokens> =>
      ask(password, key, JSON.stringify({ email, password: secret, returnSecureToken: true }), JSON_TYPE),
    signUp: (email: string, secret: string, displayName: string): Promise<Tokens> => {
      const sent = { email, password: secret, displayName, returnSecureToken: true }
      return ask(`${accounts}:signUp`, key, JSON.stringify(sent), JSON_TYPE)
    },
    /** Has the provider mail a code for a new password. */
    forget: (email: string): Promise<void> => does('sendOobCode', { requestType: 'PASSWORD_RESET', email }),
    /** Has the provider mail a code that confirms the e-mail of a token. */
    verify: (idToken: string): Promise<void> => does('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken }),
    reset: (oobCode: string, newPassword: string): Promise<void> => does('resetPassword', { oobCode, newPassword }),
    confirm: (oobCode: string): Promise<void> => does('update', { oobCode }),
    renew: (refreshToken: string): Promise<Tokens> =>
      ask(
        refresh,
        key,
        new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
        'application/x-www-form-urlencoded',
      ),
  }
}

export type Provider = ReturnType<typeof providerAt>
