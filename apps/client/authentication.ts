import { PorticoError } from './errors.ts'

/**
 * The caller's access to an API.
 *
 * - `token`: a token or a named API key, or a function that returns one. The function is called for each request, with
 *   the token that the server refused last, if any, for which it returns a new one:
 *   `(refused) => user.getIdToken(refused !== null)`.
 * - `email` and `password`: the client signs in at `POST /v1/auth/login`, and renews its token before it ends.
 * - `email` and `apiKey`: the client exchanges the API key of an account for a token at `POST
 *   /access/account/get-token`.
 */
export type Authentication =
  | { readonly token: string | ((refused: string | null) => string | Promise<string>) }
  | { readonly email: string; readonly password: string }
  | { readonly email: string; readonly apiKey: string }

/** The tokens of a caller. */
export interface Tokens {
  current(): Promise<string>
  /** Discards a token that the server refused. */
  forget(refused: string): void
}

/** Sends a POST once, with a token if given, and returns its JSON. */
type Post = (path: string, body: object, token: string | null) => Promise<unknown>

interface Issued {
  readonly token: string
  /** The expiry of the token, by the client's clock. */
  readonly endsAtMs: number
}

/** The time before its end at which a token is renewed, at the earliest after half of its life. */
const SPARE_MS = 60_000

type Fields = { readonly [key: string]: unknown }
const dataOf = (reply: unknown): Fields => ((reply as Fields | null)?.data ?? {}) as Fields

const withoutToken = (path: string, isChallenge: boolean) =>
  isChallenge
    ? new PorticoError({
        code: 'second-factor.required',
        message: `POST ${path}: the user has a second factor; complete the log-in yourself and pass its token`,
      })
    : new PorticoError({ code: 'reply.unreadable', message: `POST ${path}: an answer without a token` })

const issuedBy = async (reply: Promise<unknown>, path: string, now: () => number): Promise<Issued> => {
  const { access_token, token = access_token, expires_in, expires_at, challenge } = dataOf(await reply)
  if (typeof token !== 'string') throw withoutToken(path, challenge !== undefined)
  const lifeMs = typeof expires_in === 'number' ? expires_in * 1_000 : Date.parse(String(expires_at)) - now()
  return { token, endsAtMs: now() + (Number.isFinite(lifeMs) ? Math.max(lifeMs - SPARE_MS, lifeMs / 2) : SPARE_MS) }
}

/** Tokens that are issued one after the other: simultaneous requests wait for the same one. */
const issuedTokens = (now: () => number, issue: (last: string | null) => Promise<Issued>): Tokens => {
  let issued: Issued | null = null
  let issuing: Promise<string> | null = null
  const renew = (): Promise<string> => {
    issuing ??= issue(issued?.token ?? null)
      .then((next) => {
        issued = next
        return next.token
      })
      .finally(() => {
        issuing = null
      })
    return issuing
  }
  return {
    current: async () => (issued && issued.endsAtMs > now() && !issuing ? issued.token : renew()),
    forget(refused) {
      // A refused token cannot be refreshed.
      if (issued?.token === refused) issued = null
    },
  }
}

const LOGIN = '/v1/auth/login'
const REFRESH = '/v1/auth/refresh'
const KEY_TOKEN = '/access/account/get-token'

/** The tokens of an authentication. */
export const tokensOf = (authentication: Authentication, post: Post, now: () => number): Tokens => {
  if ('token' in authentication) {
    const { token } = authentication
    if (typeof token === 'string') return { current: async () => token, forget: () => {} }
    let last: string | null = null
    return {
      async current() {
        const next = await token(last)
        if (next !== last) last = null
        return next
      },
      forget(refused) {
        last = refused
      },
    }
  }
  if ('apiKey' in authentication) {
    const { email, apiKey } = authentication
    return issuedTokens(now, () => issuedBy(post(KEY_TOKEN, { email, token: apiKey }, null), KEY_TOKEN, now))
  }
  const { email, password } = authentication
  const logIn = () => issuedBy(post(LOGIN, { email, password }, null), LOGIN, now)
  return issuedTokens(now, (last) =>
    // After any failure the last token may be invalid: a new session begins.
    last === null ? logIn() : issuedBy(post(REFRESH, {}, last), REFRESH, now).catch(logIn),
  )
}
