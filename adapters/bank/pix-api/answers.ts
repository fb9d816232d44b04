import { isDay, isInstant } from '../../../core/kernel/values/day.ts'
import type { BankAnswer, Party, PaymentNotice, UnreadableRecord } from '../../../core/ports/bank.ts'

interface HttpReply {
  readonly status: number
  readonly body: JsonObject
}

/** A reply of the bank. `unsent`: the request certainly did not reach it. `lost`: it may have, without a reply. */
export type PixApiReply = HttpReply | 'unsent' | 'lost'

const NOT_FOUND: readonly number[] = [404, 410]
const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429

export const isNotFound = (reply: PixApiReply): boolean => typeof reply !== 'string' && NOT_FOUND.includes(reply.status)

const isSuccess = (reply: PixApiReply): reply is HttpReply =>
  typeof reply !== 'string' && reply.status >= 200 && reply.status < 300

/** Converts a reply to an answer of the port: `unknown`, with the unreadable record, if `read` returns null. */
export const answerOf = <T>(
  reply: PixApiReply,
  read: (body: JsonObject) => T | null,
  unreadable: (body: JsonObject) => UnreadableRecord,
): BankAnswer<T> => {
  if (!isSuccess(reply)) return failureOf(reply)
  const value = read(reply.body)
  return value === null ? { outcome: 'unknown', unreadable: unreadable(reply.body) } : { outcome: 'done', value }
}

/** Converts a reply without a body of interest. */
export const doneOf = (reply: PixApiReply): BankAnswer<null> =>
  isSuccess(reply) ? { outcome: 'done', value: null } : failureOf(reply)

/** Status 429 executed nothing; the effect of a server error is unknown (BCB, API Pix, Tratamento de erros). */
const failureOf = (reply: PixApiReply): BankAnswer<never> => {
  if (reply === 'unsent') return { outcome: 'unavailable' }
  if (reply === 'lost') return { outcome: 'unknown' }
  const { status, body } = reply
  if (status === TOO_MANY_REQUESTS) return { outcome: 'unavailable' }
  if (status >= 400 && status < 500 && status !== REQUEST_TIMEOUT)
    return { outcome: 'refused', reason: reasonIn(body, status) }
  return { outcome: 'unknown' }
}

/** The answer for a refused order: an earlier attempt may have been accepted, and the bank's record of it decides. */
export const storedOrRefused = <T>(
  refused: Extract<BankAnswer<never>, { readonly outcome: 'refused' }>,
  found: BankAnswer<T | null>,
): BankAnswer<T> => {
  if (found.outcome === 'done') return found.value === null ? refused : { outcome: 'done', value: found.value }
  if (found.outcome === 'unknown') return found
  return found.outcome === 'refused' ? refused : { outcome: 'unknown' }
}

/** Returns the bank's reason: the detail of the problem (RFC 7807) and its violations. */
const reasonIn = ({ detail, title, violacoes }: JsonObject, status: number): string => {
  const why = textIn(detail) ?? textIn(title) ?? `O banco respondeu ${status}.`
  const violations = listIn(violacoes).map((item) => violationIn(objectIn(item)))
  return [why, ...violations.filter((text) => text !== '')].join(' ')
}

const violationIn = ({ razao, propriedade }: JsonObject): string => {
  const [reason, property] = [textIn(razao), textIn(propriedade)]
  if (reason === null) return ''
  return property === null ? reason : `${reason} (${property})`
}

/** A received Pix, as the bank reports it. */
export interface PixRecord extends Pick<PaymentNotice, 'endToEndId' | 'valueCents' | 'paidAt' | 'payer'> {
  readonly txid: string | null
  /** The key that was paid; null if the bank does not report it. */
  readonly pixKey: string | null
}

const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/

/** Reads an end-to-end id; null of any other value. */
export const endToEndIdIn = (value: unknown): string | null => {
  const text = textIn(value)
  return text !== null && END_TO_END_ID.test(text) ? text : null
}

/** Reads a received Pix; null if a required field is missing or malformed. */
export const pixIn = (body: JsonObject): PixRecord | null => {
  const endToEndId = endToEndIdIn(body.endToEndId)
  const valueCents = centsIn(body.valor)
  const paidAt = instantIn(body.horario)
  if (endToEndId === null || valueCents === null || paidAt === null) return null
  return {
    endToEndId,
    valueCents,
    paidAt,
    txid: idIn(body.txid),
    pixKey: idIn(body.chave),
    payer: payerIn(objectIn(body.pagador)),
  }
}

/** Identifies an unreadable Pix by its end-to-end id, or by the id or path of the request. */
export const unreadablePix = (
  body: JsonObject,
  requestedAs: string,
  ownKey: string,
): UnreadableRecord & { kind: 'pix' } => ({
  kind: 'pix',
  id: idIn(body.endToEndId) ?? requestedAs,
  txid: idIn(body.txid),
  pixKey: idIn(body.chave) ?? ownKey,
})

/** Reports whether a Pix paid another key than the account's. Keys of the DICT are case-insensitive. */
export const isOtherKey = (pixKey: string | null, ownKey: string): boolean =>
  pixKey !== null && pixKey.toLowerCase() !== ownKey.toLowerCase()

const RFC_3339 =
  /^([\d-]{10})[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const MS_DIGITS = 3

/** Reads a time of RFC 3339; null of any other value. A leap second counts as the last millisecond before it. */
export const instantIn = (value: unknown): string | null => {
  const [, day = '', hour, minute, second, fraction = '', offset = ''] = RFC_3339.exec(textIn(value) ?? '') ?? []
  if (!isDay(day)) return null
  const seconds = second === '60' ? '59.999' : `${second}.${fraction.slice(0, MS_DIGITS).padEnd(MS_DIGITS, '0')}`
  const text = new Date(`${day}T${hour}:${minute}:${seconds}${offset.toUpperCase()}`).toISOString()
  return isInstant(text) ? text : null
}

/** The API Pix defines no payer; some banks send one in this form. */
const payerIn = ({ nome, cpf, cnpj }: JsonObject): Party | null => {
  const [name, document] = [textIn(nome), textIn(cpf) ?? textIn(cnpj)]
  return name === null || document === null ? null : { name, document, bank: null, branch: null, account: null }
}

/** A parsed JSON object whose fields are not checked yet. */
export type JsonObject = { readonly [name: string]: unknown }

/** Returns an object, or an empty one for any other value. */
export const objectIn = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

/** Parses a JSON object; returns an empty one for any other text. */
export const parseJsonObject = (text: string): JsonObject => {
  try {
    return objectIn(JSON.parse(text))
  } catch {
    return {}
  }
}

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Ids of a bank are visible ASCII. */
const ID = /^[!-~]{1,100}$/

/** Reads an id or a key; null of any other value. */
export const idIn = (value: unknown): string | null => {
  const text = textIn(value)
  return text !== null && ID.test(text) ? text : null
}

/** Reads a count, as a number or its digits; null of any other value. */
export const countIn = (value: unknown): number | null =>
  /^\d{1,9}$/.test(`${value}`) && typeof value !== 'object' ? Number(value) : null

/** An amount of the API is a text with two decimals. Some banks send fewer decimals, or a number. */
const REAIS = /^(\d{1,10})(?:\.(\d{0,2}))?$/

/** Formats cents as the API does: `1234` as `12.34`. */
export const formatAmount = (cents: number): string =>
  `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** Reads `12.34`, `12.3` or `12`, as a text or a number, as cents; null of any other value. */
export const centsIn = (value: unknown): number | null => {
  const [, reais, cents = ''] = REAIS.exec(typeof value === 'number' ? `${value}` : (textIn(value) ?? '')) ?? []
  return reais === undefined ? null : Number(reais) * 100 + Number(cents.padEnd(2, '0'))
}
