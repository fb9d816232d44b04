import { type JsonSchema, objectSchema } from '../../../core/kernel/input/field.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { ReplyDoc } from '../replies/reply.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'

/** What the operations of a dialect have in common. */
export interface DialectDocs {
  /** Ends the names of schemas whose fields are named otherwise than in the API's usual dialect. */
  readonly suffix: string
  readonly failure: FailureShape
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Each dialect of an API: the usual one's failures are called `Failure`, and so are those that are just like them. */
export const dialectDocs = ({
  dialects,
  defaultDialect,
  messages,
}: ApiConfig<ApiTypes>): ReadonlyMap<string, DialectDocs> => {
  const usual = dialects[defaultDialect]
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
    const isUsual = name === defaultDialect
    const first = Object.entries(dialects).find(([, { side }]) => side === dialect.side)?.[0] ?? name
    return {
      suffix: dialect.side === usual?.side ? '' : capital(first),
      failure: named(failureShape(dialect, rule), isUsual ? 'Failure' : `${capital(name)}Failure`),
    }
  }
  // The usual one is named first.
  const entries = Object.entries(dialects).sort(
    ([a], [b]) => Number(b === defaultDialect) - Number(a === defaultDialect),
  )
  return new Map(entries.map(([name, dialect]) => [name, of(name, dialect)]))
}

// A dialect is asked to word these marks, and the schema of an answer is read off what it gives: so the documentation
// shows the envelope that is really sent, and a dialect says no more of it than what its names mean.
const DATA = { of: 'data' }
const FIELD = 'campo'
const CODE = 'falha'
const RULE = 'regra'
const ERRORS = { [FIELD]: [{ code: RULE, message: 'mensagem' }] }

/** What stands in the place of each mark. */
type Marks = ReadonlyMap<unknown, JsonSchema>

const described = (schema: JsonSchema, description: string | undefined): JsonSchema =>
  description === undefined || schema.description !== undefined ? schema : { ...schema, description }

const isData = (worded: unknown): boolean => worded === DATA || (Array.isArray(worded) && worded[0] === DATA)

const envelopeSchema = (worded: unknown, marks: Marks, { about = {} }: Dialect): JsonSchema => {
  const within = (value: unknown): JsonSchema => {
    const marked = marks.get(value)
    if (marked) return marked
    if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? within(value[0]) : {} }
    if (typeof value === 'number') return { type: 'integer' }
    if (typeof value === 'boolean') return { type: 'boolean' }
    if (typeof value === 'string') return { type: 'string' }
    if (typeof value !== 'object' || value === null) return {}
    // What is told of a field stands under its path, whatever that is.
    if (Object.hasOwn(value, FIELD)) return { type: 'object', additionalProperties: within(Reflect.get(value, FIELD)) }
    const fields = Object.entries(value).filter(([, part]) => part !== undefined)
    return objectSchema(
      Object.fromEntries(
        fields.map(([name, part]) => [name, described(within(part), about[isData(part) ? 'data' : name])]),
      ),
      fields.map(([name]) => name),
    )
  }
  return within(worded)
}

const FIRST_PAGE = { page: 1, perPage: 1, total: 1 }

/** The schema of a row's success, in the words of its dialect. */
export const successSchema = (dialect: Dialect, doc: ReplyDoc): JsonSchema => {
  const output = doc.view?.on(dialect.side).schema ?? {}
  const beside = Object.entries((doc.more?.on(dialect.side).schema.properties ?? {}) as Record<string, JsonSchema>)
  const more = Object.fromEntries(beside.map(([name]) => [name, { of: name }]))
  const marks = new Map<unknown, JsonSchema>([
    [DATA, output],
    ...beside.map(([name, schema]) => [more[name], schema] as const),
  ])
  const around = (worded: unknown) => envelopeSchema(worded, marks, dialect)
  const { status, key, message } = doc
  const success = { status, key, message, more, data: doc.hasData ? DATA : undefined }
  if (doc.shape === 'json') return around(dialect.ok(success))
  const data = [DATA]
  const paged = around(dialect.page({ ...success, data, page: FIRST_PAGE, meta: doc.meta }))
  return doc.shape === 'page' ? paged : { anyOf: [around(dialect.ok({ ...success, data })), paged] }
}

/** The failures of a dialect: their schema, and the name of the property that is their code, if there is one. */
export interface FailureShape {
  readonly schema: JsonSchema
  readonly codeIn: string | null
  /** Set for pages, which have their code in a header. */
  readonly isPage: boolean
}

/** What only some failures carry is not required; those of another shape stand beside. `rule` is that of a field's code. */
export const failureShape = (dialect: Dialect, rule: JsonSchema): FailureShape => {
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
    isPage: typeof plain === 'string',
  }
}

const namesIn = (names: Json | undefined): readonly Json[] => (Array.isArray(names) ? names : [])
