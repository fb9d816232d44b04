/** One wrong field: its dotted path (`metadata.0.label`), the rule it breaks, and the numbers its message needs. */
export interface Issue {
  readonly path: string
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/**
 * Why a use case did not do what was asked: a tag for its kind, a stable code (`pin.wrong`) for its cause.
 * No HTTP here: each app maps codes to a status and to Portuguese text.
 */
export type Failure =
  | { readonly tag: 'invalid'; readonly code: string; readonly issues: readonly Issue[] }
  | { readonly tag: 'unauthorized'; readonly code: string }
  | { readonly tag: 'forbidden'; readonly code: string }
  | { readonly tag: 'not-found'; readonly code: string }
  | { readonly tag: 'conflict'; readonly code: string; readonly retryAfterSeconds?: number }
  | { readonly tag: 'gone'; readonly code: string }
  | { readonly tag: 'refused'; readonly code: string; readonly reason?: string }
  | { readonly tag: 'throttled'; readonly code: string; readonly retryAfterSeconds: number }
  | { readonly tag: 'unavailable'; readonly code: string; readonly retryAfterSeconds: number }

type Plain = 'unauthorized' | 'forbidden' | 'not-found' | 'conflict' | 'gone' | 'refused'

/** A failure that is only its tag and code. */
export const failure = (tag: Plain, code: string): Failure => ({ tag, code })

/** Every wrong field at once. `code` names a cause with a message of its own; `fields` is the general one. */
export const invalid = (issues: readonly Issue[], code = 'fields'): Failure => ({ tag: 'invalid', code, issues })

export const issue = (path: string, code: string, params?: Issue['params']): Issue =>
  params ? { path, code, params } : { path, code }
