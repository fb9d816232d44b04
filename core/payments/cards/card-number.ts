import type { Day } from '../../kernel/values/day.ts'

/** The brands that are taken. Source: 02-billing.md, Charge creation body. */
export const CARD_BRANDS = ['visa', 'mastercard'] as const
export type CardBrand = (typeof CARD_BRANDS)[number]

/** Elo's, which begin as Visa's do. Source: pix-boleto.md §5. */
const ELO = ['401178', '401179', '431274', '438935', '451416', '457393', '457631', '457632']
const VISA = /^4(?:\d{12}|\d{15}|\d{18})$/
const MASTERCARD = /^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d+$/
const MASTERCARD_DIGITS = 16

/** Of which brand a number is, by its first digits and its length; null for one that is not taken. Source: pix-boleto.md §5. */
export const brandOf = (number: string): CardBrand | null => {
  if (ELO.some((prefix) => number.startsWith(prefix))) return null
  if (VISA.test(number)) return 'visa'
  return number.length === MASTERCARD_DIGITS && MASTERCARD.test(number) ? 'mastercard' : null
}

/** Whether the last digit of a number is that of the others: ISO/IEC 7812-1, annex B. */
export const isLuhn = (number: string): boolean => {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return number !== '' && sum % 10 === 0
}

const SHOWN_DIGITS = 4

/** All that is kept of a number. */
export const last4Of = (number: string): string => number.slice(-SHOWN_DIGITS)

/** The end of what a card is good for: its month is the last. */
export interface CardExpiry {
  /** 1 to 12. */
  readonly expiryMonth: number
  /** Of four digits. */
  readonly expiryYear: number
}

/** A card is good through the last day of its month, in São Paulo. */
export const isExpired = ({ expiryMonth, expiryYear }: CardExpiry, today: Day): boolean =>
  `${expiryYear}-${`${expiryMonth}`.padStart(2, '0')}` < today.slice(0, 'YYYY-MM'.length)
