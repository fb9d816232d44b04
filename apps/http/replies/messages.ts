import type { Failure, Issue } from '../../../core/failure.ts'
import type { FieldError, FieldErrors } from './dialect.ts'
import { SERVER_FAILURES, SERVER_ISSUES, type ServerCode, TAGS, UNKNOWN_ISSUE } from './server-messages.ts'
import type { FullWording, Wording } from './wording.ts'

/** The texts of an app by code, `{params}` filled in; over those that all APIs share. */
export interface Catalogue {
  readonly failures: Readonly<Record<string, FullWording>>
  readonly issues: Readonly<Record<string, string>>
}

/** A failure in words. */
export interface Said {
  readonly status: number
  readonly message: string
  readonly errors: FieldErrors | null
  readonly hint: string | null
}

/** What the documentation says of a failure. */
export interface Told {
  readonly status: number
  /** The code that the answer carries. */
  readonly code: string
  readonly message: string
}

export interface Messages {
  /** Never throws: a code that nobody knows is worded by its tag. */
  say(failure: Failure, overrides?: Readonly<Record<string, Wording>>): Said
  /** How a code is told. Throws for one that has no words. */
  told(code: string, overrides?: Readonly<Record<string, Wording>>): Told
  /** The codes of all that may be wrong with a field. */
  readonly rules: readonly string[]
}

const FIELDS: ServerCode = 'fields'
const FIELDS_STATUS = SERVER_FAILURES[FIELDS].status

type Params = Readonly<Record<string, string | number>>

const fill = (text: string, params: Params): string =>
  text.includes('{')
    ? text.replace(/\{(\w+)\}/g, (slot, name: string) => (Object.hasOwn(params, name) ? `${params[name]}` : slot))
    : text

const hintOf = (text: string | undefined, params: Params): string | null => {
  const lacks = text?.includes('{reason}') && params.reason === undefined
  return text === undefined || lacks ? null : fill(text, params)
}

const paramsOf = (failure: Failure): Params => ({
  ...('reason' in failure && failure.reason !== undefined ? { reason: failure.reason } : {}),
  ...('retryAfterSeconds' in failure ? { retryAfterSeconds: failure.retryAfterSeconds } : {}),
})

/** The words of an app. Tags give the status: decisions.md §2; codes and rows may say another. */
export const messagesOf = (catalogue: Catalogue): Messages => {
  // Maps, so that no code finds what every object inherits.
  const failures = new Map<string, FullWording>(Object.entries({ ...SERVER_FAILURES, ...catalogue.failures }))
  const issues = new Map(Object.entries({ ...SERVER_ISSUES, ...catalogue.issues }))

  const errorsOf = (wrong: readonly Issue[]): FieldErrors => {
    const byPath = new Map<string, FieldError[]>()
    for (const { path, code, params = {} } of wrong) {
      const error = { code, message: fill(issues.get(code) ?? UNKNOWN_ISSUE, params) }
      const known = byPath.get(path)
      if (known) known.push(error)
      else byPath.set(path, [error])
    }
    return Object.fromEntries(byPath)
  }

  const told = (code: string, overrides: Readonly<Record<string, Wording>> = {}): Told => {
    const known = failures.get(code)
    if (!known) throw new Error(`no words for ${code}`)
    const { status, message } = { ...known, ...overrides[code] }
    // What is wrong with a field is named by the field: its own code stands there.
    return status === FIELDS_STATUS && issues.has(code) ? told(FIELDS) : { status, code, message }
  }

  return {
    say(failure, overrides) {
      const own = overrides && Object.hasOwn(overrides, failure.code) ? overrides[failure.code] : undefined
      const known = failures.get(failure.code)
      const [status, text] = TAGS[failure.tag]
      return {
        status: own?.status ?? known?.status ?? status,
        message: fill(own?.message ?? known?.message ?? text, paramsOf(failure)),
        errors: failure.tag === 'invalid' && failure.issues.length > 0 ? errorsOf(failure.issues) : null,
        hint: hintOf(own?.hint ?? known?.hint, paramsOf(failure)),
      }
    },
    told,
    rules: [...issues.keys()],
  }
}
