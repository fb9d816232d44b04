import { signal } from '@preact/signals'

/** The session has ended, or no user is signed in. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut'
}

/** The API refused a request. The message is for users; `fields` has the message of each wrong field by its path. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly code: string
  readonly hint: string | null
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, { message, error_code, hint, errors = {} }: FailureBody) {
    super(message ?? UNREACHABLE)
    this.status = status
    this.code = error_code ?? ''
    this.hint = hint ?? null
    this.fields = Object.fromEntries(Object.entries(errors).map(([path, [first = '']]) => [path, first]))
  }
}

interface FailureBody {
  readonly message?: string
  readonly error_code?: string
  readonly hint?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

const UNREACHABLE = 'Não foi possível falar com o servidor. Confira a conexão e tente de novo.'

/** Returns the message of an error for the user. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Refused)) return UNREACHABLE
  return error.hint === null ? error.message : `${error.message} ${error.hint}`
}

/** A user's account, as the panel shows it. */
export interface Organization {
  readonly id: number
  readonly name: string
  readonly status: string
}

/** The signed-in user and the chosen account. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly isConfirmed: boolean
  readonly organizations: readonly Organization[]
}

interface StoredSession {
  readonly token: string
  /** Milliseconds since 1970, by the clock of this browser. */
  readonly renewAt: number
  readonly organizationId: number | null
}

/** The key of the session in `sessionStorage`, which lasts as long as the window. */
const KEY = 'portico.panel'
/** The token is renewed this long before it expires: requests take time, and clocks differ. */
const AHEAD_SECONDS = 120

/** If the browser refuses to store, a reload signs out. */
const readStored = (): StoredSession | null => {
  try {
    const text = sessionStorage.getItem(KEY)
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const writeStored = (session: StoredSession | null): void => {
  try {
    if (session === null) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify(session))
  } catch {
    // See readStored.
  }
}

const session = signal<StoredSession | null>(readStored())

/** The signed-in user; null before the first answer. */
export const person = signal<Person | null>(null)
/** The permissions of the user in the chosen account. */
const permissions = signal<ReadonlySet<string>>(new Set())
/** The chosen account; null without one. */
export const organization = signal<Organization | null>(null)
/** False while the server cannot be reached. */
export const isOnline = signal(true)

export const isSignedIn = (): boolean => session.value !== null

export const may = (permission: string): boolean => permissions.value.has(permission)

const setSession = (next: StoredSession | null): void => {
  session.value = next
  writeStored(next)
  if (next !== null) return
  person.value = null
  organization.value = null
  permissions.value = new Set()
}

interface TokenReply {
  readonly data: { readonly access_token: string; readonly expires_in: number }
}

const accept = ({ data: { access_token: token, expires_in } }: TokenReply): void => {
  const organizationId = session.value?.organizationId ?? null
  setSession({ token, renewAt: Date.now() + (expires_in - AHEAD_SECONDS) * 1_000, organizationId })
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Options {
  readonly body?: object
  /** The idempotency key: a repeated request with the same key has no second effect. */
  readonly key?: string
  readonly token?: string | null
}

/** The path of the API, relative to the page, which may be mounted below a prefix. */
const root = document.querySelector<HTMLElement>('#panel')?.dataset.root ?? ''

const send = async (method: Method, path: string, { body, key, token = null }: Options): Promise<Response> => {
  const organizationId = session.value?.organizationId
  try {
    const answer = await fetch(root + path, {
      method,
      cache: 'no-store',
      headers: {
        Accept: 'application/json',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(token !== null && organizationId && { 'X-Account-Id': `${organizationId}` }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    isOnline.value = true
    return answer
  } catch (error) {
    isOnline.value = false
    throw error
  }
}

const resultOf = async <T>(answer: Response): Promise<T> => {
  if (answer.ok) return answer.json()
  throw new Refused(answer.status, await answer.json().catch(() => ({})))
}

let renewing: Promise<string> | null = null

const renew = (token: string): Promise<string> => {
  renewing ??= send('POST', 'v1/auth/refresh', { token })
    .then((answer) => {
      if (answer.status === 401) {
        setSession(null)
        throw new SignedOut()
      }
      return resultOf<TokenReply>(answer)
    })
    .then((reply) => {
      accept(reply)
      return reply.data.access_token
    })
    .finally(() => {
      renewing = null
    })
  return renewing
}

const validToken = async (): Promise<string> => {
  const current = session.value
  if (current === null) throw new SignedOut()
  return current.renewAt > Date.now() ? current.token : renew(current.token)
}

/** Sends a request of the signed-in user. Rejects with `SignedOut`, `Refused`, or as `fetch` does. */
export const fetchAs = async (method: Method, path: string, options: Options = {}): Promise<Response> => {
  const answer = await send(method, path, { ...options, token: await validToken() })
  if (answer.status === 401) {
    setSession(null)
    throw new SignedOut()
  }
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => ({})))
  return answer
}

/** As `fetchAs`, and returns the JSON of the answer. */
export const request = async <T>(method: Method, path: string, options: Options = {}): Promise<T> =>
  (await fetchAs(method, path, options)).json()

/** Sends a request without a user. */
export const requestPublic = async <T>(method: Method, path: string, body?: object): Promise<T> =>
  resultOf<T>(await send(method, path, body ? { body } : {}))

export const signIn = async (email: string, password: string): Promise<void> =>
  accept(await requestPublic<TokenReply>('POST', 'v1/auth/login', { email, password }))

export const register = async (fields: object): Promise<void> =>
  accept(await requestPublic<TokenReply>('POST', 'v1/auth/register', fields))

/** Ends the session here and at the server, which may be out of reach. */
export const signOut = async (): Promise<void> => {
  const token = session.value?.token
  setSession(null)
  if (token) await send('POST', 'v1/auth/logout', { token }).catch(() => {})
}

interface MeReply {
  readonly user: {
    readonly name: string
    readonly email: string
    readonly email_verified_at: string | null
    readonly organizations: readonly Organization[]
  }
}

/** Reads the user, and chooses the account of the last choice, or the only one. */
export const readPerson = async (): Promise<void> => {
  const { user } = await request<MeReply>('GET', 'v1/auth/me')
  const { name, email, organizations } = user
  person.value = { name, email, isConfirmed: user.email_verified_at !== null, organizations }
  const last = organizations.find(({ id }) => id === session.value?.organizationId)
  const chosen = last ?? (organizations.length === 1 ? organizations[0] : undefined)
  if (chosen) await choose(chosen)
}

/** Acts in an account from now on. */
export const choose = async (chosen: Organization | null): Promise<void> => {
  const current = session.value
  if (current === null) throw new SignedOut()
  setSession({ ...current, organizationId: chosen?.id ?? null })
  if (chosen) {
    const me = await request<{ readonly permissions: readonly string[] }>('GET', 'access/auth/me')
    permissions.value = new Set(me.permissions)
  }
  organization.value = chosen
}
