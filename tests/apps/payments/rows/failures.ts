import type { Documented } from '../../rows/schemas.ts'
import type { Reply } from '../../rows/wire.ts'

const KEYS = new Set(['code', 'success', 'message', 'error_code', 'errors', 'error_codes', 'hint', 'request_id'])

const CODE = /^[a-z0-9]+([.-][a-z0-9]+)*$/
const isCode = (code: unknown): boolean => typeof code === 'string' && CODE.test(code)

/** Whether each message of a field has its code beside it. */
const isSameFields = ({ errors = {}, error_codes: codes = {} }: Reply['body']): boolean =>
  Object.keys(errors).join() === Object.keys(codes).join() &&
  Object.keys(errors).every((path) => errors[path].length === codes[path].length && codes[path].every(isCode))

/** What is wrong with a failure, whatever its cause: null where it is one, well-formed, and none of the server's own. */
export const wrongFailure = (
  { status, headers, body, text }: Pick<Reply, 'status' | 'headers' | 'body' | 'text'>,
  dialect: string,
  document: Documented,
): string | null => {
  const said = `${status} ${text.slice(0, 300)}`
  // One route is specified to fail so.
  if (status >= 500) return body?.error_code === 'withdrawal.boleto' ? null : said
  if (status < 400) return `no failure: ${said}`
  // A page says in words what is wrong.
  if (dialect === 'page')
    return headers['content-type']?.includes('text/html') && body === null ? null : `no page: ${said}`
  if (!headers['content-type']?.includes('application/json')) return `no JSON: ${said}`
  // The legacy instant payment has words of its own for a Pix that is not there.
  if (dialect === 'instant' && body.error_code === 'instant-pix.unknown')
    return Object.keys(body).join() === 'success,message,data,error_code' && body.data === null
      ? null
      : `other: ${said}`
  const wrong = document.wrongFailure(dialect, body)
  if (wrong !== null) return wrong
  // The legacy login says in one key all but which fields are wrong.
  if (dialect === 'login' && !('errors' in body))
    return /^error,error_code(,hint)?$/.test(Object.keys(body).join()) && body.error !== '' && isCode(body.error_code)
      ? null
      : `no error: ${said}`
  const strange = Object.keys(body).filter((key) => !KEYS.has(key))
  if (strange.length > 0) return `${strange} in ${said}`
  if (!isCode(body.error_code)) return `no code: ${said}`
  if (status === 422 && 'errors' in body && body.error_code !== 'fields') return `another code than fields: ${said}`
  if (!isSameFields(body)) return `other fields in error_codes: ${said}`
  return body.code === status && body.success === false && body.message !== '' ? null : `other than its status: ${said}`
}
