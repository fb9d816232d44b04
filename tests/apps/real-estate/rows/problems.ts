import type { Wording } from '../../rows/api-under-test.ts'
import type { Answer, Reply } from '../../rows/wire.ts'

const KEYS = new Set(['type', 'title', 'status', 'detail', 'code', 'errors', 'hint', 'requestId'])
const CODE = /^[a-zA-Z0-9]+([.-][a-zA-Z0-9]+)*$/

interface Wrong {
  readonly field: string
  readonly message: string
  readonly code: string
}

const wrongsIn = (errors: unknown): readonly Wrong[] => (Array.isArray(errors) ? errors : [])

/** A problem of RFC 9457, in the words of the agency. Source: decisions.md §6. */
export const problemOf = (status: number, title: string, code: string, detail: string) => ({
  type: `urn:portico:problem:${code}`,
  title,
  status,
  detail,
  code,
})

/** Which fields a word of Firebase is of, where it names none in its details. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  INVALID_LOGIN_CREDENTIALS: ['email', 'password'],
  INVALID_ID_TOKEN: ['idToken'],
  INVALID_REFRESH_TOKEN: ['refresh_token'],
  INVALID_OOB_CODE: ['oobCode'],
}

interface Violation {
  readonly field: string
  readonly description: string
  readonly reason: string
}

const violationsIn = ({ error }: Answer['body']): readonly Wrong[] => {
  const told: readonly Violation[] = error.details.flatMap((each: Answer['body']) => each.fieldViolations)
  const named = told.map(({ field, description, reason }) => ({ field, message: description, code: reason }))
  const meant = (WORDS[error.message] ?? []).map((field) => ({ field, message: error.message, code: error.message }))
  return [...named, ...meant]
}

/** What is wrong with each field of a problem, in words. */
export const fieldsIn: Wording['fieldsIn'] = (body) => {
  const fields: Record<string, string[]> = {}
  for (const { field, message } of body?.error ? violationsIn(body) : wrongsIn(body?.errors))
    fields[field] = [...(fields[field] ?? []), message]
  return fields
}

/** What is wrong with a failure in words of Firebase, which have no schema of their own: null where it is well-formed. */
const wrongWord = ({ headers, body, status }: Pick<Reply, 'status' | 'headers' | 'body'>): string | null => {
  const { code, message, errors, details, ...more } = body?.error ?? {}
  const isWhole =
    headers['content-type']?.includes('application/json') &&
    Object.keys(more).length === 0 &&
    code === status &&
    errors?.length === 1 &&
    errors[0].message === message &&
    CODE.test(errors[0].reason) &&
    Array.isArray(details) &&
    violationsIn(body).every(({ field, message: said, code: rule }) => field && said && rule)
  return isWhole && message ? null : `no words of Firebase: ${status} ${JSON.stringify(body)}`
}

/** The code of a failure of either form. */
export const codeIn: Wording['codeIn'] = (body) => body?.code ?? body?.error?.errors?.[0]?.reason

/** What is wrong with a failure: null where it is a problem, well-formed, and none of the server's own. */
export const wrongFailure: Wording['wrongFailure'] = ({ status, headers, body, text }, dialect, document) => {
  const said = `${status} ${text.slice(0, 300)}`
  if (status >= 500) return said
  if (status < 400) return `no failure: ${said}`
  // An unknown method of an address of the issuer is answered as the issuer answers.
  if (dialect === 'google' || body?.error !== undefined) return wrongWord({ headers, body, status })
  if (!headers['content-type']?.includes('application/problem+json')) return `no problem: ${said}`
  const wrong = document.wrongFailure(dialect, body)
  if (wrong !== null) return wrong
  const strange = Object.keys(body).filter((key) => !KEYS.has(key))
  if (strange.length > 0) return `${strange} in ${said}`
  if (!CODE.test(`${body.code}`)) return `no code: ${said}`
  if (wrongsIn(body.errors).some(({ field, message, code }) => !field || !message || !code)) return `no field: ${said}`
  return body.status === status && body.type === `urn:portico:problem:${body.code}` && body.title && body.detail
    ? null
    : `other than its status: ${said}`
}
