import type { Side } from '../../../core/kernel/input/field.ts'
import { type Decoder, refuseOperators } from '../../../core/kernel/input/input.ts'
import type { Page } from '../../../core/kernel/values/page.ts'

/** Where a page stands in its list. */
export interface PageCount extends Page {
  readonly total: number
}

export interface Success {
  readonly status: number
  /** The name under which an envelope carries the data, where the route has one of its own. */
  readonly key: string | null
  /** Undefined where the answer is only its message. */
  readonly data: unknown
  readonly message: string
  /** What stands beside the data: `unread_count`, `summary`. */
  readonly more: Readonly<Record<string, unknown>>
}

export interface PagedSuccess extends Success {
  readonly page: PageCount
  /** The meta of a route that names other keys than its dialect, else null. */
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** What is wrong with a field, for programs and for people. */
export interface FieldError {
  readonly code: string
  readonly message: string
}

/** What is wrong with each field, by its path. */
export type FieldErrors = Readonly<Record<string, readonly FieldError[]>>

export interface Fault {
  readonly status: number
  /** The stable code of the cause: `pin.wrong`; `fields` of a 422 that names fields, whatever is wrong with them. */
  readonly code: string
  readonly message: string
  readonly errors: FieldErrors | null
  /** Advice to the caller, if there is any. */
  readonly hint: string | null
  /** Only where nothing else tells what went wrong. */
  readonly requestId: string | null
}

/** How one generation of the API words its answers: three functions to plain JSON values. A page's failure is its text. */
export interface Dialect {
  /** How it names fields. */
  readonly side: Side
  /** Whether a query with operator keys (`status[$ne]`) is refused; else such a key is ignored, like all that are not known. */
  readonly refusesOperators?: true
  readonly ok: (success: Success) => unknown
  readonly page: (success: PagedSuccess) => unknown
  readonly fail: (fault: Fault) => unknown
  /** What the names of its envelope mean, for the documentation; `data` also where that has a name of its own. */
  readonly about?: Readonly<Record<string, string>>
  /** The media type of failures where it is not `application/json`. */
  readonly failType?: string
  /** What failures carry besides. */
  readonly failHeaders?: Readonly<Record<string, string>>
}

/** An input of a query as a dialect reads it. */
export const queryOn = <A>(
  { side, refusesOperators }: Pick<Dialect, 'side' | 'refusesOperators'>,
  query: { on(side: Side): Decoder<A> },
): Decoder<A> => (refusesOperators ? refuseOperators(query.on(side)) : query.on(side))
