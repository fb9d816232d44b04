import { signal } from '@preact/signals'

/** The status of an answer that the page already has. */
export const NOT_MODIFIED = 304

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
  /** The seconds after which the server accepts the request again; null if it named none. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    { message = UNREACHABLE, code = '', hint = null, fields = {}, retryAfter = null }: Failure,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** Reports whether the API refused a request with a code. */
export const isRefusedBy = (error: unknown, code: string): error is Refused =>
  error instanceof Refused && error.code === code

interface Failure {
  readonly message?: string | undefined
  readonly code?: string | undefined
  readonly hint?: string | undefined | null
  readonly fields?: Readonly<Record<string, string>>
  readonly retryAfter?: number | null
}

/** A form cannot be sent as typed; `fields` has the message of each wrong field by its path. */
export class Mistakes extends Error {
  override readonly name = 'Mistakes'
  readonly fields: Readonly<Record<string, string>>

  constructor(fields: Readonly<Record<string, string>>) {
    super('The form has wrong fields')
    this.fields = fields
  }
}

const UNREACHABLE = 'Não foi possível falar com o servidor. Confira a conexão e tente de novo.'

const waitText = (seconds: number): string => (seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`)

export const messageOf = (error: unknown): string => {
  if (!(error instanceof Refused)) return UNREACHABLE
  const { message, hint, retryAfter } = error
  return [message, hint, retryAfter && `Tente de novo em ${waitText(retryAfter)}.`].filter(Boolean).join(' ')
}

/**
 * Returns the messages of the wrong fields of a request that has no form to show them; else the message of the error.
 */
export const fieldMessageOf = (error: unknown): string => {
  const wrong = error instanceof Refused ? Object.values(error.fields) : []
  return [...new Set(wrong)].join(' ') || messageOf(error)
}

/** False while the server cannot be reached. */
export const isOnline = signal(true)
/** True if visible data could not be read again. */
export const isStale = signal(false)
