import { ascii } from '../../kernel/values/text.ts'

/** Names the Pix arrangement inside a merchant account template; written in lower case, compared without case. */
export const PIX_GUI = 'br.gov.bcb.pix'
/** The reference label of a code that carries no txid of its own. */
export const NO_TXID = '***'
/** What 62-05 holds. */
export const MAX_STATIC_TXID = 25
export const MAX_MERCHANT_NAME = 25
export const MAX_MERCHANT_CITY = 15
const MAX_INFO = 72
/** What the ten digits before the decimal point of object 54 can hold: R$ 9,999,999,999.99. */
export const MAX_PIX_CENTS = 999_999_999_999

/** Takes the place of a name or city of which nothing is left in ASCII: both objects are mandatory. */
const NOT_INFORMED = 'NAO INFORMADO'
/** What the template's 99 characters leave for key and info together, after the GUI and their two headers. */
const KEY_AND_INFO_BUDGET = 73
const KEY = /^[\x21-\x7e]{1,77}$/
const STATIC_TXID = /^(\*\*\*|[a-zA-Z0-9]{1,25})$/

/** A receiver and what it asks for: `amountCents` absent lets the payer type the amount, `info` is shown to the payer. */
export interface StaticPix {
  /** The key in its DICT form, as `readPixKey` gives it. */
  readonly key: string
  readonly merchantName: string
  readonly merchantCity: string
  readonly amountCents?: number
  readonly txid?: string
  readonly info?: string
}

/** Whether a text may stand in 62-05: 1 to 25 letters and digits, or the three asterisks of no txid. */
export const isStaticTxid = (text: string): boolean => STATIC_TXID.test(text)

/**
 * The CRC-16/CCITT-FALSE of a text's UTF-8 bytes, as four upper-case hexadecimal digits.
 *
 * Source: BCB, Manual do BR Code; EMV QRCPS Merchant-Presented Mode, object 63.
 */
export const crc16 = (text: string): string => {
  let crc = 0xffff
  for (const byte of UTF8.encode(text)) crc = ((crc << 8) ^ (CRC_OF_BYTE[(crc >> 8) ^ byte] ?? 0)) & 0xffff
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

const UTF8 = new TextEncoder()

// What eight steps of the division make of each byte: every charge that is shown has a code.
const CRC_OF_BYTE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  return crc
})

const object = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`

const reais = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

const account = (key: string, info: string): string => {
  const room = Math.min(MAX_INFO, KEY_AND_INFO_BUDGET - key.length)
  const shown = room > 0 ? ascii(info, room) : ''
  return object('00', PIX_GUI) + object('01', key) + (shown ? object('02', shown) : '')
}

/**
 * The copy-and-paste text of a static Pix code, which any bank app reads and pays with no bank API. Names, city and info
 * are brought to ASCII and cut to what their objects hold.
 *
 * Fails: throws a RangeError on a key, txid or amount that no code can hold (they are checked where they enter).
 * Source: BCB, Manual de Padrões para Iniciação do Pix, 2.6.
 */
export const staticPixCode = ({ key, merchantName, merchantCity, amountCents, txid, info }: StaticPix): string => {
  if (!KEY.test(key)) throw new RangeError('Pix key of 1 to 77 printable ASCII characters expected')
  if (txid !== undefined && !isStaticTxid(txid)) throw new RangeError('Pix txid of 1 to 25 letters and digits expected')
  if (amountCents !== undefined && !(Number.isInteger(amountCents) && amountCents > 0 && amountCents <= MAX_PIX_CENTS))
    throw new RangeError(`Pix amount of 1 to ${MAX_PIX_CENTS} cents expected`)
  const unsigned = [
    object('00', '01'),
    object('26', account(key, info ?? '')),
    object('52', '0000'),
    object('53', '986'),
    amountCents === undefined ? '' : object('54', reais(amountCents)),
    object('58', 'BR'),
    object('59', ascii(merchantName, MAX_MERCHANT_NAME) || NOT_INFORMED),
    object('60', ascii(merchantCity, MAX_MERCHANT_CITY) || NOT_INFORMED),
    object('62', object('05', txid ?? NO_TXID)),
    '6304',
  ].join('')
  return unsigned + crc16(unsigned)
}
