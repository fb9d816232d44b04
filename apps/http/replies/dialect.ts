import { type Decoder, refuseOperators, type Side } from '../../../core/kernel/input/mod.ts'
import type { Page } from '../../../core/ports/store.ts'

/** A page and the length of its list. */
export interface PageCount extends Page {
  readonly total: number
}

export interface Success {
  readonly status: number
  /** The envelope's name for the data, if the route sets one. */
  readonly key: string | null
  /** Undefined if the answer is its message alone. */
  readonly data: unknown
  readonly message: string
  /** Fields beside the data: `unread_count`, `summary`. */
  readonly more: Readonly<Record<string, unknown>>
}

interface PagedSuccess extends Success {
  readonly page: PageCount
  /** The meta of a route with other keys than its dialect's; else null. */
  readonly meta: Readonly<Record<string, unknown>> | null
}

export interface FieldError {
  readonly code: string
  readonly message: string
}

/** The errors of each field, by its path. */
export type FieldErrors = Readonly<Record<string, readonly FieldError[]>>

export interface Fault {
  readonly status: number
  /** The stable code of the cause: `pin.wrong`; `fields` for a 422 that lists fields. */
  readonly code: string
  readonly message: string
  readonly errors: FieldErrors | null
  /** Advice to the caller, if any. */
  readonly hint: string | null
  /** Set for an internal error, whose cause is only in the log. */
  readonly requestId: string | null
}

/**
 * The envelopes and field names of one generation of the API, as functions to plain JSON values. A dialect of pages
 * returns the page of a failure as bytes.
 */
export interface Dialect {
  /** The names of fields. */
  readonly side: Side
  /**
   * Set if a query with operator keys (`status[$ne]`) is rejected; by default they are ignored like any unknown key.
   */
  readonly refusesOperators?: true
  readonly ok: (success: Success) => unknown
  readonly page: (success: PagedSuccess) => unknown
  readonly fail: (fault: Fault) => unknown
  /** Descriptions of the envelope's fields, for the documentation; `data` also describes data under another name. */
  readonly about?: Readonly<Record<string, string>>
  /** The media type of failures; by default `application/json`. */
  readonly failType?: string
  /** Headers of every failure. */
  readonly failHeaders?: Readonly<Record<string, string>>
}

/** Decodes a query as a dialect names it. */
export const queryOn = <A>(
  { side, refusesOperators }: Pick<Dialect, 'side' | 'refusesOperators'>,
  query: { on(side: Side): Decoder<A> },
): Decoder<A> => (refusesOperators ? refuseOperators(query.on(side)) : query.on(side))
