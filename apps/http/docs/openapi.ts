import { describedSchema, type Fields, type JsonSchema } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import { MAX_KEY_CHARS } from '../../../core/office/idempotency-keys.ts'
import { MEDIA } from '../bodies/body.ts'
import { PARAMETERS, templateOf } from '../routing.ts'
import type { ApiConfig, ApiDocs, HeaderDoc } from '../rows/api.ts'
import { type AnyRow, type ApiTypes, bodyRuleOf, isKeyed } from '../rows/row.ts'
import { type Components, componentsOf } from './components.ts'
import { dialectDocs } from './envelopes.ts'
import { type OperationContext, responsesOf } from './responses.ts'

/** An OpenAPI 3.1 document. */
export type OpenApi = { readonly [key: string]: Json }

/** Builds the document of an API from its rows: one operation for each path and method. */
export const openApi = (setup: ApiConfig<ApiTypes>): OpenApi => {
  const { rows, authSchemes: schemes, dialects, publicUrl, title, version, introduction, docs = {} } = setup
  const components = componentsOf()
  const dialectDoc = dialectDocs(setup)
  const paths: Record<string, Record<string, OpenApi>> = {}
  const ids = new Set<string>()
  for (const row of rows) {
    const [scheme, dialect, common] = [schemes[row.auth], dialects[row.dialect], dialectDoc.get(row.dialect)]
    if (!scheme || !dialect || !common) continue
    for (const path of row.paths) {
      const template = templateOf(path)
      const operations = paths[template] ?? {}
      paths[template] = operations
      for (const method of row.methods) {
        const id = operationIdOf(row, path, method)
        if (ids.has(id)) throw new Error(`duplicate operation id ${id}`)
        ids.add(id)
        const operation = { row, method, path, scheme, dialect, common, setup, components }
        operations[method.toLowerCase()] = operationOf(id, operation)
      }
    }
  }
  const webhooks = webhooksOf(setup, components)
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      ...(introduction !== undefined && { description: introduction }),
      contact: { name: title, url: publicUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // The documentation page sends requests to its own origin; the second server is for a stored copy of the document.
    servers: [{ url: '/' }, { url: publicUrl }],
    tags: [...new Set([...rows, ...(docs.webhooks ?? [])].map(({ area }) => area))].map((name) => tagOf(name, docs)),
    paths,
    ...(webhooks && { webhooks }),
    components: { securitySchemes: securityOf(setup), ...components.all() },
  }
}

const tagOf = (name: string, { areas = {} }: ApiDocs): OpenApi => {
  const description = areas[name]
  return { name, ...(description !== undefined && { description }) }
}

const securityOf = ({ authSchemes: schemes, rows }: ApiConfig<ApiTypes>): OpenApi =>
  Object.assign({}, ...rows.map(({ auth }: AnyRow) => schemes[auth]?.security ?? {}))

const operationOf = (operationId: string, operation: OperationContext): OpenApi => {
  const { row, scheme } = operation
  return {
    operationId,
    tags: [row.area],
    summary: row.summary,
    description: descriptionOf(operation),
    ...(row.deprecated ? { deprecated: true } : {}),
    parameters: parametersOf(operation),
    ...requestBodyOf(operation),
    responses: responsesOf(operation),
    security: scheme.security ? Object.keys(scheme.security).map((name) => ({ [name]: [] })) : [],
  }
}

const descriptionOf = ({ row: { permission, deprecated }, scheme }: OperationContext): string =>
  [
    scheme.about,
    ...(permission === undefined ? [] : [`Pede a permissão \`${permission}\`.`]),
    ...(deprecated ? [deprecationText(deprecated.use)] : []),
  ].join('\n\n')

const deprecationText = (use: string | null): string =>
  use === null ? 'Obsoleta; nenhuma outra a substitui.' : `Obsoleta: use \`${use}\`.`

const requestBodyOf = ({ row, method, common, components }: OperationContext): { readonly requestBody?: OpenApi } => {
  const rule = bodyRuleOf(row)
  if (!row.input.body || !rule || method === 'GET' || method === 'DELETE') return {}
  const { schema } = row.input.body
  const precondition = preconditionSchema(row.precondition?.fields)
  const body = components.schema(precondition ? { allOf: [schema, precondition] } : schema, common.suffix)
  const example = row.example.request?.body
  const content = { schema: body, ...(example !== undefined && { example }) }
  return {
    requestBody: {
      // A body of text cannot be empty.
      required:
        schema.type === 'string' ||
        [schema, precondition].some((each) => Array.isArray(each?.required) && each.required.length > 0),
      content: Object.fromEntries(rule.kinds.map((kind) => [MEDIA[kind], content])),
    },
  }
}

const preconditionSchema = (fields: Fields = {}): JsonSchema | null => {
  const names = Object.keys(fields)
  if (names.length === 0) return null
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describedSchema(field)]))
  return { type: 'object', properties, required: names }
}

const wordsOf = (path: string): readonly string[] => path.split(/[/_.-]/).filter((word) => /^[a-z]\w*$/.test(word))

/** Converts to camel case, which generated clients use for the names of methods. */
const camelCase = (words: string): string =>
  words.replace(/[^\dA-Za-z]+(.)?/g, (_, first: string | undefined) => first?.toUpperCase() ?? '')

/**
 * Returns the id of an operation: the row's name in camel case, for an alias with the words in which its path differs
 * (`chargesIssueBilling`), for a further method with that method (`usersUpdatePatch`).
 */
export const operationIdOf = (
  { name, paths: [firstPath = ''], methods: [firstMethod] }: AnyRow,
  path: string,
  method: string,
) => {
  const known = new Set([...wordsOf(firstPath), ...name.split(/[.-]/)])
  const others = wordsOf(path).filter((word) => !known.has(word))
  return camelCase(
    [
      name,
      ...(path === firstPath ? [] : [(others.length > 0 ? others : wordsOf(path)).join('-')]),
      ...(method === firstMethod ? [] : [method.toLowerCase()]),
    ].join('.'),
  )
}

const PARSED_TYPES = new Set<Json | undefined>(['integer', 'number', 'boolean'])

/** Returns the example of a parameter in its schema's type: in a row's example all of them are texts. */
const exampleOf = (examples: Readonly<Record<string, string>>, name: string, { type }: JsonSchema) => {
  const sent = examples[name]
  return sent === undefined ? {} : { example: PARSED_TYPES.has(type) ? JSON.parse(sent) : sent }
}

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Torna seguro repetir a requisição: por 24 horas a mesma chave (`pedido-17`) com o mesmo corpo recebe a primeira resposta de sucesso.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARS },
} as const

const parametersOf = (operation: OperationContext): readonly OpenApi[] => {
  const { row, method, scheme, components } = operation
  return [
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...readHeaders(row, scheme).map(({ name, onlyWith: _, ...header }) =>
      components.parameter(name, { in: 'header', name, ...header }),
    ),
    ...(method === 'POST' && isKeyed(row, scheme) ? [components.parameter('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
  ]
}

const readHeaders = ({ errors = {} }: AnyRow, { headers = [] }: OperationContext['scheme']): readonly HeaderDoc[] =>
  headers.filter(({ onlyWith }) => onlyWith === undefined || onlyWith in errors)

const pathParameters = ({ row, path, setup }: OperationContext): readonly OpenApi[] =>
  [...path.matchAll(PARAMETERS)].map(([, name = '']) => {
    const description = row.parameters?.[name] ?? setup.docs?.parameters?.[name]
    const schema = { type: 'string' }
    return {
      in: 'path',
      name,
      ...(description !== undefined && { description }),
      required: true,
      schema,
      ...exampleOf(row.example.request?.params ?? {}, name, schema),
    }
  })

const queryParameters = ({ row }: OperationContext): readonly OpenApi[] => {
  const { properties = {}, required = [] } = row.input.query?.schema ?? {}
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
    ([name, { description, ...schema }]) => ({
      in: 'query',
      name,
      ...(description !== undefined && { description }),
      required: Array.isArray(required) && required.includes(name),
      schema,
      ...exampleOf(row.example.request?.query ?? {}, name, schema),
    }),
  )
}

const WEBHOOK_HEADERS = [
  {
    name: 'webhook-id',
    description: 'Identifica o aviso: é o mesmo em cada tentativa, para descartar repetições.',
    schema: { type: 'string', pattern: '^msg_' },
  },
  {
    name: 'webhook-timestamp',
    description: 'Quando esta tentativa foi enviada, em segundos desde 1970. Recuse o que é antigo.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  {
    name: 'webhook-signature',
    description:
      '`v1,` e o HMAC-SHA256 em base64 de `{webhook-id}.{webhook-timestamp}.{corpo}`, com o segredo da conta (o que vem depois de `whsec_`, em base64). Compare em tempo constante antes de ler o corpo.',
    schema: { type: 'string', pattern: '^v1,' },
  },
] as const

/** The effect of the receiver's answer. */
const WEBHOOK_RESPONSES = {
  '2XX': { description: 'Recebido: o aviso não é repetido.' },
  '410': { description: 'Não é mais desejado: o aviso termina como falho.' },
  default: { description: 'Tentado de novo, até dez vezes em três dias; respeita um `Retry-After` mais longo.' },
} as const

/** Returns the `webhooks` of the document; null if the API sends none. */
const webhooksOf = (
  { docs: { webhooks = [] } = {}, dialects, defaultDialect }: ApiConfig<ApiTypes>,
  components: Components,
): { readonly [event: string]: Json } | null => {
  const side = dialects[defaultDialect]?.side
  if (webhooks.length === 0 || !side) return null
  return Object.fromEntries(
    webhooks.map(({ event, area, summary, payload, example }) => {
      const schema = components.schema(payload.on(side).schema)
      const type = { type: 'object', properties: { type: { enum: [event] } } }
      const post = {
        operationId: camelCase(`webhooks.${event}`),
        tags: [area],
        summary,
        description: `${summary}.`,
        parameters: WEBHOOK_HEADERS.map((header) =>
          components.parameter(header.name, { in: 'header', required: true, ...header }),
        ),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { allOf: [schema, type] }, example } },
        },
        responses: WEBHOOK_RESPONSES,
        security: [],
      }
      return [event, { post }]
    }),
  )
}
