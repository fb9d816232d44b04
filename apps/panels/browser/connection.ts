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

  constructor(status: number, { message = UNREACHABLE, code = '', hint = null, fields = {} }: Failure) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
    this.fields = fields
  }
}

interface Failure {
  readonly message?: string | undefined
  readonly code?: string | undefined
  readonly hint?: string | undefined | null
  readonly fields?: Readonly<Record<string, string>>
}

const UNREACHABLE = 'Não foi possível falar com o servidor. Confira a conexão e tente de novo.'

/** Returns the message of an error for the user. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Refused)) return UNREACHABLE
  return error.hint === null ? error.message : `${error.message} ${error.hint}`
}

/** False while the server cannot be reached. */
export const isOnline = signal(true)
/** True if visible data could not be read again. */
export const isStale = signal(false)
