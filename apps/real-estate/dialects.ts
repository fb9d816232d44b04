import { CAMEL_CASE } from '../../core/kernel/input/mod.ts'
import type { Dialect, FieldErrors } from '../http/replies/dialect.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Requisição inválida',
  401: 'Não autenticado',
  403: 'Acesso negado',
  404: 'Não encontrado',
  405: 'Método não permitido',
  408: 'Tempo esgotado',
  409: 'Conflito',
  413: 'Corpo grande demais',
  415: 'Tipo de conteúdo não suportado',
  422: 'Operação recusada',
  429: 'Muitas tentativas',
  431: 'Cabeçalhos grandes demais',
  500: 'Erro interno',
  503: 'Serviço indisponível',
}

/** Plain objects, pages with their counts, and problem documents of RFC 9457. */
const estate: Dialect = {
  side: CAMEL_CASE,
  refusesOperators: true,
  about: {
    data: 'O que foi pedido',
    message: 'O que aconteceu, para pessoas',
    page: 'Esta página, a partir de 1',
    pageSize: 'Registros por página',
    total: 'Registros ao todo',
    totalPages: 'Páginas ao todo',
    hasNext: 'Se há uma página depois desta',
    hasPrevious: 'Se há uma página antes desta',
    type: 'O que aconteceu, como URI',
    title: 'O status em palavras',
    status: 'O status HTTP',
    detail: 'O que aconteceu, para pessoas',
    code: 'O que aconteceu, para programas',
    hint: 'O que fazer a respeito, para pessoas',
    errors: 'O que está errado, campo a campo',
    field: 'O caminho do campo',
    requestId: 'Identifica a requisição nos registros do servidor',
  },
  ok: ({ data, message, more }) => {
    if (data === undefined) return { message, ...more }
    return Object.keys(more).length > 0 && typeof data === 'object' ? { ...data, ...more } : data
  },
  page: ({ data, page: { page, perPage, total }, more }) => {
    const totalPages = Math.ceil(total / perPage)
    return {
      data,
      page,
      pageSize: perPage,
      total,
      totalPages,
      hasNext: page < totalPages,
      hasPrevious: page > 1,
      ...more,
    }
  },
  fail: ({ status, code, message, errors, hint, requestId }) => ({
    type: `urn:portico:problem:${code}`,
    title: TITLES[status] ?? 'Erro',
    status,
    detail: message,
    code,
    ...(hint === null ? {} : { hint }),
    ...(errors === null ? {} : { errors: problemsOf(errors) }),
    ...(requestId === null ? {} : { requestId }),
  }),
  failType: 'application/problem+json',
}

export const problemsOf = (errors: FieldErrors) =>
  Object.entries(errors).flatMap(([field, wrong]) => wrong.map(({ code, message }) => ({ field, message, code })))

/** Returns `ID_TOKEN` for `idToken` and for `id_token`. */
const capitals = (name: string): string => name.replace(/[A-Z]/g, '_$&').toUpperCase()

/** Returns the Firebase code of the first field error. */
const fieldCode = (errors: FieldErrors, message: string): string => {
  const [[field, [first]] = ['', []]] = Object.entries(errors)
  if (first === undefined) return message
  if ((field === 'password' || field === 'newPassword') && first.code === 'text.min')
    return 'WEAK_PASSWORD : Password should be at least 6 characters'
  return `${first.code === 'required' ? 'MISSING' : 'INVALID'}_${capitals(field)}`
}

/** Messages for operations of Firebase that the development issuer does not offer. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'route.unknown': 'OPERATION_NOT_ALLOWED : The development issuer has no such operation.',
  'method.not-allowed': 'OPERATION_NOT_ALLOWED : The development issuer has no such operation by this method.',
}

const violationsOf = (errors: FieldErrors) =>
  Object.entries(errors).flatMap(([field, wrong]) =>
    wrong.map(({ code, message }) => ({ field, description: message, reason: code })),
  )

/** The replies of the development issuer, in the format that clients of Firebase Authentication parse. */
const google: Dialect = {
  side: CAMEL_CASE,
  about: {
    data: 'O que foi pedido',
    error: 'O que aconteceu',
    code: 'O status HTTP',
    message: 'O que aconteceu, para programas: uma palavra do Firebase, e depois de ` : ` o que ela diz',
    errors: 'O mesmo, como uma lista',
    domain: 'De quem é a palavra',
    reason: 'O que aconteceu, para programas',
    details: 'O que está errado, se há campos errados',
    '@type': 'O que este detalhe é',
    fieldViolations: 'O que está errado, campo a campo',
    field: 'O caminho do campo',
    description: 'O que está errado, para pessoas',
  },
  ok: ({ data }) => data,
  page: ({ data }) => data,
  fail: ({ status, code, message, errors }) => {
    const firebaseCode = UNSUPPORTED[code] ?? (errors === null ? message : fieldCode(errors, message))
    return {
      error: {
        code: status,
        message: firebaseCode,
        errors: [{ message: firebaseCode, domain: 'global', reason: code }],
        details:
          errors === null
            ? []
            : [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violationsOf(errors) }],
      },
    }
  },
}

export const dialects = { estate, google } as const satisfies Readonly<Record<string, Dialect>>
