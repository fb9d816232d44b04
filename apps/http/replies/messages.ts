import type { Failure, Issue } from '../../../core/failure.ts'
import type { FieldError, FieldErrors } from './dialect.ts'
import { SERVER_FAILURES, SERVER_ISSUES, TAGS, UNKNOWN_ISSUE } from './server-messages.ts'
import type { Wording } from './wording.ts'

/** The texts of an app by code, `{params}` filled in; over those that all APIs share. */
export interface Catalogue {
  readonly failures: Readonly<Record<string, string | Wording>>
  readonly issues: Readonly<Record<string, string>>
}

/** A failure in words. */
export interface Said {
  readonly status: number
  readonly message: string
  readonly errors: FieldErrors | null
}

export interface Messages {
  /** Never throws: a code that nobody knows is worded by its tag. */
  say(failure: Failure, overrides?: Readonly<Record<string, Wording>>): Said
  /** Whether a code has words of its own, for the tests that walk every code of the core. */
  knows(kind: 'failure' | 'issue', code: string): boolean
}

type Params = Readonly<Record<string, string | number>>

const fill = (text: string, params: Params): string =>
  text.includes('{')
    ? text.replace(/\{(\w+)\}/g, (slot, name: string) => (Object.hasOwn(params, name) ? `${params[name]}` : slot))
    : text

const paramsOf = (failure: Failure): Params => ({
  ...('reason' in failure && failure.reason !== undefined ? { reason: failure.reason } : {}),
  ...('retryAfterSeconds' in failure ? { retryAfterSeconds: failure.retryAfterSeconds } : {}),
})

const wordingOf = (entry: string | Wording): Wording => (typeof entry === 'string' ? { message: entry } : entry)

/** The words of an app. Tags give the status: decisions.md §2; codes and rows may say another. */
export const messagesOf = (catalogue: Catalogue): Messages => {
  // Maps, so that no code finds what every object inherits.
  const failures = new Map(
    Object.entries({ ...SERVER_FAILURES, ...catalogue.failures }).map(([code, entry]) => [code, wordingOf(entry)]),
  )
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

  return {
    say(failure, overrides) {
      const own = overrides && Object.hasOwn(overrides, failure.code) ? overrides[failure.code] : undefined
      const known = failures.get(failure.code)
      const [status, text] = TAGS[failure.tag]
      return {
        status: own?.status ?? known?.status ?? status,
        message: fill(own?.message ?? known?.message ?? text, paramsOf(failure)),
        errors: failure.tag === 'invalid' && failure.issues.length > 0 ? errorsOf(failure.issues) : null,
      }
    },
    knows: (kind, code) => (kind === 'failure' ? failures : issues).has(code),
  }
}
