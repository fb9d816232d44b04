import { SNAKE_CASE } from '../../core/kernel/input/mod.ts'
import { pageMeta } from '../../core/ports/store.ts'
import { html } from '../http/pages/html.ts'
import { cardPage, PAGE_HEADERS, PAGE_TYPE } from '../http/pages/page.ts'
import type { Dialect, FieldError, FieldErrors } from '../http/replies/dialect.ts'

/** Returns the messages or the codes of the errors of each field. */
const each = (errors: FieldErrors, side: keyof FieldError): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(errors).map(([path, wrong]) => [path, wrong.map((error) => error[side])]))

const about = {
  code: 'O status HTTP',
  success: 'Se a requisição foi atendida',
  data: 'O que foi pedido',
  message: 'O que aconteceu, para pessoas',
  meta: 'Que página da lista é esta',
  current_page: 'Esta página, a partir de 1',
  per_page: 'Registros por página',
  last_page: 'A última página',
  total: 'Registros ao todo',
  page: 'Esta página, a partir de 1',
  limit: 'Registros por página',
  total_pages: 'Páginas ao todo',
  has_next_page: 'Se há uma página depois desta',
  has_prev_page: 'Se há uma página antes desta',
  error: 'O que aconteceu, para pessoas',
  error_code: 'O que aconteceu, para programas',
  hint: 'O que fazer a respeito, para pessoas',
  errors: 'O que está errado em cada campo, para pessoas, pelo caminho do campo',
  error_codes: 'O mesmo para programas',
  request_id: 'Identifica a requisição nos registros do servidor',
}

/** `{ code, success, data, message }`, or the row's own key for `data`: v1, and most legacy routes. */
const envelope: Dialect = {
  side: SNAKE_CASE,
  about,
  ok: ({ status, key, data, message, more }) => ({
    code: status,
    success: true,
    [key ?? 'data']: data,
    ...more,
    message,
  }),
  page: ({ status, key, data, page, meta, message, more }) => ({
    code: status,
    success: true,
    [key ?? 'data']: data,
    meta: meta ?? pageMeta(page),
    ...more,
    message,
  }),
  fail: ({ status, code, message, errors, hint, requestId }) => ({
    code: status,
    success: false,
    message,
    error_code: code,
    ...(hint === null ? {} : { hint }),
    ...(errors === null ? {} : { errors: each(errors, 'message'), error_codes: each(errors, 'code') }),
    ...(requestId === null ? {} : { request_id: requestId }),
  }),
}

/** The data of a successful reply without an envelope. */
const bare: Dialect = {
  ...envelope,
  ok: ({ data, message, more }) => {
    if (data === undefined) return { message, ...more }
    return Object.keys(more).length > 0 && typeof data === 'object' ? { ...data, ...more } : data
  },
  page: ({ data, page, meta, more }) => ({ data, meta: meta ?? pageMeta(page), ...more }),
}

/** The legacy login: an error is `{ error, error_code }`, except for invalid fields. */
const login: Dialect = {
  ...bare,
  fail: (fault) => {
    const { message, code, errors, hint } = fault
    return errors === null
      ? { error: message, error_code: code, ...(hint === null ? {} : { hint }) }
      : envelope.fail(fault)
  },
}

/** The legacy instant payment: the reply to an unknown Pix has `data: null`. */
const instant: Dialect = {
  ...bare,
  fail: (fault) =>
    fault.code === 'instant-pix.unknown'
      ? { success: false, message: fault.message, data: null, error_code: fault.code }
      : envelope.fail(fault),
}

/** Withdrawals of card sales: an insufficient balance is `{ error, error_code }`. */
const card: Dialect = {
  ...bare,
  fail: (fault) =>
    fault.code === 'card-balance.insufficient'
      ? { error: fault.message, error_code: fault.code }
      : envelope.fail(fault),
}

/** Withdrawals: a successful reply has no `code`. */
const withdrawal: Dialect = {
  ...envelope,
  ok: ({ data, message, more }) => ({ success: true, data, ...more, message }),
}

/** HTML pages. */
const page: Dialect = {
  ...bare,
  fail: ({ message, code, hint }) => faultPage(message, code, hint),
  failType: PAGE_TYPE,
  failHeaders: PAGE_HEADERS,
}

const DEFAULT_HINT = 'Volte à página anterior e tente de novo.'

/** Advice to payers by error code. */
const HINTS: Readonly<Record<string, string>> = {
  'charge.unknown': 'Confira se o endereço está completo. Se a cobrança foi apagada, não é preciso pagá-la.',
  'link.unknown': 'Confira se o endereço está completo, ou peça outro a quem o enviou.',
  'link.token': 'Abra de novo o endereço que você recebeu, inteiro, ou peça outro a quem o enviou.',
}

/** Returns the page of an error; `hint` is the advice of its JSON. */
const faultPage = (message: string, code: string, hint: string | null): Uint8Array => {
  const heading = message.replace(/\.$/, '')
  return cardPage(heading, html`<p>${HINTS[code] ?? hint ?? DEFAULT_HINT}</p>`)
}

/** The dialects of the payments API: reply formats of its three generations and of its pages. */
export const dialects = {
  v1: envelope,
  envelope,
  bare,
  login,
  instant,
  card,
  withdrawal,
  page,
} as const satisfies Readonly<Record<string, Dialect>>

export type PaymentsDialect = keyof typeof dialects
