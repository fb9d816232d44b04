import type { Day } from './day.ts'

export const CARD_BRANDS = ['visa', 'mastercard'] as const
export type CardBrand = (typeof CARD_BRANDS)[number]

/** Prefixes of Elo cards among those of Visa. */
const ELO = ['401178', '401179', '431274', '438935', '451416', '457393', '457631', '457632']
const VISA = /^4(?:\d{12}|\d{15}|\d{18})$/
const MASTERCARD = /^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d+$/
const MASTERCARD_DIGITS = 16

/** Returns the brand of a number, by its first digits and its length; null for a brand that is not accepted. */
export const brandOf = (number: string): CardBrand | null => {
  if (ELO.some((prefix) => number.startsWith(prefix))) return null
  if (VISA.test(number)) return 'visa'
  return number.length === MASTERCARD_DIGITS && MASTERCARD.test(number) ? 'mastercard' : null
}

/** Reports whether the check digit of a number is right (ISO/IEC 7812-1, annex B). */
export const isLuhn = (number: string): boolean => {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return number !== '' && sum % 10 === 0
}

const NUMBER_DIGITS = { fewest: 12, most: 19 }

/** Returns the value of a decimal digit of any script: their blocks of ten begin at a code that ends in 0 or 6. */
const digitValue = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  const low = code % 16
  return `${/\p{Nd}/u.test(String.fromCodePoint(code - low)) ? low : low - 6}`
}

/** Returns the letters and digits of a text without anything between them, digits of every script as 0 to 9. */
const withoutMarks = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{Nd}]/gu, '')
    .replace(/\p{Nd}/gu, digitValue)

/** Decodes the percent escapes of a text; invalid ones are dropped. */
const unescaped = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return ''
    }
  })

/**
 * Finds the texts that contain the digits of a card, with or without marks between them and in any script, escaped in a
 * URL too. Null if `number` is no text of 12 to 19 digits.
 */
export const digitsFinder = (number: unknown): ((text: string) => boolean) | null => {
  const digits = typeof number === 'string' || typeof number === 'number' ? withoutMarks(`${number}`) : ''
  const { fewest, most } = NUMBER_DIGITS
  if (!/^\d+$/.test(digits) || digits.length < fewest || digits.length > most) return null
  return (text) => [text, unescaped(text)].some((each) => withoutMarks(each).includes(digits))
}

/**
 * The first digits and lengths of the numbers of all payment cards: UUIDs, CNPJs and times in milliseconds have others.
 */
const OF_A_CARD = /^(?:3[47]\d{13}|[3-6]\d{15}|2(?:22[1-9]|2[3-9]\d|[3-6]\d{2}|7[01]\d|720)\d{12}|[4-6]\d{18})$/

/** Reports whether a text is the number of a payment card and nothing else, with any marks between its digits. */
export const isCardNumber = (text: string): boolean => {
  const digits = withoutMarks(text)
  return OF_A_CARD.test(digits) && isLuhn(digits)
}

const SHOWN_DIGITS = 4

/** Returns the only digits of a number that are stored. */
export const last4Of = (number: string): string => number.slice(-SHOWN_DIGITS)

/** The expiry of a card: its last valid month. */
export interface CardExpiry {
  /** 1 to 12. */
  readonly expiryMonth: number
  /** Of four digits. */
  readonly expiryYear: number
}

/** A card is good through the last day of its month, in São Paulo. */
export const isExpired = ({ expiryMonth, expiryYear }: CardExpiry, today: Day): boolean =>
  `${expiryYear}-${`${expiryMonth}`.padStart(2, '0')}` < today.slice(0, 'YYYY-MM'.length)
