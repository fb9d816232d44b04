import { type JsonSchema, objectSchema } from '../../../core/kernel/input/json-schema.ts'
import type { ReplyDoc } from '../replies/answer.ts'
import type { Dialect } from '../replies/dialect.ts'

// A dialect is asked to word these marks, and the schema of an answer is read off what it gives: so the documentation
// shows the envelope that is really sent, and a dialect need not describe itself.
const DATA = { of: 'data' }
const FIELD = 'campo'
const ERRORS = { [FIELD]: [{ code: 'codigo', message: 'mensagem' }] }

const schemaAround = (worded: unknown, data: JsonSchema): JsonSchema => {
  if (worded === DATA) return data
  if (Array.isArray(worded)) return { type: 'array', items: worded.length > 0 ? schemaAround(worded[0], data) : {} }
  if (typeof worded === 'number') return { type: 'integer' }
  if (typeof worded === 'boolean') return { type: 'boolean' }
  if (typeof worded === 'string') return { type: 'string' }
  if (typeof worded !== 'object' || worded === null) return {}
  // What is told of a field stands under its path, whatever that is.
  if (Object.hasOwn(worded, FIELD))
    return { type: 'object', additionalProperties: schemaAround(Reflect.get(worded, FIELD), data) }
  const fields = Object.entries(worded).filter(([, value]) => value !== undefined)
  return objectSchema(
    Object.fromEntries(fields.map(([name, value]) => [name, schemaAround(value, data)])),
    fields.map(([name]) => name),
  )
}

const FIRST_PAGE = { page: 1, perPage: 1, total: 1 }

/** The schema of a row's success, in the words of its dialect. */
export const successSchema = (dialect: Dialect, doc: ReplyDoc, output: JsonSchema): JsonSchema => {
  const success = {
    status: doc.status,
    key: doc.key,
    data: doc.data ? DATA : undefined,
    message: doc.message,
    more: {},
  }
  if (doc.shape === 'json') return schemaAround(dialect.ok(success), output)
  const data = [DATA]
  const paged = schemaAround(dialect.page({ ...success, data, page: FIRST_PAGE, meta: doc.meta }), output)
  if (doc.shape === 'page') return paged
  return { anyOf: [schemaAround(dialect.ok({ ...success, data }), output), paged] }
}

/** The schema of a dialect's failures. What only some of them carry is not required; those of another shape stand beside. */
export const failureSchema = (dialect: Dialect): JsonSchema => {
  const [fields, other] = [failureAround(dialect, ERRORS), failureAround(dialect, null)]
  const isSame = namesIn(other.required).every((name) => Object.hasOwn(Object(fields.properties), `${name}`))
  return isSame ? { ...fields, ...(other.required ? { required: other.required } : {}) } : { anyOf: [fields, other] }
}

const namesIn = (names: unknown): readonly unknown[] => (Array.isArray(names) ? names : [])

const failureAround = (dialect: Dialect, errors: typeof ERRORS | null): JsonSchema => {
  const fault = { status: 422, code: 'fields', message: '', errors, requestId: 'id' }
  const schema = schemaAround(dialect.fail(fault), {})
  const { required } = schemaAround(dialect.fail({ ...fault, requestId: null }), {})
  return required ? { ...schema, required } : schema
}
