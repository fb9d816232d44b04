import { type JsonSchema, objectSchema } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { ReplyDoc } from '../replies/reply.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'

/** The documentation that the operations of a dialect share. */
export interface DialectDocs {
  /** The suffix of schema names, if the dialect names fields differently from the default dialect. */
  readonly suffix: string
  readonly failure: FailureShape
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/**
 * Returns the documentation of each dialect. The default dialect's failure schema is called `Failure`; equal failure
 * schemas share a name.
 */
export const dialectDocs = ({
  dialects,
  defaultDialect,
  messages,
}: ApiConfig<ApiTypes>): ReadonlyMap<string, DialectDocs> => {
  const defaultSide = dialects[defaultDialect]?.side
  const rule = { title: 'FieldErrorCode', type: 'string', enum: messages.issueCodes } as const
  const failures = new Map<string, string>()
  const named = (shape: FailureShape, name: string): FailureShape => {
    const { schema, codeIn } = shape
    if (codeIn === null) return shape
    const text = JSON.stringify(schema)
    const title = failures.get(text) ?? name
    failures.set(text, title)
    return { ...shape, schema: { title, ...schema } }
  }
  const of = (name: string, dialect: Dialect): DialectDocs => {
    const first = Object.entries(dialects).find(([, { side }]) => side === dialect.side)?.[0] ?? name
    return {
      suffix: dialect.side === defaultSide ? '' : capital(first),
      failure: named(failureShape(dialect, rule), name === defaultDialect ? 'Failure' : `${capital(name)}Failure`),
    }
  }
  // The default dialect is first, so that its failure gets the plain name.
  const entries = Object.entries(dialects).sort(
    ([a], [b]) => Number(b === defaultDialect) - Number(a === defaultDialect),
  )
  return new Map(entries.map(([name, dialect]) => [name, of(name, dialect)]))
}

// The schema of an answer is derived from the dialect's own encoding of these marks, so that the documentation shows
// the envelope that is sent; a dialect only describes its fields.
const DATA = { of: 'data' }
const FIELD = 'campo'
const CODE = 'falha'
const RULE = 'regra'
const ERRORS = { [FIELD]: [{ code: RULE, message: 'mensagem' }] }

/** The schema of each mark. */
type Marks = ReadonlyMap<unknown, JsonSchema>

const described = (schema: JsonSchema, description: string | undefined): JsonSchema =>
  description === undefined || schema.description !== undefined ? schema : { ...schema, description }

const isData = (encoded: unknown): boolean => encoded === DATA || (Array.isArray(encoded) && encoded[0] === DATA)

const envelopeSchema = (encoded: unknown, marks: Marks, { about = {} }: Dialect): JsonSchema => {
  const within = (value: unknown): JsonSchema => {
    const marked = marks.get(value)
    if (marked) return marked
    if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? within(value[0]) : {} }
    if (typeof value === 'number') return { type: 'integer' }
    if (typeof value === 'boolean') return { type: 'boolean' }
    if (typeof value === 'string' || value instanceof Uint8Array) return { type: 'string' }
    if (typeof value !== 'object' || value === null) return {}
    // The errors of a field are under its path, which can be any text.
    if (Object.hasOwn(value, FIELD)) return { type: 'object', additionalProperties: within(Reflect.get(value, FIELD)) }
    const fields = Object.entries(value).filter(([, part]) => part !== undefined)
    return objectSchema(
      Object.fromEntries(
        fields.map(([name, part]) => [name, described(within(part), about[isData(part) ? 'data' : name])]),
      ),
      fields.map(([name]) => name),
    )
  }
  return within(encoded)
}

const FIRST_PAGE = { page: 1, perPage: 1, total: 1 }

/** Returns the schema of a row's success in its dialect. */
export const successSchema = (dialect: Dialect, doc: ReplyDoc): JsonSchema => {
  const output = doc.view?.on(dialect.side).schema ?? {}
  const beside = Object.entries((doc.more?.on(dialect.side).schema.properties ?? {}) as Record<string, JsonSchema>)
  const more = Object.fromEntries(beside.map(([name]) => [name, { of: name }]))
  const marks = new Map<unknown, JsonSchema>([
    [DATA, output],
    ...beside.map(([name, schema]) => [more[name], schema] as const),
  ])
  const schemaOf = (encoded: unknown) => envelopeSchema(encoded, marks, dialect)
  const { status, key, message } = doc
  const success = { status, key, message, more, data: doc.hasData ? DATA : undefined }
  if (doc.shape === 'json') return schemaOf(dialect.ok(success))
  const data = [DATA]
  const paged = schemaOf(dialect.page({ ...success, data, page: FIRST_PAGE, meta: doc.meta?.(FIRST_PAGE) ?? null }))
  return doc.shape === 'page' ? paged : { anyOf: [schemaOf(dialect.ok({ ...success, data })), paged] }
}

/** The failures of a dialect: their schema, and the name of the property with the code, if any. */
interface FailureShape {
  readonly schema: JsonSchema
  readonly codeIn: string | null
  /** True for pages, which have the code in a header. */
  readonly isPage: boolean
}

/**
 * Fields that only some failures have are not required. Failures with and without field errors are alternatives if
 * their fields differ. `rule` is the schema of a field error's code.
 */
const failureShape = (dialect: Dialect, rule: JsonSchema): FailureShape => {
  const marks = new Map<unknown, JsonSchema>([[RULE, rule]])
  const schemaOf = (errors: typeof ERRORS | null): JsonSchema => {
    const fault = { status: 422, code: CODE, message: '', errors }
    const most = envelopeSchema(dialect.fail({ ...fault, hint: '', requestId: 'id' }), marks, dialect)
    const { required } = envelopeSchema(dialect.fail({ ...fault, hint: null, requestId: null }), marks, dialect)
    return required ? { ...most, required } : most
  }
  const [fields, other] = [schemaOf(ERRORS), schemaOf(null)]
  const isSame = namesIn(other.required).every((name) => Object.hasOwn(Object(fields.properties), `${name}`))
  const plain = dialect.fail({ status: 400, code: CODE, message: '', errors: null, hint: null, requestId: null })
  const [codeIn = null] = Object.entries(Object(plain)).flatMap(([name, value]) => (value === CODE ? [name] : []))
  return {
    schema: isSame
      ? { ...fields, ...(other.required ? { required: other.required } : {}) }
      : { anyOf: [fields, other] },
    codeIn,
    isPage: plain instanceof Uint8Array,
  }
}

const namesIn = (names: Json | undefined): readonly Json[] => (Array.isArray(names) ? names : [])
