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

const ask = async (url: string, key: string, body: BodyInit, type: string): Promise<Tokens> => {
  const answer = await fetch(`${url}?key=${encodeURIComponent(key)}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
    referrerPolicy: 'no-referrer',
  })
  const answered: Answered = await answer.json()
  if (!answer.ok) throw new Refused(wordOf(answered))
  return tokensOf(answered)
}

/** The calls of the identity provider. Rejects with `Refused`, or as `fetch` does. Source: Firebase Auth REST API. */
export const providerAt = ({ password, refresh, key }: Addresses) => ({
  signIn: (email: string, secret: string): Promise<Tokens> =>
    ask(password, key, JSON.stringify({ email, password: secret, returnSecureToken: true }), 'application/json'),
  renew: (refreshToken: string): Promise<Tokens> =>
    ask(
      refresh,
      key,
      new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      'application/x-www-form-urlencoded',
    ),
})

export type Provider = ReturnType<typeof providerAt>
