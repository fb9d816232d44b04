import { isInstant } from '../../../../core/kernel/values/day.ts'
import type { Party, PaymentNotice } from '../../../../core/ports/bank.ts'
import { centsIn, type Told, textIn, toldIn } from './json.ts'

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
    txid: textIn(told.txid),
    pixKey: textIn(told.chave),
    payer: payerIn(toldIn(told.pagador)),
  }
}

/** A moment of RFC 3339, of whatever offset and fraction, as we write them. */
export const instantIn = (value: unknown): string | null => {
  const ms = Date.parse(textIn(value) ?? '')
  const text = Number.isNaN(ms) ? '' : new Date(ms).toISOString()
  return isInstant(text) ? text : null
}

/** The API names no payer; banks that do so all the same name one like this. */
const payerIn = ({ nome, cpf, cnpj }: Told): Party | null => {
  const [name, document] = [textIn(nome), textIn(cpf) ?? textIn(cnpj)]
  return name === null || document === null ? null : { name, document, bank: null, branch: null, account: null }
}
