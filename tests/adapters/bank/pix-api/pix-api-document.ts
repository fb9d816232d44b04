import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import { ROOT } from '../../../root.ts'

interface Media {
  readonly schema?: AnySchema
}
interface Operation {
  readonly parameters?: readonly (Parameter | Ref)[]
  readonly requestBody?: Ref
  readonly responses: Readonly<Record<string, Answer | Ref>>
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: AnySchema
}
interface Answer {
  readonly content?: Readonly<Record<string, Media>>
}
interface Ref {
  readonly $ref: string
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

const file = join(ROOT, 'tests/fixtures/pix-api/api-pix.json')

/**
 * Corrects errors of the document: patterns between slashes or without anchors, required `cobs` in an answer of `/pix`,
 * a required but undeclared txid of `loc`, a payee of a cobv required one level too high, and a txid of a Pix as long
 * as a cob's (a static one has at most 25).
 */
const corrected = (value: Json, name = ''): Json => {
  if (Array.isArray(value)) return value.map((item) => corrected(item))
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value)
    .filter(([key]) => key !== 'default' && !(name === 'DadosRecebedor' && key === 'required'))
    .map(([key, part]) => [key, correctedPart(name, key, part)] as const)
  return Object.fromEntries(own)
}

const NOT_REQUIRED: Readonly<Record<string, readonly string[]>> = {
  PixConsultados: ['cobs'],
  loc: ['txid'],
  CobVGerada: ['recebedor'],
}
const SHORT_TXID = { type: 'string', pattern: '^[a-zA-Z0-9]{1,35}$' }

const correctedPart = (name: string, key: string, part: Json): Json => {
  if (key === 'pattern' && typeof part === 'string') return `^(?:${part.replace(/^\/(.*)\/$/, '$1')})$`
  if (key === 'required' && Array.isArray(part))
    return part.filter((field) => !NOT_REQUIRED[name]?.includes(`${field}`))
  if (name === 'Pix' && key === 'properties') return { ...Object(corrected(part)), txid: SHORT_TXID }
  // `name` is that of a schema, or of the property that contains it.
  return corrected(part, key === 'properties' || key === 'allOf' ? '' : key)
}

const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>> & { parameters?: readonly Parameter[] }>>
} = Object(corrected(JSON.parse(readFileSync(file, 'utf8'))))

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  coerceTypes: false,
  formats: { 'date-time': DATE_TIME, date: /^\d{4}-\d{2}-\d{2}$/, uri: true, int32: true, int64: true },
})
ajv.addSchema(Object(document), 'api')

const inDocument = <A>(value: A | Ref): A => {
  const { $ref } = value as Partial<Ref>
  if ($ref === undefined) return value as A
  const parts = $ref.slice(2).split('/')
  return parts.reduce<unknown>((at, part) => Object(at)[part], document) as A
}

const absolute = (schema: unknown): AnySchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/')) as AnySchema

/** To compile a schema takes a hundred times as long as to answer a request. */
const validators = new Map<AnySchema, ValidateFunction>()

const validatorOf = (schema: AnySchema): ValidateFunction => {
  const validate = validators.get(schema) ?? ajv.compile(absolute(schema))
  validators.set(schema, validate)
  return validate
}

const faultsOf = (what: string, schema: AnySchema | undefined, value: unknown): readonly string[] => {
  if (schema === undefined) return []
  const validate = validatorOf(schema)
  return validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`]
}

/** Finds the path template of a request and its parameters; null if there is none. */
const pathOf = (path: string) => {
  for (const template of Object.keys(document.paths)) {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const match = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
    if (match)
      return { template, values: names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')] as const) }
  }
  return null
}

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

export const requestFaults = ({ method, path, query, body }: ApiRequest): readonly string[] => {
  const known = pathOf(path)
  const operation = known && document.paths[known.template]?.[method.toLowerCase()]
  if (!known || !operation) return [`${method} ${path}: no such operation`]
  const shared: readonly (Parameter | Ref)[] = document.paths[known.template]?.parameters ?? []
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) => inDocument<Parameter>(parameter))
  const values = new Map<string, string>([...known.values, ...query])
  const what = `${method} ${path}`
  const unknown = [...query.keys()].filter((name) => !parameters.some((parameter) => parameter.name === name))
  return [
    ...unknown.map((name) => `${what}: ${name} is no parameter`),
    ...parameters.flatMap(({ name, schema, required }) => {
      const value = values.get(name)
      if (value === undefined) return required ? [`${what}: ${name} is missing`] : []
      const isNumber = inDocument<{ type?: string }>(Object(schema)).type === 'integer'
      return faultsOf(`${what}: ${name}`, schema, isNumber ? Number(value) : value)
    }),
    ...bodyFaults(what, operation, body),
  ]
}

const bodyFaults = (what: string, { requestBody }: Operation, body: unknown): readonly string[] => {
  if (requestBody === undefined) return body === undefined ? [] : [`${what}: unexpected body`]
  const { content } = inDocument<Answer>(requestBody)
  return body === undefined ? [`${what}: no body`] : faultsOf(what, content?.['application/json']?.schema, body)
}

/** Lists violations of the document by an answer. An error status that the document does not define is not checked. */
export const answerFaults = (
  { method, path }: ApiRequest,
  status: number,
  type: string,
  body: unknown,
): readonly string[] => {
  const known = pathOf(path)
  const operation = known && document.paths[known.template]?.[method.toLowerCase()]
  const answer = operation?.responses[`${status}`]
  if (answer === undefined) return status < 400 ? [`${method} ${path}: ${status} is no answer`] : []
  const { content } = inDocument<Answer>(answer)
  return faultsOf(`${method} ${path} ${status}`, content?.[type]?.schema, body)
}
