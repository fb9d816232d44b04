import type { Instant } from '../../kernel/values/day.ts'

const END_TO_END_ID =
  /^E[0-9A-Z]{8}[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([01][0-9]|2[0-3])[0-5][0-9][a-zA-Z0-9]{11}$/

/** Reports whether a text has the form of an end-to-end id: 32 characters, case-sensitive. */
export const isEndToEndId = (text: string): boolean => END_TO_END_ID.test(text)

/** The ISPB of the payer's bank, the start of the payment and 11 random letters and digits. */
export interface EndToEndParts {
  readonly ispb: string
  readonly instant: Instant
  readonly random: string
}

/**
 * Builds the end-to-end id of a Pix: `E`, the ISPB, the UTC minute and the random part. Throws a RangeError for an
 * invalid part. Source: Open Finance Brasil, payments 4.0.0, EndToEndId.
 */
export const endToEndId = ({ ispb, instant, random }: EndToEndParts): string => {
  const id = `E${ispb}${instant.slice(0, 16).replace(/[^0-9]/g, '')}${random}`
  if (!isEndToEndId(id) || ispb.length !== 8 || random.length !== 11)
    throw new RangeError('ISPB of 8, UTC instant and 11 random letters and digits expected')
  return id
}

const RADIX = 36n
/** The base-36 digits of the 128 bits of a uuid, and the maximum of object 62-05 of a static code. */
const LENGTH = 25
const SHAPE = /^[0-9A-Z]{25}$/
const END = 1n << 128n

/** Returns the txid of an account's open code, by which payers choose the amount: the account's uuid in base 36. */
export const openTxidOf = (uuid: string): string =>
  BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(Number(RADIX))
    .toUpperCase()
    .padStart(LENGTH, '0')

/** Returns the uuid of the account with an open code's txid; null for any other txid. */
export const uuidOfOpenTxid = (txid: string): string | null => {
  if (!SHAPE.test(txid)) return null
  const value = [...txid].reduce((sum, sign) => sum * RADIX + BigInt(Number.parseInt(sign, Number(RADIX))), 0n)
  if (value >= END) return null
  const hex = value.toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
