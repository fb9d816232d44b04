import { isDay, isInstant } from '../../../../core/kernel/values/day.ts'
import type { Party, PaymentNotice, UnreadableRecord } from '../../../../core/ports/bank.ts'
import { centsIn, countIn, idIn, listIn, type Told, textIn, toldIn } from './json.ts'

/** A Pix that reached the account, as the bank tells it. */
export interface PixReceived extends Pick<PaymentNotice, 'endToEndId' | 'valueCents' | 'paidAt' | 'payer'> {
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
export const pixIn = (told: Told): PixReceived | null => {
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
    payer: payerIn(toldIn(told.pagador)),
  }
}

/** A page of the list of received Pix; null if it is none, or lacks the records that it counts. */
export const pixPageIn = ({
  parametros,
  pix,
}: Told): { readonly pages: number; readonly items: readonly Told[] } | null => {
  const { quantidadeDePaginas, quantidadeTotalDeItens } = toldIn(toldIn(parametros).paginacao)
  const [pages, total] = [countIn(quantidadeDePaginas), countIn(quantidadeTotalDeItens)]
  const isWhole = Array.isArray(pix) || pages === 0 || total === 0
  return pages === null || !isWhole ? null : { pages, items: listIn(pix).map(toldIn) }
}

/** Names a Pix that cannot be read by its own id, else by the id or path by which it was requested. */
export const unreadablePix = (told: Told, requestedAs: string, ownKey: string): UnreadableRecord & { kind: 'pix' } => ({
  kind: 'pix',
  id: idIn(told.endToEndId) ?? requestedAs,
  txid: idIn(told.txid),
  pixKey: idIn(told.chave) ?? ownKey,
})

/** Reports whether a Pix was paid to another key than the account's; keys of the DICT are without case. */
export const isForeign = (pixKey: string | null, ownKey: string): boolean =>
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
const payerIn = ({ nome, cpf, cnpj }: Told): Party | null => {
  const [name, document] = [textIn(nome), textIn(cpf) ?? textIn(cnpj)]
  return name === null || document === null ? null : { name, document, bank: null, branch: null, account: null }
}
