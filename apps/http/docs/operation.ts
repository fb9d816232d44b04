import type { JsonSchema } from '../../../core/kernel/input/json-schema.ts'
import { describedSchema, type Fields } from '../../../core/kernel/input/table.ts'
import { MAX_KEY_CHARS } from '../../../core/office/keys/keys.ts'
import type { AnyAuthScheme, ApiConfig } from '../rows/api.ts'
import type { AnyRow, ApiTypes } from '../rows/row.ts'
import { bodyRuleOf, isKeyed } from '../rows/row-defaults.ts'
import { successSchema } from './wrapping.ts'

interface Place {
  readonly method: string
  readonly path: string
  readonly operationId: string
}

type Setup = ApiConfig<ApiTypes>

/** One operation of the document. */
export const operationOf = (row: AnyRow, place: Place, setup: Setup) => {
  const scheme = setup.authSchemes[row.auth]
  const { deprecated } = row
  return {
    operationId: place.operationId,
    tags: [row.area],
    summary: row.summary,
    ...(deprecated ? { deprecated: true } : {}),
    ...(deprecated && deprecated !== true ? { description: `Obsoleta: use \`${deprecated.use}\`.` } : {}),
    parameters: parametersOf(row, place, scheme),
    ...requestOf(row, place),
    responses: responsesOf(row, place, scheme, setup),
    security: scheme?.security ? [{ [row.auth]: [] }] : [],
  }
}

const parametersOf = (row: AnyRow, { method, path }: Place, scheme: AnyAuthScheme | undefined) => {
  const { params = {}, query = {} } = row.example.request ?? {}
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
    ...exampleOf(params, name),
  }))
  const { properties = {}, required = [] } = row.input.query?.schema ?? {}
  const inQuery = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => ({
    in: 'query',
    name,
    required: Array.isArray(required) && required.includes(name),
    schema,
    ...exampleOf(query, name),
  }))
  const key = {
    in: 'header',
    name: 'Idempotency-Key',
    schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARS },
  }
  return [...inPath, ...inQuery, ...(method === 'POST' && scheme && isKeyed(row, scheme) ? [key] : [])]
}

const exampleOf = (examples: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(examples, name) ? { example: examples[name] } : {}

const MEDIA = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  form: 'application/x-www-form-urlencoded',
} as const

const requestOf = (row: AnyRow, { method }: Place) => {
  const rule = bodyRuleOf(row)
  if (!row.input.body || !rule || method === 'GET' || method === 'DELETE') return {}
  const schema = withGate(row.input.body.schema, row.precondition?.fields)
  const sent = row.example.request?.body
  const content = { schema, ...(sent === undefined ? {} : { example: sent }) }
  const isRequired = Array.isArray(schema.required) && schema.required.length > 0
  return {
    requestBody: {
      required: isRequired,
      content: Object.fromEntries(rule.kinds.map((kind) => [MEDIA[kind], content])),
    },
  }
}

/** What a precondition looks at is asked as aloud as the rest. */
const withGate = (schema: JsonSchema, fields: Fields = {}): JsonSchema => {
  const names = Object.keys(fields)
  if (names.length === 0) return schema
  const request = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describedSchema(field)]))
  const required = [...names, ...(Array.isArray(schema.required) ? schema.required : [])]
  return { ...schema, properties: { ...request, ...(schema.properties as JsonSchema) }, required }
}

const responsesOf = (row: AnyRow, { method }: Place, scheme: AnyAuthScheme | undefined, setup: Setup) => {
  const failures = failuresOf(row, method, scheme, setup)
  return Object.fromEntries([...failures, [`${row.reply.doc.status}`, successOf(row, setup)]])
}

const successOf = (row: AnyRow, { dialects }: Setup) => {
  const { doc } = row.reply
  const dialect = dialects[row.dialect]
  const description = doc.message || 'Sucesso.'
  if (doc.shape === 'empty' || !dialect) return { description }
  if (doc.shape === 'text' || doc.shape === 'bytes') {
    return { description, content: { [doc.type]: { schema: { type: 'string' } } } }
  }
  const shown = doc.shows ? doc.shows.on(dialect.side).schema : {}
  const schema = successSchema(dialect, doc, shown)
  return { description, content: { 'application/json': { schema, example: row.example.reply } } }
}

/** The failures that a row's own stages may answer with, and those of its `errors`. */
const failuresOf = (row: AnyRow, method: string, scheme: AnyAuthScheme | undefined, setup: Setup) => {
  const { messages, dialects, ratePerMinute } = setup
  const type = dialects[row.dialect]?.failType ?? 'application/json'
  const hasBody = bodyRuleOf(row) !== null
  const hasInput = row.input.body !== undefined || row.input.query !== undefined
  const statusOf = (code: string) => messages.say({ tag: 'invalid', code, issues: [] }, row.errors).status
  const keyed = method === 'POST' && scheme !== undefined && isKeyed(row, scheme)
  const statuses = new Set([
    ...(scheme?.security ? [401] : []),
    ...(row.permission === undefined && !row.precondition ? [] : [403]),
    ...(row.record ? [404] : []),
    ...(hasBody ? [400, 413, 415] : []),
    ...(hasInput ? [statusOf('fields')] : []),
    ...(keyed ? [409, statusOf('key.reused')] : []),
    ...(row.rate || row.throttle || ratePerMinute ? [429] : []),
    ...Object.values(row.errors ?? {}).flatMap(({ status }) => (status === undefined ? [] : [status])),
    500,
    503,
  ])
  const content = { [type]: { schema: { $ref: `#/components/schemas/failure.${row.dialect}` } } }
  return [...statuses].map((status) => [`${status}`, { description: REASONS[status] ?? 'Erro.', content }] as const)
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Requisição inválida.',
  401: 'Não autenticado.',
  403: 'Acesso negado.',
  404: 'Não encontrado.',
  409: 'Conflito.',
  410: 'Indisponível.',
  413: 'Corpo grande demais.',
  415: 'Tipo de conteúdo não suportado.',
  422: 'Dados inválidos.',
  429: 'Muitas tentativas.',
  500: 'Erro interno.',
  503: 'Serviço indisponível.',
}
