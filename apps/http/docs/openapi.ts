import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import { describedSchema, type Fields } from '../../../core/kernel/input/table.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import { MAX_KEY_CHARS } from '../../../core/office/idempotency-keys.ts'
import { MEDIA } from '../bodies/body.ts'
import { PARAMETERS, templateOf } from '../routing.ts'
import type { ApiConfig, ApiDocs } from '../rows/api.ts'
import { type AnyRow, type ApiTypes, bodyRuleOf, isKeyed } from '../rows/row.ts'
import { type Components, componentsOf } from './components.ts'
import { dialectDocs } from './envelopes.ts'
import { type OperationContext, responsesOf } from './responses.ts'

/** An OpenAPI 3.1 document. */
export type OpenApi = { readonly [key: string]: Json }

/** The document of an API, folded from its rows: every alias and method is an operation of its own. */
export const openApi = (setup: ApiConfig<ApiTypes>): OpenApi => {
  const { rows, authSchemes: schemes, dialects, publicUrl, title, version, introduction, docs = {} } = setup
  const components = componentsOf()
  const known = dialectDocs(setup)
  const paths: Record<string, Record<string, OpenApi>> = {}
  const ids = new Set<string>()
  for (const row of rows) {
    const [scheme, dialect, common] = [schemes[row.auth], dialects[row.dialect], known.get(row.dialect)]
    if (!scheme || !dialect || !common) continue
    for (const path of row.paths) {
      const template = templateOf(path)
      const operations = paths[template] ?? {}
      paths[template] = operations
      for (const method of row.methods) {
        const id = operationIdOf(row, path, method)
        if (ids.has(id)) throw new Error(`two operations are called ${id}`)
        ids.add(id)
        const place = { row, method, path, scheme, dialect, common }
        operations[method.toLowerCase()] = operationOf(place, id, setup, components)
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
    // The page tries requests at the place that it came from; the other one is for whoever keeps the document.
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

type JsonObject = { readonly [key: string]: Json }

/** One operation of the document. */
export const operationOf = (
  place: OperationContext,
  operationId: string,
  setup: ApiConfig<ApiTypes>,
  components: Components,
): JsonObject => {
  const { row, scheme } = place
  return {
    operationId,
    tags: [row.area],
    summary: row.summary,
    description: descriptionOf(place),
    ...(row.deprecated ? { deprecated: true } : {}),
    parameters: parametersOf(place, setup, components),
    ...requestBodyOf(place, components),
    responses: responsesOf(place, setup, components),
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

const requestBodyOf = (
  { row, method, common }: OperationContext,
  components: Components,
): { readonly requestBody?: JsonObject } => {
  const rule = bodyRuleOf(row)
  if (!row.input.body || !rule || method === 'GET' || method === 'DELETE') return {}
  const { schema } = row.input.body
  const asked = preconditionSchema(row.precondition?.fields)
  const own = components.schema(asked ? { allOf: [schema, asked] } : schema, common.suffix)
  const sent = row.example.request?.body
  const content = { schema: own, ...(sent === undefined ? {} : { example: sent }) }
  return {
    requestBody: {
      // A text that is a body has something to say.
      required:
        schema.type === 'string' ||
        [schema, asked].some((each) => Array.isArray(each?.required) && each.required.length > 0),
      content: Object.fromEntries(rule.kinds.map((kind) => [MEDIA[kind], content])),
    },
  }
}

/** What a precondition looks at is asked as aloud as the rest. */
const preconditionSchema = (fields: Fields = {}): JsonSchema | null => {
  const names = Object.keys(fields)
  if (names.length === 0) return null
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describedSchema(field)]))
  return { type: 'object', properties, required: names }
}

const wordsOf = (path: string): readonly string[] => path.split(/[/_.-]/).filter((word) => /^[a-z]\w*$/.test(word))

/** Words in camel case: what generated clients call a method. */
export const camelCase = (words: string): string =>
  words.replace(/[^\dA-Za-z]+(.)?/g, (_, first: string | undefined) => first?.toUpperCase() ?? '')

/**
 * The id of an operation: its row's name in camel case; under another path with the words that tell it from the first
 * (`chargesIssueBilling`), by another method with that (`usersUpdatePatch`).
 */
export const operationIdOf = (
  { name, paths: [first = ''], methods: [usual] }: AnyRow,
  path: string,
  method: string,
) => {
  const known = new Set([...wordsOf(first), ...name.split(/[.-]/)])
  const others = wordsOf(path).filter((word) => !known.has(word))
  return camelCase(
    [
      name,
      ...(path === first ? [] : [(others.length > 0 ? others : wordsOf(path)).join('-')]),
      ...(method === usual ? [] : [method.toLowerCase()]),
    ].join('.'),
  )
}

const NOT_TEXTS = new Set<Json | undefined>(['integer', 'number', 'boolean'])

/** An example as its schema has it: in a request all of them are texts. */
const exampleOf = (examples: Readonly<Record<string, string>>, name: string, { type }: JsonSchema) => {
  const sent = examples[name]
  return sent === undefined ? {} : { example: NOT_TEXTS.has(type) ? JSON.parse(sent) : sent }
}

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Torna seguro repetir a requisição: por 24 horas a mesma chave (`pedido-17`) com o mesmo corpo recebe a primeira resposta de sucesso.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARS },
} as const

/** What an operation takes beside its body: of its path, of its query, and the headers that its row and scheme read. */
export const parametersOf = (
  place: OperationContext,
  setup: ApiConfig<ApiTypes>,
  components: Components,
): readonly JsonObject[] => {
  const { row, method, scheme } = place
  return [
    ...pathParameters(place, setup),
    ...queryParameters(place),
    ...(scheme.headers ?? []).map(({ name, ...header }) =>
      components.parameter(name, { in: 'header', name, ...header }),
    ),
    ...(method === 'POST' && isKeyed(row, scheme) ? [components.parameter('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
  ]
}

const pathParameters = (
  { row, path }: OperationContext,
  { docs: { parameters = {} } = {} }: ApiConfig<ApiTypes>,
): readonly JsonObject[] =>
  [...path.matchAll(PARAMETERS)].map(([, name = '']) => {
    const description = row.parameters?.[name] ?? parameters[name]
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

const queryParameters = ({ row }: OperationContext): readonly JsonObject[] => {
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

/** What becomes of a receiver's answer. Source: decisions.md §3, Events. */
const WEBHOOK_RESPONSES = {
  '2XX': { description: 'Recebido: o aviso não é repetido.' },
  '410': { description: 'Não é mais desejado: o aviso termina como falho.' },
  default: { description: 'Tentado de novo, até dez vezes em três dias; respeita um `Retry-After` mais longo.' },
} as const

/** The `webhooks` of a document; null for an API that sends none. */
export const webhooksOf = (
  { docs: { webhooks = [] } = {}, dialects, defaultDialect }: ApiConfig<ApiTypes>,
  components: Components,
): { readonly [event: string]: Json } | null => {
  const side = dialects[defaultDialect]?.side
  if (webhooks.length === 0 || !side) return null
  return Object.fromEntries(
    webhooks.map(({ event, area, summary, payload, example }) => {
      const own = components.schema(payload.on(side).schema)
      const only = { type: 'object', properties: { type: { enum: [event] } } }
      const post = {
        operationId: camelCase(`webhooks.${event}`),
        tags: [area],
        summary,
        description: `${summary}.`,
        parameters: WEBHOOK_HEADERS.map((header) =>
          components.parameter(header.name, { in: 'header', required: true, ...header }),
        ),
        requestBody: { required: true, content: { 'application/json': { schema: { allOf: [own, only] }, example } } },
        responses: WEBHOOK_RESPONSES,
        security: [],
      }
      return [event, { post }]
    }),
  )
}
