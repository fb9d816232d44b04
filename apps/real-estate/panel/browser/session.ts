/** Nobody is signed in, or no longer. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut'
}

/** The API answered, and not with what was asked for. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, detail: string) {
    super(detail)
    this.status = status
    this.code = code
  }
}

/** The claims of an ID token that the panel reads. */
export interface Claims {
  readonly sub: string
  readonly email?: string
  readonly name?: string
}

/** The refresh token of this window, which ends with it. The ID token is never kept. */
const KEPT = 'portico.panel.refresh'

/** Some browsers keep nothing for whoever wants it so: then a reload signs out. */
const kept = {
  read(): string | null {
    try {
      return sessionStorage.getItem(KEPT)
    } catch {
      return null
    }
  },
  write(token: string | null): void {
    try {
      if (token === null) sessionStorage.removeItem(KEPT)
      else sessionStorage.setItem(KEPT, token)
    } catch {
      // As above.
    }
  },
}

/** A problem as RFC 9457 has it. */
interface Told {
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly { readonly message: string }[]
}

const problemOf = async (answer: Response): Promise<ApiProblem> => {
  const { code = '', detail = '', errors = [] }: Told = await answer.json().catch(() => ({}))
  // Of wrong fields the panel shows the first: its forms are short.
  return new ApiProblem(answer.status, code, errors[0]?.message ?? detail)
}

/** Who is signed in in this window, and what they ask of the API, which lies at `up` from the page. */
export const sessionOf = (provider: Provider, up: string) => {
  let tokens: Tokens | null = null
  let renewing: { readonly with: string; readonly tokens: Promise<Tokens> } | null = null

  const hold = (next: Tokens | null): void => {
    tokens = next
    kept.write(next?.refreshToken ?? null)
  }
  /** Whether nobody has signed out, or in as another, since this was asked with. */
  const isHeld = (refreshToken: string): boolean => (tokens?.refreshToken ?? kept.read()) === refreshToken
  const renewed = async (refreshToken: string): Promise<Tokens> => {
    try {
      const next = await provider.renew(refreshToken)
      if (!isHeld(refreshToken)) throw new SignedOut()
      hold(next)
      return next
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (isHeld(refreshToken)) hold(null)
      throw new SignedOut()
    }
  }
  const renew = (refreshToken: string): Promise<Tokens> => {
    if (renewing?.with !== refreshToken) renewing = { with: refreshToken, tokens: renewed(refreshToken) }
    const mine = renewing
    return mine.tokens.finally(() => {
      if (renewing === mine) renewing = null
    })
  }
  /** Another token than the one that was refused, if any. */
  const fresh = async (refused: string | null = null): Promise<string> => {
    if (tokens === null) throw new SignedOut()
    const isGood = tokens.idToken !== refused && tokens.endsAt > Date.now()
    return (isGood ? tokens : await renew(tokens.refreshToken)).idToken
  }
  const send = (path: string, token: string, init: RequestInit): Promise<Response> =>
    fetch(up + path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` },
      cache: 'no-store',
    })
  /** Asks the API. Rejects with `SignedOut`, `ApiProblem`, or as `fetch` does. */
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const token = await fresh()
    const first = await send(path, token, init)
    const answer = first.status === 401 ? await send(path, await fresh(token), init) : first
    if (answer.status === 401) {
      hold(null)
      throw new SignedOut()
    }
    if (!answer.ok) throw await problemOf(answer)
    return answer
  }
  return {
    ask,
    read: async <T>(path: string, init?: RequestInit): Promise<T> => (await ask(path, init)).json(),
    async enter(email: string, password: string): Promise<void> {
      hold(await provider.signIn(email, password))
    },
    async signUp(email: string, password: string, name: string): Promise<void> {
      hold(await provider.signUp(email, password, name))
    },
    /** The claims of the ID token. */
    async claims(): Promise<Claims> {
      const [, payload = ''] = (await fresh()).split('.')
      const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (byte) => byte.charCodeAt(0))
      return JSON.parse(new TextDecoder().decode(bytes))
    },
    /** Has the provider mail a code that confirms the e-mail. */
    verify: async (): Promise<void> => provider.verify(await fresh()),
    canResume: (): boolean => kept.read() !== null,
    /** Goes on with what this window had before it was loaded anew. Rejects with `SignedOut`, or as `fetch` does. */
    async resume(): Promise<void> {
      const token = kept.read()
      if (token === null) throw new SignedOut()
      await renew(token)
    },
    leave: (): void => hold(null),
  }
}

export type Session = ReturnType<typeof sessionOf>

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

const requestTokens = async (...sent: Parameters<typeof request>): Promise<Tokens> => tokensOf(await request(...sent))

const JSON_TYPE = 'application/json'

/** The calls of the identity provider. Rejects with `Refused`, or as `fetch` does. Source: Firebase Auth REST API. */
export const providerAt = ({ password, refresh, key }: Addresses) => {
  const accounts = password.replace(/:signInWithPassword$/, '')
  const does = async (operation: string, sent: object): Promise<void> => {
    await request(`${accounts}:${operation}`, key, JSON.stringify(sent), JSON_TYPE)
  }
  return {
    signIn: (email: string, secret: string): Promise<Tokens> =>
      requestTokens(password, key, JSON.stringify({ email, password: secret, returnSecureToken: true }), JSON_TYPE),
    signUp: (email: string, secret: string, displayName: string): Promise<Tokens> => {
      const sent = { email, password: secret, displayName, returnSecureToken: true }
      return requestTokens(`${accounts}:signUp`, key, JSON.stringify(sent), JSON_TYPE)
    },
    /** Has the provider mail a code for a new password. */
    forget: (email: string): Promise<void> => does('sendOobCode', { requestType: 'PASSWORD_RESET', email }),
    /** Has the provider mail a code that confirms the e-mail of a token. */
    verify: (idToken: string): Promise<void> => does('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken }),
    reset: (oobCode: string, newPassword: string): Promise<void> => does('resetPassword', { oobCode, newPassword }),
    confirm: (oobCode: string): Promise<void> => does('update', { oobCode }),
    renew: (refreshToken: string): Promise<Tokens> =>
      requestTokens(
        refresh,
        key,
        new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
        'application/x-www-form-urlencoded',
      ),
  }
}

export type Provider = ReturnType<typeof providerAt>
