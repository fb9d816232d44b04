import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { KeyCode } from '../../../core/office/idempotency-keys.ts'
import { ERROR_CODE } from '../headers.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { CodeDoc, ServerCode } from '../replies/messages.ts'
import type { AnyAuthScheme, ApiConfig } from '../rows/api.ts'
import { type AnyRow, type ApiTypes, bodyRuleOf, isKeyed, type Method, takesFields } from '../rows/row.ts'
import type { Components } from './components.ts'
import { type DialectDocs, successSchema } from './envelopes.ts'

type JsonObject = { readonly [key: string]: Json }

/** One operation's row, and what its document is made with. */
export interface OperationContext {
  readonly row: AnyRow
  readonly method: Method
  readonly path: string
  readonly scheme: AnyAuthScheme
  readonly dialect: Dialect
  /** What all operations of the row's dialect have in common. */
  readonly common: DialectDocs
}

/** All answers of an operation, by status: its success, and each failure with the codes that it may carry. */
export const responsesOf = (
  place: OperationContext,
  setup: ApiConfig<ApiTypes>,
  components: Components,
): JsonObject => {
  const { row, method, scheme } = place
  const byStatus = new Map<number, CodeDoc[]>()
  for (const told of failuresOf(row, method, scheme, setup)) {
    const same = byStatus.get(told.status)
    if (same) same.push(told)
    else byStatus.set(told.status, [told])
  }
  const { doc } = row.reply
  const { status } = doc
  const success = successResponse(place, components)
  const isSuccess = (each: number) => each >= 200 && each < 300
  // Where the text asks for a failure of the same status, the answer is one or the other.
  const alike = byStatus.get(status)
  byStatus.delete(status)
  return Object.fromEntries([
    ...doc.otherStatuses.map((each) => {
      // 304 has no body.
      const shown = each === 304 ? { ...doc, shape: 'empty' as const } : { ...doc, more: null }
      const other = withoutExample(successResponse(place, components, shown))
      return [`${each}`, { ...other, description: REASONS[each] ?? 'Erro.' }] as const
    }),
    [`${status}`, alike ? successOrFailure(success, failureResponse(place, status, alike, components)) : success],
    ...([status, ...doc.otherStatuses].some(isSuccess)
      ? []
      : [['2XX', { description: noSuccessText(status) }] as const]),
    ...(byStatus.has(400) ? [] : [['400', malformedResponse(place, setup, components)] as const]),
    ...[...byStatus].map(([each, told]) => [`${each}`, failureResponse(place, each, told, components)] as const),
  ])
}

/** Describes the success of a route that answers none: a form that leads elsewhere, or a route that always fails. */
const noSuccessText = (status: number): string =>
  status < 400
    ? 'A página a que a resposta leva, para quem a segue.'
    : 'Não ocorre: a rota ainda não está implementada.'

/** What no server makes anything of, whatever is asked: said once for each dialect. */
const malformedResponse = (
  place: OperationContext,
  { messages }: ApiConfig<ApiTypes>,
  components: Components,
): JsonObject => {
  const { deprecated: _, ...row } = place.row
  const told = [messages.codeDoc('request.malformed', {})]
  return components.response(`Malformed.${row.dialect}`, failureResponse({ ...place, row }, 400, told, components))
}

type Content = { readonly schema: JsonSchema; readonly example?: Json }

type Response = {
  readonly description: string
  readonly headers: JsonObject
  readonly content?: { readonly [type: string]: Content }
}

/** Of an answer by another status: the example is of what came out well. */
const withoutExample = (success: Response): Response => {
  const { content } = success
  if (!content) return success
  const bare = Object.entries(content).map(([type, { example: _, ...own }]) => [type, own] as const)
  return { ...success, content: Object.fromEntries(bare) }
}

const successOrFailure = (success: Response, failure: Response): JsonObject => {
  const [[type, content] = ['', { schema: {} }]] = Object.entries(success.content ?? {})
  const schema = { anyOf: [content.schema, ...Object.values(failure.content ?? {}).map((each) => each.schema)] }
  return {
    ...success,
    description: `${success.description} ${failure.description}`,
    content: { [type]: { ...content, schema } },
  }
}

const headersOf = (
  { row, method }: OperationContext,
  components: Components,
  ...names: readonly HeaderName[]
): JsonObject => {
  const all: readonly HeaderName[] = [
    'X-Request-Id',
    ...names,
    ...(method !== 'GET' && takesFields(bodyRuleOf(row)) ? (['X-Ignored-Fields'] as const) : []),
    ...(row.deprecated ? (['Deprecation'] as const) : []),
    ...(row.deprecated?.use ? (['Link'] as const) : []),
  ]
  return Object.fromEntries(all.map((name) => [name, components.header(name, HEADERS[name])]))
}

const successResponse = (place: OperationContext, components: Components, doc = place.row.reply.doc): Response => {
  const { row, method, scheme, dialect, common } = place
  const description = doc.message || 'Sucesso.'
  const headers = {
    ...headersOf(
      place,
      components,
      ...(method === 'POST' && isKeyed(row, scheme) ? (['Idempotent-Replayed'] as const) : []),
      ...(doc.isFile ? (['Content-Disposition'] as const) : []),
    ),
    ...Object.fromEntries(
      Object.entries(doc.headers ?? {}).map(([name, about]) => [name, components.header(name, textHeader(about))]),
    ),
  }
  if (doc.shape === 'empty') return { description, headers }
  const files = (doc.fileTypes ?? []).map((type) => [type, { schema: BINARY }] as const)
  if (doc.shape === 'text' || doc.shape === 'bytes') {
    const schema: JsonSchema = doc.shape === 'bytes' ? BINARY : { type: 'string' }
    return { description, headers, content: { [doc.type]: { schema }, ...Object.fromEntries(files) } }
  }
  const schema = components.schema(successSchema(dialect, doc), common.suffix)
  const json = { schema, example: row.example.reply }
  return { description, headers, content: { 'application/json': json, ...Object.fromEntries(files) } }
}

const BINARY: JsonSchema = { type: 'string', contentEncoding: 'binary' }

const failureResponse = (
  place: OperationContext,
  status: number,
  told: readonly CodeDoc[],
  components: Components,
): Response => {
  const { dialect, common } = place
  const { schema, codeIn, isPage } = common.failure
  const at = components.schema(schema, '')
  const codes = [...new Set(told.map(({ code }) => code))]
  const narrowed = codeIn === null ? at : { allOf: [at, { type: 'object', properties: { [codeIn]: { enum: codes } } }] }
  const waits = status === 429 || status === 503 || codes.includes('key.running')
  return {
    description: [
      REASONS[status] ?? 'Erro.',
      ...new Set(told.map(({ code, message }) => `- \`${code}\`: ${message}`)),
    ].join('\n'),
    headers: {
      ...headersOf(
        place,
        components,
        ...(waits ? (['Retry-After'] as const) : []),
        ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
      ),
      ...(isPage && { [ERROR_CODE]: textHeader('O que aconteceu, para programas.', { enum: codes }) }),
    },
    content: { [dialect.failType ?? 'application/json']: { schema: narrowed } },
  }
}

const REASONS: Readonly<Record<number, string>> = {
  202: 'Aceito: o banco ainda não respondeu. Consulte o registro: repetir com a mesma chave devolve esta resposta.',
  304: 'O cliente já tem esta versão.',
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

/** What any request may be told. */
const COMMON_CODES: readonly ServerCode[] = ['internal', 'server.busy', 'store.busy', 'store.unavailable']
const BODY_CODES: readonly ServerCode[] = ['body.too-large', 'body.unsupported', 'body.compressed']
const MALFORMED_CODES = {
  json: 'json.malformed',
  multipart: 'form.malformed',
  form: 'form.malformed',
  csv: 'csv.malformed',
} as const
const KEY_CODES: readonly (KeyCode & ServerCode)[] = ['key.malformed', 'key.reused', 'key.running']

const bodyCodes = (row: AnyRow): readonly ServerCode[] => {
  const rule = bodyRuleOf(row)
  return rule ? [...BODY_CODES, ...rule.kinds.map((kind) => MALFORMED_CODES[kind])] : []
}

const schemeCodes = (row: AnyRow, method: Method, { fails = {}, ...scheme }: AnyAuthScheme): readonly string[] => {
  const writes = row.accountWritable ?? method !== 'GET'
  const stages = new Set([
    'authenticate',
    ...(scheme.context ? ['context'] : []),
    ...(row.permission === undefined ? [] : ['permits']),
    ...(writes ? ['accountWritable'] : []),
  ])
  return Object.entries(fails).flatMap(([code, stage]) => (stage !== null && stages.has(stage) ? [code] : []))
}

/** All that an operation can fail with: what its stages are told, and what its row's use cases fail with. */
export const failuresOf = (
  row: AnyRow,
  method: Method,
  scheme: AnyAuthScheme,
  { messages, ratePerMinute }: ApiConfig<ApiTypes>,
): readonly CodeDoc[] => {
  const hasInput = row.input.body !== undefined || row.input.query !== undefined
  const codes = new Set([
    ...(row.rate || ratePerMinute ? ['rate.limited'] : []),
    ...schemeCodes(row, method, scheme),
    ...bodyCodes(row),
    ...(method === 'POST' && isKeyed(row, scheme) ? KEY_CODES : []),
    ...(hasInput ? ['fields'] : []),
    ...Object.keys(row.errors ?? {}),
    ...(row.reply.doc.codes ?? []),
    ...COMMON_CODES,
  ])
  return [...codes].map((code) => messages.codeDoc(code, row.errors))
}

type Header = { readonly [key: string]: Json } & { readonly description: string; readonly schema: JsonSchema }

/** A header that is a text. */
export const textHeader = (description: string, more: Record<string, Json> = {}): Header => ({
  description,
  schema: { type: 'string', ...more },
})

/** The headers of answers, by what sends them. Source: decisions.md §2. */
export const HEADERS = {
  'X-Request-Id': textHeader(
    'Identifica a requisição nos registros do servidor; repete o que foi enviado com este nome.',
  ),
  'Retry-After': { description: 'Em quantos segundos tentar de novo.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': textHeader('Como se autenticar.', { enum: ['Bearer'] }),
  'Idempotent-Replayed': textHeader(
    'Presente quando a resposta é a da primeira requisição com a mesma `Idempotency-Key`.',
    {
      enum: ['true'],
    },
  ),
  Deprecation: textHeader('A rota é obsoleta.', { enum: ['true'] }),
  Link: textHeader('A rota que substitui esta, com `rel="successor-version"`.'),
  'X-Ignored-Fields': textHeader(
    'Os campos do corpo que a rota não conhece e ignorou, até dez: caminhos separados por vírgula, codificados como em URLs. Em produção, só onde o servidor o pede.',
  ),
  'Content-Disposition': textHeader('O nome do arquivo.'),
} as const satisfies Readonly<Record<string, Header>>

export type HeaderName = keyof typeof HEADERS
