/** No user is signed in, or the session has ended. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut'
}

/** The API replied with a problem document. */
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
interface Claims {
  readonly sub: string
  readonly email?: string
  readonly name?: string
}

/** The key of the refresh token, which is stored as long as the window is open. The ID token is never stored. */
const REFRESH_KEY = 'portico.panel.refresh'

/** If the browser refuses to store, a reload signs out. */
const stored = {
  read(): string | null {
    try {
      return sessionStorage.getItem(REFRESH_KEY)
    } catch {
      return null
    }
  },
  write(token: string | null): void {
    try {
      if (token === null) sessionStorage.removeItem(REFRESH_KEY)
      else sessionStorage.setItem(REFRESH_KEY, token)
    } catch {
      // See above.
    }
  },
}

/** A problem document of RFC 9457. */
interface Problem {
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly { readonly message: string }[]
}

const problemOf = async (answer: Response): Promise<ApiProblem> => {
  const { code = '', detail = '', errors = [] }: Problem = await answer.json().catch(() => ({}))
  // Forms are short: the first error is enough.
  return new ApiProblem(answer.status, code, errors[0]?.message ?? detail)
}

const FAILED = 'Não foi possível agora. Confira a conexão e tente de novo.'

/** Returns the message of an error. */
export const messageOf = (error: unknown): string => (error instanceof ApiProblem ? error.message : FAILED)

/** Returns a POST with a JSON body. */
export const postJson = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
})

/** Returns the session of this window, and its requests to the API. `root` is the path from the page to the API. */
export const sessionOf = (provider: Provider, root: string) => {
  let tokens: Tokens | null = null
  let renewing: { readonly with: string; readonly tokens: Promise<Tokens> } | null = null

  const store = (next: Tokens | null): void => {
    tokens = next
    stored.write(next?.refreshToken ?? null)
  }
  /** Reports whether the session is still the one of this refresh token. */
  const isCurrent = (refreshToken: string): boolean => (tokens?.refreshToken ?? stored.read()) === refreshToken
  const renewed = async (refreshToken: string): Promise<Tokens> => {
    try {
      const next = await provider.renew(refreshToken)
      if (!isCurrent(refreshToken)) throw new SignedOut()
      store(next)
      return next
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (isCurrent(refreshToken)) store(null)
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
  /** Returns a valid ID token: another one than the refused one, if any. */
  const freshToken = async (refused: string | null = null): Promise<string> => {
    if (tokens === null) throw new SignedOut()
    const isGood = tokens.idToken !== refused && tokens.renewAt > Date.now()
    return (isGood ? tokens : await renew(tokens.refreshToken)).idToken
  }
  const send = (path: string, token: string, init: RequestInit): Promise<Response> =>
    fetch(root + path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` },
      cache: 'no-store',
    })
  /** Sends a request to the API. Rejects with `SignedOut`, `ApiProblem`, or as `fetch` does. */
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const token = await freshToken()
    const first = await send(path, token, init)
    const answer = first.status === 401 ? await send(path, await freshToken(token), init) : first
    if (answer.status === 401) {
      store(null)
      throw new SignedOut()
    }
    if (!answer.ok) throw await problemOf(answer)
    return answer
  }
  return {
    request,
    read: async <T>(path: string, init?: RequestInit): Promise<T> => (await request(path, init)).json(),
    async signIn(email: string, password: string): Promise<void> {
      store(await provider.signIn(email, password))
    },
    async signUp(email: string, password: string, name: string): Promise<void> {
      store(await provider.signUp(email, password, name))
    },
    /** The claims of the ID token. */
    async claims(): Promise<Claims> {
      const [, payload = ''] = (await freshToken()).split('.')
      const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (byte) => byte.charCodeAt(0))
      return JSON.parse(new TextDecoder().decode(bytes))
    },
    /** Makes the provider send a code that confirms the e-mail. */
    sendVerification: async (): Promise<void> => provider.sendVerification(await freshToken()),
    canResume: (): boolean => stored.read() !== null,
    /** Resumes the session that this window had before a reload. Rejects with `SignedOut`, or as `fetch` does. */
    async resume(): Promise<void> {
      const token = stored.read()
      if (token === null) throw new SignedOut()
      await renew(token)
    },
    signOut: (): void => store(null),
  }
}

export type Session = ReturnType<typeof sessionOf>

/** The tokens of a signed-in user. */
interface Tokens {
  readonly idToken: string
  readonly refreshToken: string
  /** The time of renewal by the clock of this browser, in milliseconds since 1970. */
  readonly renewAt: number
}

/** The provider refused a request, with a code of its own: `INVALID_LOGIN_CREDENTIALS`. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

interface Addresses {
  readonly password: string
  readonly refresh: string
  readonly key: string
}

/** The reply of a sign-in or of a renewal, which name the same fields differently. */
interface TokenReply {
  readonly idToken?: string
  readonly id_token?: string
  readonly refreshToken?: string
  readonly refresh_token?: string
  readonly expiresIn?: string
  readonly expires_in?: string
  readonly error?: { readonly message?: string }
}

const HOUR_SECONDS = 3_600
/** A token is renewed this long before it expires: requests take time, and clocks differ. */
const AHEAD_SECONDS = 60

const tokensOf = (reply: TokenReply): Tokens => {
  const seconds = Number(reply.expiresIn ?? reply.expires_in ?? HOUR_SECONDS)
  return {
    idToken: reply.idToken ?? reply.id_token ?? '',
    refreshToken: reply.refreshToken ?? reply.refresh_token ?? '',
    renewAt: Date.now() + (seconds - AHEAD_SECONDS) * 1_000,
  }
}

/** Returns the code of `TOO_MANY_ATTEMPTS_TRY_LATER : Access has been disabled`, without the explanation. */
const codeOf = ({ error }: TokenReply): string => error?.message?.split(/[\s:]/)[0] ?? 'UNKNOWN'

const post = async (url: string, key: string, body: BodyInit, type: string): Promise<TokenReply> => {
  const answer = await fetch(`${url}?key=${encodeURIComponent(key)}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
    referrerPolicy: 'no-referrer',
  })
  const reply: TokenReply = await answer.json()
  if (!answer.ok) throw new Refused(codeOf(reply))
  return reply
}

const requestTokens = async (...sent: Parameters<typeof post>): Promise<Tokens> => tokensOf(await post(...sent))

const JSON_TYPE = 'application/json'

/** Returns the calls of the identity provider (Firebase Auth REST API). They reject with `Refused`, or as `fetch` does. */
export const providerAt = ({ password, refresh, key }: Addresses) => {
  const accounts = password.replace(/:signInWithPassword$/, '')
  const perform = async (operation: string, sent: object): Promise<void> => {
    await post(`${accounts}:${operation}`, key, JSON.stringify(sent), JSON_TYPE)
  }
  return {
    signIn: (email: string, secret: string): Promise<Tokens> =>
      requestTokens(password, key, JSON.stringify({ email, password: secret, returnSecureToken: true }), JSON_TYPE),
    signUp: (email: string, secret: string, displayName: string): Promise<Tokens> => {
      const sent = { email, password: secret, displayName, returnSecureToken: true }
      return requestTokens(`${accounts}:signUp`, key, JSON.stringify(sent), JSON_TYPE)
    },
    /** Makes the provider send a code for a new password. */
    sendReset: (email: string): Promise<void> => perform('sendOobCode', { requestType: 'PASSWORD_RESET', email }),
    sendVerification: (idToken: string): Promise<void> =>
      perform('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken }),
    reset: (oobCode: string, newPassword: string): Promise<void> => perform('resetPassword', { oobCode, newPassword }),
    confirm: (oobCode: string): Promise<void> => perform('update', { oobCode }),
    renew: (refreshToken: string): Promise<Tokens> =>
      requestTokens(
        refresh,
        key,
        new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
        'application/x-www-form-urlencoded',
      ),
  }
}

type Provider = ReturnType<typeof providerAt>
