import { right } from '../../../fp.ts'
import { type Field, field, type InputCode, nullable, reject } from '../../../kernel/input/field.ts'
import { input, object } from '../../../kernel/input/input.ts'
import { money, oneOf } from '../../../kernel/input/scalars.ts'
import { isInstant } from '../../../kernel/values/day.ts'
import { replaceUnstorable } from '../../../kernel/values/text.ts'
import { BANK_RECORDS, type PaymentNotice, type ReceivedPix } from '../../../ports/bank.ts'

/** Of a Pix an id has 25 to 35 letters and digits; other banks have signs of their own. */
const ID = /^[!-~]{1,100}$/
const MAX_ID_CHARS = 100

/** A text that is kept as `kept` gives it; null is none of them. */
const toldText = (name: 'text' | 'instant', kept: (told: string) => string | null): Field<string> =>
  field<string, string, InputCode>({
    name,
    schema: { type: 'string' },
    is: (value): value is string => typeof value === 'string',
    read: (told) => {
      const text = typeof told === 'string' ? kept(told) : null
      return text === null ? reject(name) : right(text)
    },
  })

// Neither trimmed nor put right: a bank that says it otherwise says something else.
export const idAtBank = toldText('text', (told) => (ID.test(told) ? told : null))
const moment = toldText('instant', (told) => (isInstant(told) ? told : null))
// No money is refused for how a name is written.
export const anyText = toldText('text', replaceUnstorable)

const party = input(null, {
  name: anyText,
  document: anyText,
  bank: nullable(anyText),
  branch: nullable(anyText),
  account: nullable(anyText),
})

/** What is told of any payment. */
const paymentFields = {
  valueCents: money({ minCents: 1 }),
  paidAt: moment,
  payer: nullable(object(party)),
}

/**
 * A bank's notice of a payment, of which nothing is believed before it was looked at: ids are visible ASCII, the amount is
 * positive whole cents and no more than any charge asks, the payer is kept as every store can.
 */
export const paymentNotice = input('PaymentNotice', {
  txid: idAtBank,
  endToEndId: idAtBank,
  method: oneOf(['pix', 'boleto']),
  ...paymentFields,
})

/** A bank's word of a Pix without a title that we know: the same, and whose key it reached. */
export const receivedPix = input('ReceivedPix', {
  txid: nullable(idAtBank),
  endToEndId: idAtBank,
  pixKey: idAtBank,
  ...paymentFields,
})

/** A record of the bank that cannot be read; its id may be any text. */
export const unreadableRecord = input('UnreadableRecord', {
  kind: oneOf(BANK_RECORDS),
  id: anyText,
  txid: nullable(anyText),
  pixKey: nullable(anyText),
})

/** What the operator is told of a notice that was refused: its ids, as far as they are any, and nobody's name. */
export const factsOf = (notice: PaymentNotice | ReceivedPix): Readonly<Record<string, string>> => {
  const { txid, endToEndId }: { readonly [id in 'txid' | 'endToEndId']?: unknown } = Object(notice)
  const shown = (id: unknown): string => (typeof id === 'string' ? id.slice(0, MAX_ID_CHARS) : typeof id)
  return { txid: shown(txid), endToEndId: shown(endToEndId) }
}
