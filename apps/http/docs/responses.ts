import type { JsonSchema } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { KeyCode } from '../../../core/office/idempotency-keys.ts'
import { ERROR_CODE } from '../headers.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { CodeDoc, ServerCode } from '../replies/messages.ts'
import { ETAG_DOC } from '../replies/raw-reply.ts'
import type { AnyAuthScheme, ApiConfig } from '../rows/api.ts'
import { type AnyRow, type ApiTypes, bodyRuleOf, isKeyed, type Method, takesFields } from '../rows/row.ts'
import type { Components } from './components.ts'
import { type DialectDocs, successSchema } from './envelopes.ts'

type JsonObject = { readonly [key: string]: Json }

/** An operation with its row, scheme and dialect. */
export interface OperationContext {
  readonly row: AnyRow
  readonly method: Method
  readonly path: string
  readonly scheme: AnyAuthScheme
  readonly dialect: Dialect
  /** The documentation of the row's dialect. */
  readonly common: DialectDocs
  readonly setup: ApiConfig<ApiTypes>
  readonly components: Components
}

/** Returns the responses of an operation by status: its success, and each failure with its possible codes. */
export const responsesOf = (operation: OperationContext): JsonObject => {
  const byStatus = new Map<number, CodeDoc[]>()
  for (const code of failuresOf(operation)) {
    const same = byStatus.get(code.status)
    if (same) same.push(code)
    else byStatus.set(code.status, [code])
  }
  const { doc } = operation.row.reply
  const { status } = doc
  const success = successResponse(operation)
  const isSuccess = (each: number) => each >= 200 && each < 300
  // A failure with the status of the success is documented as an alternative of it.
  const failures = byStatus.get(status)
  byStatus.delete(status)
  return Object.fromEntries([
    ...otherStatusesOf(operation).map((each) => {
      // 304 has no body.
      const shown =
        each === 304
          ? { ...doc, shape: 'empty' as const, isFile: false }
          : { ...doc, more: null, view: doc.otherView ?? doc.view }
      const other = withoutExample(successResponse(operation, shown))
      return [
        `${each}`,
        { ...other, description: (each !== 304 && doc.otherAbout) || REASONS[each] || 'Erro.' },
      ] as const
    }),
    [`${status}`, failures ? successOrFailure(success, failureResponse(operation, status, failures)) : success],
    ...([status, ...doc.otherStatuses].some(isSuccess)
      ? []
      : [['2XX', { description: noSuccessText(status) }] as const]),
    ...(byStatus.has(400) ? [] : [['400', malformedResponse(operation)] as const]),
    ...[...byStatus].map(([each, codes]) => [`${each}`, failureResponse(operation, each, codes)] as const),
  ])
}

/**
 * Reports whether JSON answers of an operation have a tag: those that are sent at once. A `list` is streamed only
 * without a page, and an answer that may be a file instead is never.
 */
const isTagged = ({ row: { reply }, method }: OperationContext): boolean => {
  const { shape, status, type, fileTypes } = reply.doc
  const isWhole = !reply.streams || shape === 'list' || fileTypes !== undefined
  return method === 'GET' && status === 200 && type === 'application/json' && isWhole
}

const otherStatusesOf = (operation: OperationContext): readonly number[] => {
  const { otherStatuses } = operation.row.reply.doc
  return isTagged(operation) && !otherStatuses.includes(304) ? [...otherStatuses, 304] : otherStatuses
}

/** Describes the 2XX of a route without one: a form that redirects, or a route that always fails. */
const noSuccessText = (status: number): string =>
  status < 400
    ? 'A página a que a resposta leva, para quem a segue.'
    : 'Não ocorre: a rota ainda não está implementada.'

/** Returns the response to a malformed request, shared by the operations of a dialect. */
const malformedResponse = (operation: OperationContext): JsonObject => {
  const { setup, components } = operation
  const { deprecated: _, ...row } = operation.row
  const codes = [setup.messages.codeDoc('request.malformed', {})]
  return components.response(`Malformed.${row.dialect}`, failureResponse({ ...operation, row }, 400, codes))
}

type Content = { readonly schema: JsonSchema; readonly example?: Json }

type Response = {
  readonly description: string
  readonly headers: JsonObject
  readonly content?: { readonly [type: string]: Content }
}

/** Drops the example, which is that of the usual status. */
const withoutExample = (success: Response): Response => {
  const { content } = success
  if (!content) return success
  const withoutExamples = Object.entries(content).map(([type, { example: _, ...own }]) => [type, own] as const)
  return { ...success, content: Object.fromEntries(withoutExamples) }
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

type MaybeHeader = HeaderName | '' | false | null | undefined

const headersOf = ({ row, method, components }: OperationContext, ...names: readonly MaybeHeader[]): JsonObject => {
  const all: readonly MaybeHeader[] = [
    'X-Request-Id',
    ...names,
    method !== 'GET' && takesFields(bodyRuleOf(row)) && 'X-Ignored-Fields',
    row.deprecated && 'Deprecation',
    row.deprecated?.use && 'Link',
  ]
  return Object.fromEntries(all.flatMap((name) => (name ? [[name, components.header(name, HEADERS[name])]] : [])))
}

const successResponse = (operation: OperationContext, doc = operation.row.reply.doc): Response => {
  const { row, method, scheme, dialect, common, components } = operation
  const description = doc.message || 'Sucesso.'
  const headers = {
    ...headersOf(
      operation,
      method === 'POST' && isKeyed(row, scheme) && 'Idempotent-Replayed',
      doc.isFile && 'Content-Disposition',
      isTagged(operation) && 'ETag',
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

const failureResponse = (operation: OperationContext, status: number, docs: readonly CodeDoc[]): Response => {
  const { dialect, common, components } = operation
  const { schema, codeIn, isPage } = common.failure
  const at = components.schema(schema, '')
  const codes = [...new Set(docs.map(({ code }) => code))]
  const narrowed = codeIn === null ? at : { allOf: [at, { type: 'object', properties: { [codeIn]: { enum: codes } } }] }
  const waits = status === 429 || status === 503 || codes.includes('key.running')
  return {
    description: [
      REASONS[status] ?? 'Erro.',
      ...new Set(docs.map(({ code, message }) => `- \`${code}\`: ${message}`)),
    ].join('\n'),
    headers: {
      ...headersOf(operation, waits && 'Retry-After', status === 401 && 'WWW-Authenticate'),
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

/** The codes of every operation. */
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

/** Returns the codes of an operation: those of its stages, and those of its row's use cases. */
const failuresOf = ({ row, method, scheme, setup }: OperationContext): readonly CodeDoc[] => {
  const { messages, ratePerMinute } = setup
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

const textHeader = (description: string, more: Record<string, Json> = {}): Header => ({
  description,
  schema: { type: 'string', ...more },
})

/** The headers of answers. */
const HEADERS = {
  'X-Request-Id': textHeader(
    'Identifica a requisição nos registros do servidor; repete o que foi enviado com este nome.',
  ),
  'Retry-After': { description: 'Em quantos segundos tentar de novo.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': textHeader('Como se autenticar.', { enum: ['Bearer'] }),
  'Idempotent-Replayed': textHeader(
    'Presente quando a resposta é a da primeira requisição com a mesma `Idempotency-Key`.',
    { enum: ['true'] },
  ),
  Deprecation: textHeader('A rota é obsoleta.', { enum: ['true'] }),
  Link: textHeader('A rota que substitui esta, com `rel="successor-version"`.'),
  'X-Ignored-Fields': textHeader(
    'Os campos do corpo que a rota não conhece e ignorou, até dez: caminhos separados por vírgula, codificados como em URLs. Em produção, só onde o servidor o pede.',
  ),
  ETag: textHeader(ETAG_DOC.ETag),
  'Content-Disposition': textHeader('O nome do arquivo.'),
} as const satisfies Readonly<Record<string, Header>>

type HeaderName = keyof typeof HEADERS
