import type { Code as PaymentsCode } from '../../build/openapi/payments-facts.ts'
import type { Code as RealEstateCode } from '../../build/openapi/real-estate-facts.ts'

/**
 * The codes of failures that the client finds itself.
 *
 * - `network`: no answer, or an incomplete one.
 * - `timeout`: the answer took too long.
 * - `reply.unreadable`: the operation does not document this kind of answer, such as a proxy's HTML page.
 * - `webhook.invalid`: the signature or a header of a webhook is missing or wrong.
 * - `webhook.expired`: the timestamp of a webhook is too old, or ahead of the clock.
 */
export type ClientCode = 'network' | 'timeout' | 'reply.unreadable' | 'webhook.invalid' | 'webhook.expired'

/** The code of a failure; a newer server may have others. */
export type ErrorCode = PaymentsCode | RealEstateCode | ClientCode | (string & {})

/** A problem with a field, for programs and for people. */
export interface FieldProblem {
  readonly code: string
  readonly message: string
}

interface Details {
  readonly code: ErrorCode
  readonly message: string
  readonly status?: number
  readonly fields?: Readonly<Record<string, readonly FieldProblem[]>>
  readonly requestId?: string | null
  readonly retryAfterSeconds?: number | null
  readonly hint?: string | null
  readonly body?: unknown
  readonly cause?: unknown
}

/** A request that failed. */
export class PorticoError extends Error {
  override readonly name = 'PorticoError'
  /** The server's `error_code`, or the client's own code. */
  readonly code: ErrorCode
  /** The HTTP status; null without an answer. */
  readonly status: number | null
  /** The problems of each field, by its path: `card.number`. */
  readonly fields: Readonly<Record<string, readonly FieldProblem[]>>
  /** Identifies the request in the server's log. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  /** The server's advice on what to do, if it gave any. */
  readonly hint: string | null
  /** The answer's JSON, or the beginning of its text. */
  readonly body: unknown

  constructor({ code, message, status, fields = {}, requestId = null, retryAfterSeconds = null, ...more }: Details) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.code = code
    this.status = status ?? null
    this.fields = fields
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.hint = more.hint ?? null
    this.body = more.body
  }
}

type Fields = { readonly [key: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (...values: readonly unknown[]): string | null =>
  values.find((value): value is string => typeof value === 'string') ?? null

/** A payments answer has its problems by field, and their codes beside them; the agency answers with a list. */
const problemsIn = ({ errors, error_codes }: Fields): Readonly<Record<string, readonly FieldProblem[]>> => {
  const found: Record<string, FieldProblem[]> = {}
  const add = (field: string, code: unknown, message: unknown) => {
    found[field] = [...(found[field] ?? []), { code: textIn(code) ?? '', message: textIn(message) ?? '' }]
  }
  if (Array.isArray(errors)) {
    for (const each of errors) if (isFields(each)) add(textIn(each.field) ?? '', each.code, each.message)
  } else if (isFields(errors)) {
    const codes = isFields(error_codes) ? error_codes : {}
    for (const [field, messages] of Object.entries(errors)) {
      const fieldCodes: readonly unknown[] = [codes[field] ?? []].flat()
      for (const [place, message] of [messages].flat().entries()) add(field, fieldCodes[place], message)
    }
  }
  return found
}

const DATE = /\D/

/** Returns the seconds of a `Retry-After`, which may be a date; null for none. */
const retryAfterOf = (headers: Headers, nowMs: number): number | null => {
  const sent = headers.get('retry-after')?.trim()
  if (!sent) return null
  const seconds = DATE.test(sent) ? Math.ceil((Date.parse(sent) - nowMs) / 1_000) : Number(sent)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

type Head = Pick<Response, 'status' | 'headers'>

const factsOf = ({ status, headers }: Head, nowMs: number) => ({
  status,
  requestId: headers.get('x-request-id'),
  retryAfterSeconds: retryAfterOf(headers, nowMs),
})

const MAX_SHOWN = 1_000

/** Returns the failure of an answer whose body is not as documented, with the beginning of its text. */
export const unreadable = (answer: Head, text: string, nowMs: number, message: string, code = 'reply.unreadable') =>
  new PorticoError({ ...factsOf(answer, nowMs), code, message, body: text.slice(0, MAX_SHOWN) })

/** Returns the failure that an answer states, by its headers and its text. */
export const failureIn = (answer: Head, text: string, nowMs: number): PorticoError => {
  const { status, headers } = answer
  const body = jsonIn(text)
  const headerCode = headers.get('x-error-code') ?? undefined
  if (!isFields(body)) return unreadable(answer, text, nowMs, `HTTP ${status}`, headerCode)
  const { error } = body
  const code = textIn(body.error_code, body.code, headerCode) ?? `http.${status}`
  const message = textIn(body.message, body.detail, error, isFields(error) ? error.message : null) ?? `HTTP ${status}`
  const details = { code, message, fields: problemsIn(body), hint: textIn(body.hint), body }
  return new PorticoError({ ...factsOf(answer, nowMs), ...details })
}

/** Returns the value of a JSON text; undefined for any other text. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
