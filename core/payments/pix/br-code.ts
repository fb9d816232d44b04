import { type Either, left, right } from '../../failure.ts'
import { ascii } from '../../kernel/values/text.ts'

/** Identifies Pix in a merchant account template; written in lower case, compared without case. */
const PIX_GUI = 'br.gov.bcb.pix'
/** The reference label of a code without a txid. */
const NO_TXID = '***'
export const MAX_STATIC_TXID = 25
const MAX_MERCHANT_NAME = 25
const MAX_MERCHANT_CITY = 15
const MAX_INFO = 72
/** The maximum of object 54, with ten digits before the decimal point: R$ 9,999,999,999.99. */
export const MAX_PIX_CENTS = 999_999_999_999

/** Replaces a name or city that is empty in ASCII, since both objects are mandatory. */
const NOT_INFORMED = 'NAO INFORMADO'
/** The characters for key and info in a template of 99, without the GUI and their two headers. */
const KEY_AND_INFO_BUDGET = 73
const KEY = /^[\x21-\x7e]{1,77}$/
const STATIC_TXID = /^(\*\*\*|[a-zA-Z0-9]{1,25})$/

/** The data of a static code. Without `amountCents` the payer types the amount; `info` is shown to the payer. */
export interface StaticPix {
  /** The key in its DICT form, as `readPixKey` returns it. */
  readonly key: string
  readonly merchantName: string
  readonly merchantCity: string
  readonly amountCents?: number
  readonly txid?: string
  readonly info?: string
}

/** Reports whether a text is valid in object 62-05: 1 to 25 letters and digits, or `***` for no txid. */
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

// The remainder of each byte, as a table, since every shown charge has a code.
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
 * Builds the copy-and-paste text of a static Pix code, which needs no bank API. Name, city and info are converted to
 * ASCII and cut to the lengths of their objects.
 *
 * Throws a RangeError for an invalid key, txid or amount, which inputs reject.
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

/** The content of a Pix code. For a dynamic code, the payer's app uses the charge at `url`, not amount and txid. */
export interface PixCode {
  readonly kind: 'static' | 'dynamic' | 'recurrence'
  readonly key: string | null
  /** Null for `***`. */
  readonly txid: string | null
  /** Null if the payer types the amount. */
  readonly amountCents: number | null
  readonly merchantName: string
  readonly merchantCity: string
  /** The location of a dynamic code's charge, without protocol. */
  readonly url: string | null
  /** The location of an offered Pix Automático recurrence, without protocol; any kind of code may have one. */
  readonly recurrenceUrl: string | null
  readonly info: string | null
}

type Objects = ReadonlyMap<string, string>

const SIGNATURE = /6304([0-9A-Fa-f]{4})$/
const HEADER = /^[0-9]{4}$/
const MCC = /^[0-9]{4}$/
const AMOUNT = /^([0-9]{1,10})(?:\.([0-9]{0,2}))?$/
const ISPB = /^[0-9A-Z]{8}$/

const isSigned = (text: string): boolean => SIGNATURE.exec(text)?.[1]?.toUpperCase() === crc16(text.slice(0, -4))

/** Splits a text into its objects; null if a header is not numeric, a length is 0 or too long, or an id repeats. */
const objectsOf = (text: string): Objects | null => {
  const objects = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const header = text.slice(at, at + 4)
    const id = header.slice(0, 2)
    const end = at + 4 + Number(header.slice(2))
    if (!HEADER.test(header) || end === at + 4 || end > text.length || objects.has(id)) return null
    objects.set(id, text.slice(at + 4, end))
    at = end
  }
  return objects
}

/** Returns the Pix templates with ids `from` to `to`; null if one of them is malformed. */
const pixTemplates = (root: Objects, from: number, to: number): Objects[] | null => {
  const found: Objects[] = []
  for (const [id, value] of root) {
    if (Number(id) < from || Number(id) > to) continue
    const template = objectsOf(value)
    if (!template) return null
    if (template.get('00')?.toLowerCase() === PIX_GUI) found.push(template)
  }
  return found
}

const isShown = (text: string | undefined, maxLength: number): boolean => text !== undefined && text.length <= maxLength

/** Returns the id of the first invalid root object. */
const wrongRoot = (root: Objects): string | null => {
  if (root.get('00') !== '01' || [...root.keys()][0] !== '00') return '00'
  if (!['11', '12', undefined].includes(root.get('01'))) return '01'
  if (!MCC.test(root.get('52') ?? '')) return '52'
  if (root.get('53') !== '986') return '53'
  if (!AMOUNT.test(root.get('54') ?? '0')) return '54'
  if (root.get('58') !== 'BR') return '58'
  if (!isShown(root.get('59'), MAX_MERCHANT_NAME)) return '59'
  if (!isShown(root.get('60'), MAX_MERCHANT_CITY)) return '60'
  return null
}

/** Returns the path of an invalid account object. In a template of 99 characters no key, URL or info is too long. */
const wrongAccount = (account: Objects, recurs: boolean): string | null => {
  const [hasKey, hasUrl, withdrawal] = [account.has('01'), account.has('25'), account.get('03')]
  if (hasUrl && (hasKey || withdrawal !== undefined)) return '26'
  if (!hasUrl && !hasKey && !recurs) return '26'
  return withdrawal === undefined || ISPB.test(withdrawal) ? null : '26-03'
}

const centsOf = (amount: string | undefined): number | null => {
  const [, whole, cents = ''] = AMOUNT.exec(amount ?? '') ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

const kindOf = (account: Objects): PixCode['kind'] => {
  if (account.has('01')) return 'static'
  return account.has('25') ? 'dynamic' : 'recurrence'
}

/**
 * Reads a Pix copy-and-paste text.
 *
 * Fails: `crc`, `tlv` (objects overrun, are empty, repeat or do not end with 63), `gui` (no or several Pix accounts),
 * or the path of the invalid object: `00`, `01`, `26` (not one of key and URL), `26-03`, `52`, `53`, `54`, `58`, `59`,
 * `60`, `62-05`. Source: BCB, Manual do BR Code and Manual de Padrões para Iniciação do Pix, 2.
 */
export const readPixCode = (text: string): Either<string, PixCode> => {
  if (!isSigned(text)) return left('crc')
  const root = objectsOf(text)
  const accounts = root && pixTemplates(root, 26, 51)
  const unreserved = root && pixTemplates(root, 80, 99)
  const additional = root && objectsOf(root.get('62') ?? '')
  if (!root || !accounts || !unreserved || !additional || [...root.keys()].at(-1) !== '63') return left('tlv')
  const [account] = accounts
  if (!account || accounts.length > 1) return left('gui')
  const recurrenceUrl = unreserved.map((template) => template.get('25')).find((url) => url !== undefined) ?? null
  const wrong = wrongRoot(root) ?? wrongAccount(account, recurrenceUrl !== null)
  if (wrong) return left(wrong)
  const amountCents = centsOf(root.get('54'))
  if (amountCents === 0 && account.has('01') && !account.has('03')) return left('54')
  const label = additional.get('05') ?? ''
  if (!isStaticTxid(label)) return left('62-05')
  return right({
    kind: kindOf(account),
    key: account.get('01') ?? null,
    txid: label === NO_TXID ? null : label,
    amountCents,
    merchantName: root.get('59') ?? '',
    merchantCity: root.get('60') ?? '',
    url: account.get('25') ?? null,
    recurrenceUrl,
    info: account.get('02') ?? null,
  })
}
