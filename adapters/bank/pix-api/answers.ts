import { isDay, isInstant } from '../../../core/kernel/values/day.ts'
import type { BankAnswer, Party, PaymentNotice, UnreadableRecord } from '../../../core/ports/bank.ts'

/** What the bank answers; `unsent` where it was certainly not asked, `lost` where nobody knows. */
export type PixApiReply = { readonly status: number; readonly body: JsonObject } | 'unsent' | 'lost'

const NOT_FOUND: readonly number[] = [404, 410]
const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429

/** Whether the bank says that there is no such thing. */
export const isNotFound = (reply: PixApiReply): boolean => typeof reply !== 'string' && NOT_FOUND.includes(reply.status)

/**
 * The port's answer for a reply. Status 429 carried out nothing, and a failure of the server leaves it unknown; so does a
 * success that cannot be read, which is named. Source: RFC 7807; BCB, API Pix, Tratamento de erros.
 */
export const answerOf = <T>(
  reply: PixApiReply,
  read: (body: JsonObject) => T | null,
  unreadable: (body: JsonObject) => UnreadableRecord,
): BankAnswer<T> => {
  if (reply === 'unsent') return { outcome: 'unavailable' }
  if (reply === 'lost') return { outcome: 'unknown' }
  const { status, body } = reply
  if (status >= 200 && status < 300) {
    const value = read(body)
    return value === null ? { outcome: 'unknown', unreadable: unreadable(body) } : { outcome: 'done', value }
  }
  if (status === TOO_MANY_REQUESTS) return { outcome: 'unavailable' }
  if (status >= 400 && status < 500 && status !== REQUEST_TIMEOUT)
    return { outcome: 'refused', reason: reasonIn(body, status) }
  return { outcome: 'unknown' }
}

/** The same for a reply of which only the status counts. */
export const doneOf = (reply: PixApiReply): BankAnswer<null> => {
  const answer = answerOf(
    reply,
    () => true,
    () => NOTHING_READ,
  )
  return answer.outcome === 'done' ? { outcome: 'done', value: null } : answer
}

const NOTHING_READ = { kind: 'title', id: '', txid: null, pixKey: null } as const

/** Why, in the bank's own words: the detail of the problem, and what it violates. */
const reasonIn = ({ detail, title, violacoes }: JsonObject, status: number): string => {
  const why = textIn(detail) ?? textIn(title) ?? `O banco respondeu ${status}.`
  const violations = listIn(violacoes).map((each) => violationIn(objectIn(each)))
  return [why, ...violations.filter((text) => text !== '')].join(' ')
}

const violationIn = ({ razao, propriedade }: JsonObject): string => {
  const [reason, property] = [textIn(razao), textIn(propriedade)]
  if (reason === null) return ''
  return property === null ? reason : `${reason} (${property})`
}

/** A Pix that reached the account, as the bank tells it. */
export interface PixRecord extends Pick<PaymentNotice, 'endToEndId' | 'valueCents' | 'paidAt' | 'payer'> {
  readonly txid: string | null
  /** The key that it was paid to; null where the bank does not say. */
  readonly pixKey: string | null
}

const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/

/** The id of a payment, where a text is one. */
export const endToEndIdIn = (value: unknown): string | null => {
  const text = textIn(value)
  return text !== null && END_TO_END_ID.test(text) ? text : null
}

/** A Pix of the API; null of what is none. */
export const pixIn = (told: JsonObject): PixRecord | null => {
  const endToEndId = endToEndIdIn(told.endToEndId)
  const valueCents = centsIn(told.valor)
  const paidAt = instantIn(told.horario)
  if (endToEndId === null || valueCents === null || paidAt === null) return null
  return {
    endToEndId,
    valueCents,
    paidAt,
    txid: idIn(told.txid),
    pixKey: idIn(told.chave),
    payer: payerIn(objectIn(told.pagador)),
  }
}

/** A page of the list of received Pix; null if it is none, or lacks the records that it counts. */
export const pixPageIn = ({
  parametros,
  pix,
}: JsonObject): { readonly pages: number; readonly items: readonly JsonObject[] } | null => {
  const { quantidadeDePaginas, quantidadeTotalDeItens } = objectIn(objectIn(parametros).paginacao)
  const [pages, total] = [countIn(quantidadeDePaginas), countIn(quantidadeTotalDeItens)]
  const isWhole = Array.isArray(pix) || pages === 0 || total === 0
  return pages === null || !isWhole ? null : { pages, items: listIn(pix).map(objectIn) }
}

/** Names a Pix that cannot be read by its own id, else by the id or path by which it was requested. */
export const unreadablePix = (
  told: JsonObject,
  requestedAs: string,
  ownKey: string,
): UnreadableRecord & { kind: 'pix' } => ({
  kind: 'pix',
  id: idIn(told.endToEndId) ?? requestedAs,
  txid: idIn(told.txid),
  pixKey: idIn(told.chave) ?? ownKey,
})

/** Reports whether a Pix was paid to another key than the account's; keys of the DICT are without case. */
export const isOtherKey = (pixKey: string | null, ownKey: string): boolean =>
  pixKey !== null && pixKey.toLowerCase() !== ownKey.toLowerCase()

const RFC_3339 =
  /^([\d-]{10})[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const MS_DIGITS = 3

/** A time of RFC 3339 as an instant, null of any other value. A leap second counts as the last millisecond before it. */
export const instantIn = (value: unknown): string | null => {
  const [, day = '', hour, minute, second, fraction = '', offset = ''] = RFC_3339.exec(textIn(value) ?? '') ?? []
  if (!isDay(day)) return null
  const seconds = second === '60' ? '59.999' : `${second}.${fraction.slice(0, MS_DIGITS).padEnd(MS_DIGITS, '0')}`
  const text = new Date(`${day}T${hour}:${minute}:${seconds}${offset.toUpperCase()}`).toISOString()
  return isInstant(text) ? text : null
}

/** The API names no payer; banks that do so all the same name one like this. */
const payerIn = ({ nome, cpf, cnpj }: JsonObject): Party | null => {
  const [name, document] = [textIn(nome), textIn(cpf) ?? textIn(cnpj)]
  return name === null || document === null ? null : { name, document, bank: null, branch: null, account: null }
}

/** What somebody else says, of which nothing is known yet. */
export type JsonObject = { readonly [name: string]: unknown }

/** What of it are fields; of anything else than an object there are none. */
export const objectIn = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

/** The fields of a text that is a JSON object; none of any other text. */
export const parseJsonObject = (text: string): JsonObject => {
  try {
    return objectIn(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The items of what is a list; none of what is not. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What is a text, else null. */
export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Visible ASCII, as in every id of a bank. */
const ID = /^[!-~]{1,100}$/

/** An id or a key, else null: an empty text is none. */
export const idIn = (value: unknown): string | null => {
  const text = textIn(value)
  return text !== null && ID.test(text) ? text : null
}

/** A count, as a number or as its digits; null of any other value. */
export const countIn = (value: unknown): number | null =>
  /^\d{1,9}$/.test(`${value}`) && typeof value !== 'object' ? Number(value) : null

/** The API's amount has two decimals and is a text; banks also send fewer, or a number. */
const REAIS = /^(\d{1,10})(?:\.(\d{0,2}))?$/

/** `1234` as the bank writes it: `12.34`. Computed without fractions, which binary numbers do not represent exactly. */
export const formatAmount = (cents: number): string =>
  `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** `12.34`, `12.3`, `12` or one of these as a number, in cents; null of any other value. */
export const centsIn = (value: unknown): number | null => {
  const [, reais, cents = ''] = REAIS.exec(typeof value === 'number' ? `${value}` : (textIn(value) ?? '')) ?? []
  return reais === undefined ? null : Number(reais) * 100 + Number(cents.padEnd(2, '0'))
}
