import { batch, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isOnline, isRefusedBy, isStale, NOT_MODIFIED, Refused, SignedOut } from '../../../panels/browser/connection.ts'
import { drafts } from '../../../panels/browser/form.tsx'
import { createUseLive } from '../../../panels/browser/live.ts'
import { hintForPeople, messageForPeople } from './words.ts'

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
  /** The idempotency key of a renewal without an answer: a repeat under it returns the token that was lost. */
  readonly renewalKey?: string
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
export const organization = signal<Organization | null>(null)
/** True if the chosen account requires a second factor, which the user does not have. */
export const isFactorMissing = signal(false)
/** A message for the sign-in page. */
export const notice = signal<string | null>(null)

/** Changes with each sign-in and sign-out: an answer to an earlier session is dropped. */
let generation = 0

export const isSignedIn = (): boolean => session.value !== null

export const may = (permission: string): boolean => permissions.value.has(permission)

const setSession = (next: StoredSession | null): void => {
  session.value = next
  writeStored(next)
}

/** Ends the session in this window. */
const leave = (message: string | null): void =>
  batch(() => {
    generation += 1
    renewing = null
    drafts.clear()
    setSession(null)
    person.value = null
    organization.value = null
    permissions.value = new Set()
    for (const { open } of [passwordPrompt, codePrompt, setUpPrompt]) open.value?.settle(false)
    isStale.value = false
    isFactorMissing.value = false
    notice.value = message
    location.hash = '#/'
  })

const ENDED = 'Sua sessão terminou. Entre de novo.'

export interface TokenReply {
  readonly data: { readonly access_token: string; readonly expires_in: number }
}

const accept = ({ data: { access_token: token, expires_in } }: TokenReply): void => {
  const organizationId = session.value?.organizationId ?? null
  setSession({ token, renewAt: Date.now() + (expires_in - AHEAD_SECONDS) * 1_000, organizationId })
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Options {
  readonly body?: object
  /** The idempotency key: a repeated request with the same key has no second effect. */
  readonly key?: string
  readonly token?: string | null
  /** Another account than the chosen one. */
  readonly accountId?: number
  /** The `ETag` of an answer that the page has: an equal one is 304. */
  readonly tag?: string | null
  /** The answered challenge that proves the second factor for this request. */
  readonly secondFactor?: string | undefined
}

/** The path of the API, relative to the page, which may be mounted below a prefix. */
const root = document.querySelector<HTMLElement>('#panel')?.dataset.root ?? ''

const send = async (
  method: Method,
  path: string,
  { body, key, token = null, accountId, tag, secondFactor }: Options,
): Promise<Response> => {
  const organizationId = accountId ?? session.value?.organizationId
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
        ...(tag && { 'If-None-Match': tag }),
        ...(secondFactor && { 'X-Second-Factor': secondFactor }),
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

/** The reply of an action with a message for the user. */
export interface MessageReply {
  readonly message: string
}

interface FailureBody {
  readonly message?: string
  /** The message of a refused withdrawal of card sales. */
  readonly error?: string
  readonly error_code?: string
  readonly hint?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

/** Hints for people, by the codes of failures whose own hint names a route to a program. */
const HINTS: Readonly<Record<string, string>> = {
  'pin.none': 'Crie-o em Saques, Sacar por Pix.',
  'second-factor.none': '',
  'organization.inactive': 'O dinheiro só sai de uma organização ativa. Peça a ativação a quem a administra.',
}

const refusalOf = async (answer: Response): Promise<Refused> => {
  const {
    error,
    message = error,
    error_code: code = '',
    errors = {},
    ...rest
  }: FailureBody = await answer.json().catch(() => ({}))
  const hint = rest.hint && (HINTS[code] ?? hintForPeople(rest.hint))
  const fields = Object.fromEntries(
    Object.entries(errors).map(([path, [first = '']]) => [path, messageForPeople(first)]),
  )
  const seconds = Number(answer.headers.get('Retry-After'))
  return new Refused(answer.status, { message, code, hint, fields, retryAfter: seconds > 0 ? seconds : null })
}

const resultOf = async <T>(answer: Response): Promise<T> => {
  if (answer.ok) return answer.json()
  throw await refusalOf(answer)
}

let renewing: Promise<string> | null = null

const renewed = async (token: string): Promise<string> => {
  const at = generation
  const key = session.value?.renewalKey ?? newKey()
  if (session.value) setSession({ ...session.value, renewalKey: key })
  const answer = await send('POST', 'v1/auth/refresh', { token, key })
  if (answer.status === 401) {
    if (at === generation) leave(ENDED)
    throw new SignedOut()
  }
  const reply = await resultOf<TokenReply>(answer)
  const next = reply.data.access_token
  if (at !== generation) {
    // The user has signed out since: the new token must not outlive the session.
    await send('POST', 'v1/auth/logout', { token: next }).catch(() => {})
    throw new SignedOut()
  }
  accept(reply)
  return next
}

const renew = (token: string): Promise<string> => {
  if (renewing) return renewing
  const mine = renewed(token).finally(() => {
    if (renewing === mine) renewing = null
  })
  renewing = mine
  return mine
}

const validToken = async (): Promise<string> => {
  const current = session.value
  if (current === null) throw new SignedOut()
  return current.renewAt > Date.now() ? current.token : renew(current.token)
}

const NO_FACTOR = 'Esta organização exige o segundo fator de todos os membros. Ative o seu para continuar.'

/**
 * Sends a request of the signed-in user. If the account requires a second factor that the user does not have, the user
 * sets it up and the request is repeated; data that is read again does not open the set-up a second time. Rejects with
 * `SignedOut`, `Refused`, or as `fetch` does.
 */
export const fetchAs = async (method: Method, path: string, options: Options = {}): Promise<Response> => {
  try {
    return await fetchSignedIn(method, path, options)
  } catch (error) {
    if (!isRefusedBy(error, 'second-factor.none')) throw error
    if (isFactorMissing.value && method === 'GET') throw error
    isFactorMissing.value = true
    if (!(await setUpFactor(NO_FACTOR))) throw error
    return fetchSignedIn(method, path, options)
  }
}

const fetchSignedIn = async (method: Method, path: string, options: Options = {}): Promise<Response> => {
  const at = generation
  const accountId = options.accountId ?? session.value?.organizationId
  const sent = { ...options, ...(accountId && { accountId }) }
  const token = await validToken()
  const first = await send(method, path, { ...sent, token })
  const current = session.value?.token
  // The token was renewed while the request was in flight.
  const isOld = first.status === 401 && at === generation && current !== undefined && current !== token
  const answer = isOld ? await send(method, path, { ...sent, token: current }) : first
  if (at !== generation) throw new SignedOut()
  if (answer.status === 401) {
    leave(ENDED)
    throw new SignedOut()
  }
  if (!answer.ok && answer.status !== NOT_MODIFIED) throw await refusalOf(answer)
  return answer
}

/** As `fetchAs`, and returns the JSON of the answer. */
export const request = async <T>(method: Method, path: string, options: Options = {}): Promise<T> =>
  (await fetchAs(method, path, options)).json()

/** Reads the file of an answer, and reports the bytes that have arrived. */
export const readFile = async (answer: Response, onProgress: (bytes: number) => void): Promise<Blob> => {
  const parts: BlobPart[] = []
  let bytes = 0
  const reader = answer.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return new Blob(parts)
    parts.push(value)
    bytes += value.length
    onProgress(bytes)
  }
}

/** A browser may begin a download later. */
const DOWNLOAD_MS = 60_000

export const saveFile = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_MS)
}

/** The interval for sums and lists that change seldom. */
export const SLOW_MS = 10_000
/** Data that does not change while the view is open. */
export const NEVER_MS = 86_400_000

/** Reads a path of the API, and again every two seconds while the page is visible. A null path reads nothing. */
export const useLive = createUseLive((path, tag) => fetchAs('GET', path, { tag }))

/** A hundred and twenty-eight random bits; `crypto.randomUUID` needs https. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

interface OpenKey {
  readonly key: string
  /** An attempt ended without an answer, so it may have had an effect. */
  isUncertain: boolean
}

/** The keys of requests that have not succeeded, by user, account, path and body. */
const openKeys = new Map<string, OpenKey>()

/**
 * Sends a POST under an idempotency key. The key outlives the form: a repeat of a request whose answer was lost has no
 * second effect, even if the form was left meanwhile.
 */
export const requestOnce = async <T>(
  path: string,
  body: Readonly<Record<string, unknown>> = {},
  secondFactor?: string,
): Promise<T> => {
  const { pin: _, ...rest } = body
  const id = JSON.stringify([person.value?.email, session.value?.organizationId, path, rest])
  const open = openKeys.get(id) ?? { key: newKey(), isUncertain: false }
  openKeys.set(id, open)
  try {
    const result = await request<T>('POST', path, { body, key: open.key, secondFactor })
    openKeys.delete(id)
    return result
  } catch (error) {
    const isAnswered = error instanceof Refused && error.status < 500 && error.code !== 'key.running'
    if (!isAnswered) open.isUncertain = true
    if (!open.isUncertain) openKeys.delete(id)
    throw error
  }
}

interface OpenPrompt<T> {
  readonly subject: T
  readonly settle: (isDone: boolean) => void
}

/**
 * A dialog in the middle of a request: `ask` resolves when the dialog is settled. A second request replaces it, and
 * Back closes it.
 */
const createPrompt = <T>() => {
  const open = signal<OpenPrompt<T> | null>(null)
  const ask = (subject: T): Promise<boolean> => {
    open.value?.settle(false)
    return new Promise((resolve) => {
      const prompt = {
        subject,
        settle: (isDone: boolean) => {
          if (open.value === prompt) open.value = null
          removeEventListener('hashchange', abandon)
          resolve(isDone)
        },
      }
      const abandon = () => prompt.settle(false)
      addEventListener('hashchange', abandon)
      open.value = prompt
    })
  }
  return { open, ask }
}

/** Asks for the password again. */
export const passwordPrompt = createPrompt<null>()
/** Asks for an answer to a challenge. */
export const codePrompt = createPrompt<FactorChallenge>()
/** Sets the second factor up. The subject is the reason, or null if the user opened the dialog. */
export const setUpPrompt = createPrompt<string | null>()

let settingUp: Promise<boolean> | null = null

/** Opens the set-up of the second factor, or waits for the open one. Returns false if the user closes it. */
export const setUpFactor = (reason: string | null = null): Promise<boolean> => {
  settingUp ??= setUpPrompt
    .ask(reason)
    .then((isDone) => {
      if (isDone) isFactorMissing.value = false
      return isDone
    })
    .finally(() => {
      settingUp = null
    })
  return settingUp
}

/**
 * Performs a request that the server accepts only within ten minutes of the password: if it is refused for that, the
 * user confirms the password and the request is repeated.
 */
export const withPassword = async <T>(perform: () => Promise<T>): Promise<T> => {
  try {
    return await perform()
  } catch (error) {
    if (!isRefusedBy(error, 'password.stale')) throw error
    const isConfirmed = await passwordPrompt.ask(null)
    if (!isConfirmed) throw new Refused(error.status, { message: 'A senha não foi confirmada.' })
    return perform()
  }
}

/** Sends a request without a user. */
export const requestPublic = async <T>(method: Method, path: string, body?: object): Promise<T> =>
  resultOf<T>(await send(method, path, body ? { body } : {}))

export const begin = (reply: TokenReply): void => {
  generation += 1
  notice.value = null
  accept(reply)
}

/** A request for the second factor, and the kinds of proofs that answer it. */
export interface FactorChallenge {
  readonly challenge: string
  readonly accepts: readonly string[]
}

export interface ChallengeReply {
  readonly data: FactorChallenge
}

export const register = async (fields: object): Promise<void> =>
  begin(await requestPublic<TokenReply>('POST', 'v1/auth/register', { ...fields, guarded: true }))

/** Ends the session here and at the server, which may be out of reach. */
export const signOut = async (): Promise<void> => {
  const token = session.value?.token
  leave(null)
  if (token) await send('POST', 'v1/auth/logout', { token }).catch(() => {})
}

/** Ends every session of the user. */
export const signOutEverywhere = async (): Promise<void> => {
  await request('POST', 'v1/auth/logout-everywhere')
  leave('Você saiu de todos os aparelhos.')
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

/** The number of the last choice: an earlier one that is answered later is dropped. */
let choice = 0

/** The rights of the user in an account. */
export interface AccessReply {
  readonly access: { readonly permissions: readonly string[]; readonly organization: Organization }
}

const ACCESS = 'v1/account/access'
const ACCESS_POLL_MS = 10_000

/** Keeps the permissions up to date while the page is visible. A user who was removed from the account leaves it. */
export const useAccess = (): void => {
  const { data, isMissing } = useLive<AccessReply>(organization.value && ACCESS, ACCESS_POLL_MS)
  useEffect(() => {
    if (data?.access.organization.id !== organization.value?.id) return
    if (data) applyAccess(data)
  }, [data])
  useEffect(() => {
    if (!isMissing) isFactorMissing.value = false
    else if (!isFactorMissing.value)
      void choose(null)
        .then(readPerson)
        .catch(() => {})
  }, [isMissing])
}

const applyAccess = ({ access }: AccessReply): void =>
  batch(() => {
    const next = new Set(access.permissions)
    const isSame = next.size === permissions.value.size && access.permissions.every(may)
    if (!isSame) permissions.value = next
    if (
      organization.value?.name !== access.organization.name ||
      organization.value.status !== access.organization.status
    )
      organization.value = access.organization
  })

/** Acts in an account from now on, or in none. */
export const choose = async (chosen: Organization | null): Promise<void> => {
  choice += 1
  const at = choice
  isFactorMissing.value = false
  const reply = chosen && (await request<AccessReply>('GET', ACCESS, { accountId: chosen.id }))
  const current = session.value
  if (at !== choice || current === null) return
  batch(() => {
    if (chosen?.id !== organization.value?.id && organization.value !== null) drafts.clear()
    setSession({ ...current, organizationId: chosen?.id ?? null })
    permissions.value = new Set(reply?.access.permissions ?? [])
    organization.value = chosen
  })
}
