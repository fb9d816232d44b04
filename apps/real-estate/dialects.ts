import { CAMEL_CASE } from '../../core/kernel/input/field.ts'
import type { Dialect, FieldErrors } from '../http/replies/dialect.ts'
import { google } from './google-dialect.ts'

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

/** Objects as they are, pages with their counts, and problems as RFC 9457 has them. Source: decisions.md §6. */
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

/** What is wrong, field by field. */
export const problemsOf = (errors: FieldErrors) =>
  Object.entries(errors).flatMap(([field, wrong]) => wrong.map(({ code, message }) => ({ field, message, code })))

/** How the real-estate API speaks. */
export const dialects = { estate, google } as const satisfies Readonly<Record<string, Dialect>>
