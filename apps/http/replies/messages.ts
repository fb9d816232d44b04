import type { Failure, Issue } from '../../../core/failure.ts'
import type { FieldError, FieldErrors } from './dialect.ts'

/** The status, message and hint of a failure. */
export interface Wording {
  readonly status?: number
  readonly message?: string
  /** Advice to the caller. `{reason}` is replaced; without a reason such a hint is omitted. */
  readonly hint?: string
}

export type FullWording = Wording & Required<Omit<Wording, 'hint'>>

/** Gives failures of one status their messages. */
export const withStatus = <const C extends string>(
  status: number,
  messages: { readonly [code in C]: string },
): { readonly [code in C]: FullWording } =>
  Object.fromEntries(Object.entries<string>(messages).map(([code, message]) => [code, { status, message }])) as {
    readonly [code in C]: FullWording
  }

/** The texts of an app, by code; they override those of the server. `{params}` are replaced. */
interface Catalogue {
  readonly failures: Readonly<Record<string, FullWording>>
  readonly issues: Readonly<Record<string, string>>
  /**
   * The status of a taken value, whose message is then that of its field; by default it is a wrong field like others.
   */
  readonly takenStatus?: number
}

/** The messages of a resource that its noun yields, by code. Those of the app override them. */
export interface ResourceTexts {
  readonly unknown: Readonly<Record<string, string>>
  readonly taken: Readonly<Record<string, string>>
}

interface FailureText {
  readonly status: number
  readonly message: string
  readonly errors: FieldErrors | null
  readonly hint: string | null
}

/** The documentation of a failure. */
export interface CodeDoc {
  readonly status: number
  /** The code in the answer. */
  readonly code: string
  readonly message: string
}

export interface Messages {
  /** Returns the texts of a failure; those of its tag for an unknown code. Never throws. */
  textOf(failure: Failure, overrides?: Readonly<Record<string, Wording>>): FailureText
  /** Returns the documentation of a code. Throws for an unknown code. */
  codeDoc(code: string, overrides?: Readonly<Record<string, Wording>>): CodeDoc
  /** All codes of field errors. */
  readonly issueCodes: readonly string[]
  /** Returns the messages with those of these resources. */
  withResources(resources: readonly ResourceTexts[]): Messages
}

type Params = Readonly<Record<string, string | number>>

const fill = (text: string, params: Params): string =>
  text.includes('{')
    ? text.replace(/\{(\w+)\}/g, (slot, name: string) => (Object.hasOwn(params, name) ? `${params[name]}` : slot))
    : text

const hintOf = (text: string | undefined, params: Params): string | null => {
  const lacks = text?.includes('{reason}') && params.reason === undefined
  return text === undefined || lacks ? null : fill(text, params)
}

const paramsOf = (failure: Failure): Params => ({
  ...('reason' in failure && failure.reason !== undefined ? { reason: failure.reason } : {}),
  ...('retryAfterSeconds' in failure ? { retryAfterSeconds: failure.retryAfterSeconds } : {}),
})

/** Creates the texts of an app. The status of a failure comes from its row, its code or its tag, in this order. */
export const messagesOf = (catalogue: Catalogue, resources: readonly ResourceTexts[] = []): Messages => {
  const taken: Readonly<Record<string, string>> = Object.assign({}, ...resources.map((each) => each.taken))
  const own = { ...SERVER_ISSUES, ...catalogue.issues }
  // Maps, so that a code like `constructor` finds no inherited property.
  const failures = new Map<string, FullWording>(
    Object.entries({ ...SERVER_FAILURES, ...resourceFailures(catalogue, resources), ...catalogue.failures }),
  )
  // The app's issues are listed first and override those of resources.
  const issues = new Map(Object.entries({ ...own, ...taken, ...own }))

  const errorsOf = (all: readonly Issue[]): FieldErrors => {
    const byPath = new Map<string, FieldError[]>()
    for (const { path, code, params = {} } of all) {
      const error = { code, message: fill(issues.get(code) ?? UNKNOWN_ISSUE, params) }
      const known = byPath.get(path)
      if (known) known.push(error)
      else byPath.set(path, [error])
    }
    return Object.fromEntries(byPath)
  }

  const codeDoc = (code: string, overrides: Readonly<Record<string, Wording>> = {}): CodeDoc => {
    const known = failures.get(code)
    if (!known) throw new Error(`no text for code ${code}`)
    const { status, message } = { ...known, ...overrides[code] }
    // The answer has the code `fields`; the code of an issue is listed under its field.
    return status === SERVER_FAILURES.fields.status && issues.has(code) ? codeDoc('fields') : { status, code, message }
  }

  return {
    textOf(failure, overrides) {
      const own = overrides && Object.hasOwn(overrides, failure.code) ? overrides[failure.code] : undefined
      const known = failures.get(failure.code)
      const [status, text] = TAGS[failure.tag]
      return {
        status: own?.status ?? known?.status ?? status,
        message: fill(own?.message ?? known?.message ?? text, paramsOf(failure)),
        errors: failure.tag === 'invalid' && failure.issues.length > 0 ? errorsOf(failure.issues) : null,
        hint: hintOf(own?.hint ?? known?.hint, paramsOf(failure)),
      }
    },
    codeDoc,
    issueCodes: [...issues.keys()],
    withResources: (more) => messagesOf(catalogue, [...resources, ...more]),
  }
}

const resourceFailures = (
  { failures: { fields = SERVER_FAILURES.fields }, takenStatus }: Catalogue,
  resources: readonly ResourceTexts[],
): Readonly<Record<string, FullWording>> =>
  Object.fromEntries(
    resources.flatMap(({ unknown, taken }) => [
      ...Object.entries(unknown).map(([code, message]) => [code, { status: 404, message }] as const),
      ...Object.entries(taken).map(
        ([code, message]) => [code, takenStatus === undefined ? fields : { status: takenStatus, message }] as const,
      ),
    ]),
  )

/** The default status and message of each tag. */
const TAGS: Readonly<Record<Failure['tag'], readonly [status: number, message: string]>> = {
  invalid: [422, 'Os dados fornecidos são inválidos.'],
  unauthorized: [401, 'Não autenticado.'],
  forbidden: [403, 'Acesso negado.'],
  'not-found': [404, 'Registro não encontrado.'],
  conflict: [409, 'A operação conflita com o estado atual do registro.'],
  gone: [410, 'O recurso não está mais disponível.'],
  refused: [400, 'Não foi possível concluir a operação.'],
  throttled: [429, 'Muitas tentativas. Tente novamente mais tarde.'],
  unavailable: [503, 'Serviço temporariamente indisponível. Tente novamente em instantes.'],
}

/** The failures of the server itself. */
export const SERVER_FAILURES = {
  fields: { status: 422, message: 'Os dados fornecidos são inválidos.' },
  'route.unknown': { status: 404, message: 'Rota não encontrada.', hint: 'Há uma rota em {reason}.' },
  'method.not-allowed': { status: 405, message: 'Método não permitido.' },
  'json.malformed': { status: 400, message: 'JSON inválido.', hint: '{reason}.' },
  'form.malformed': { status: 400, message: 'Formulário inválido.' },
  'csv.malformed': { status: 400, message: 'O CSV deve estar em UTF-8 ou em Windows-1252.' },
  'request.malformed': { status: 400, message: 'Requisição inválida.' },
  'request.slow': { status: 408, message: 'A requisição demorou demais para chegar.' },
  'headers.too-large': { status: 431, message: 'Os cabeçalhos da requisição são grandes demais.' },
  'body.too-large': { status: 413, message: 'O corpo da requisição é grande demais.' },
  'body.unsupported': {
    status: 415,
    message: 'Tipo de conteúdo não suportado.',
    hint: 'O corpo desta rota é {reason}, em UTF-8: diga-o em Content-Type.',
  },
  'body.compressed': { status: 415, message: 'Corpo comprimido não é suportado.' },
  'key.malformed': {
    status: 422,
    message: 'A chave de idempotência deve ter de 1 a 255 caracteres e não pode conter o número de um cartão.',
  },
  'key.reused': { status: 422, message: 'A chave de idempotência já foi usada em outra requisição.' },
  'key.running': {
    status: 409,
    message: 'A primeira requisição com esta chave de idempotência ainda está em andamento.',
  },
  'key.conflict': {
    status: 409,
    message: 'A primeira requisição com esta chave de idempotência ainda está em andamento.',
  },
  'rate.limited': { status: 429, message: 'Muitas requisições. Tente novamente mais tarde.' },
  'server.busy': { status: 503, message: 'Serviço temporariamente indisponível. Tente novamente em instantes.' },
  'store.busy': { status: 503, message: 'Serviço temporariamente indisponível. Tente novamente em instantes.' },
  'store.unavailable': { status: 503, message: 'Serviço temporariamente indisponível. Tente novamente em instantes.' },
  internal: { status: 500, message: 'Erro interno do servidor.' },
} satisfies Readonly<Record<string, FullWording>>

export type ServerCode = keyof typeof SERVER_FAILURES
export type ServerFailure = Failure<ServerCode>

const UNKNOWN_ISSUE = 'Valor inválido.'

/** The messages of the kernel's codecs. */
export const SERVER_ISSUES = {
  required: 'O campo é obrigatório.',
  unknown: 'O registro informado não existe.',
  'only-one': 'Não pode ser informado junto com {other}.',
  'same-as': 'Deve ser igual a {other}.',
  'not-before': 'Não pode ser anterior a {other}.',
  misspelt: 'Nome desconhecido. O nome do campo é {other}.',
  repeated: 'Deve ser informado uma única vez.',
  'column.unknown': 'Não há um campo com este nome.',
  'column.number':
    'Deve ser um número como 2500,00 ou 2.500,00; em 2.500 e 2,500 não se sabe se o sinal separa milhares ou decimais.',
  operator: 'Operadores não são aceitos.',
  object: 'Deve ser um objeto.',
  list: 'Deve ser uma lista.',
  'list.min': 'Deve ter no mínimo {min} item(ns).',
  file: 'Deve ser um arquivo.',
  'file.max': 'O arquivo deve ter no máximo {max} MB.',
  image: 'A imagem deve ser de um tipo aceito e não pode estar corrompida.',
  'image.pixels': 'A imagem tem pixels demais.',
  'list.max': 'Deve ter no máximo {max} item(ns).',
  flag: 'Deve ser verdadeiro ou falso.',
  'one-of': 'Deve ser um destes valores: {values}.',
  integer: 'Deve ser um número inteiro.',
  'integer.min': 'Deve ser no mínimo {min}.',
  'integer.max': 'Deve ser no máximo {max}.',
  number: 'Deve ser um número.',
  'number.min': 'Deve ser no mínimo {min}.',
  'number.max': 'Deve ser no máximo {max}.',
  'number.decimals': 'Deve ter no máximo {decimals} casas decimais.',
  money: 'Deve ser um número em reais, como 150.5.',
  'money.min': 'Deve ser no mínimo {min}.',
  'money.max': 'Deve ser no máximo {max}.',
  'money.decimals': 'Deve ter no máximo 2 casas decimais.',
  text: 'Deve ser um texto.',
  'text.malformed': 'Contém caracteres inválidos.',
  'text.line': 'Deve ter uma só linha.',
  'text.direction': 'Não pode conter controles de direção do texto.',
  'text.invisible': 'Deve ter ao menos um caractere visível.',
  'text.min': 'Deve ter no mínimo {min} caracteres.',
  'text.max': 'Deve ter no máximo {max} caracteres.',
  digits: 'Deve ter exatamente {length} dígitos.',
  email: 'Deve ser um e-mail válido.',
  url: 'Deve ser uma URL http ou https válida.',
  document: 'Deve ser um CPF ou CNPJ válido.',
  guid: 'Deve ser um GUID válido.',
  day: 'Deve ser uma data válida no formato AAAA-MM-DD.',
  month: 'Deve ser um mês válido no formato AAAA-MM.',
  instant: 'Deve ser uma data e hora ISO 8601 com fuso.',
  json: 'Deve ser um JSON válido.',
  'json.depth': 'Tem níveis de aninhamento demais.',
  'json.bytes': 'Deve ter no máximo {max} bytes.',
  'json.number': 'Contém um número grande demais.',
  'json.key': 'Contém uma chave inválida ou repetida.',
} satisfies Readonly<Record<string, string>>

export type ServerIssue = keyof typeof SERVER_ISSUES
