import { signal } from '@preact/signals'
import { NOT_MODIFIED, Refused, SignedOut } from '../../../panels/browser/connection.ts'
import { provider, type Tokens } from './provider.ts'
import type { Profile } from './wire.ts'

type View =
  | { readonly name: 'wait'; readonly text: string }
  | SignInView
  | { readonly name: 'refused'; readonly title: string; readonly why: string }
  | { readonly name: 'found'; readonly founder: string }
  | { readonly name: 'reset' }
  | { readonly name: 'board'; readonly profile: Profile }

export interface SignInView {
  readonly name: 'enter'
  /** The reason of the sign-in, as a failure or as a confirmation. */
  readonly error?: string
  readonly notice?: string
  /** The form as an invitation fills it. */
  readonly email?: string
  readonly isNew?: boolean
}

export const WAIT: View = { name: 'wait', text: 'Abrindo o painel…' }

export const view = signal<View>(WAIT)

/** The claims of an ID token that the panel reads. */
interface Claims {
  readonly sub: string
  readonly email?: string
  readonly name?: string
}

/** The key of the refresh token, which is stored as long as the window is open. The ID token is never stored. */
const REFRESH_KEY = 'portico.panel.refresh'

/** The store of the refresh token. If the browser refuses to store, a reload signs out. */
const tokenStore = {
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
  readonly hint?: string
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}

export const refusalOf = async (answer: Response): Promise<Refused> => {
  const { code, detail: message, hint, errors = [] }: Problem = await answer.json().catch(() => ({}))
  const fields = Object.fromEntries(errors.map(({ field, message: wrong }) => [field, wrong]))
  return new Refused(answer.status, { message, code, hint, fields })
}

export const postJson = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
})

/** The path from the page to the API. */
const { root = '' } = document.querySelector<HTMLElement>('#panel')?.dataset ?? {}

let tokens: Tokens | null = null
let renewing: { readonly with: string; readonly tokens: Promise<Tokens> } | null = null
/** Changes with each sign-in and sign-out: an answer to an earlier session is dropped. */
let generation = 0

const store = (next: Tokens | null): void => {
  tokens = next
  tokenStore.write(next?.refreshToken ?? null)
}

/** Ends the session in this window. */
export const signOut = (): void => {
  generation += 1
  store(null)
}

/** Ends the session, and shows the sign-in. */
export const leave = (why: Omit<SignInView, 'name'> = {}): void => {
  signOut()
  view.value = { name: 'enter', ...why }
}

export const ENDED = { error: 'Sua sessão terminou. Entre de novo.' }

/** Reports whether the session is still the one of this refresh token. */
const isCurrent = (refreshToken: string): boolean => (tokens?.refreshToken ?? tokenStore.read()) === refreshToken

const renewTokens = async (refreshToken: string): Promise<Tokens> => {
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
  if (renewing?.with !== refreshToken) renewing = { with: refreshToken, tokens: renewTokens(refreshToken) }
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

/** Sends a request without a user. */
export const requestPublic = (path: string, init: RequestInit): Promise<Response> => fetch(root + path, init)

const send = (path: string, token: string, init: RequestInit): Promise<Response> =>
  requestPublic(path, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` },
    cache: 'no-store',
  })

/** Sends a request of the signed-in user. Rejects with `SignedOut`, `Refused`, or as `fetch` does. */
export const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const at = generation
  try {
    const token = await freshToken()
    const first = await send(path, token, init)
    const answer = first.status === 401 ? await send(path, await freshToken(token), init) : first
    if (answer.status === 401 || at !== generation) throw new SignedOut()
    if (!answer.ok && answer.status !== NOT_MODIFIED) throw await refusalOf(answer)
    return answer
  } catch (error) {
    if (error instanceof SignedOut && at === generation) leave(ENDED)
    throw error
  }
}

/** As `request`, and returns the JSON of the answer. */
export const read = async <T>(path: string, init?: RequestInit): Promise<T> => (await request(path, init)).json()

export const signIn = async (email: string, secret: string): Promise<void> =>
  store(await provider.signIn(email, secret))

export const signUp = async (email: string, secret: string, name: string): Promise<void> =>
  store(await provider.signUp(email, secret, name))

export const readClaims = async (): Promise<Claims> => {
  const [, payload = ''] = (await freshToken()).split('.')
  const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (byte) => byte.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** Makes the provider send a code that confirms the e-mail. */
export const sendVerification = async (): Promise<void> => provider.sendVerification(await freshToken())

export const canResume = (): boolean => tokenStore.read() !== null

/** Resumes the session that this window had before a reload. Rejects with `SignedOut`, or as `fetch` does. */
export const resume = async (): Promise<void> => {
  const token = tokenStore.read()
  if (token === null) throw new SignedOut()
  await renew(token)
}
