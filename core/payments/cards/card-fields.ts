import { isLeft, right } from '../../fp.ts'
import {
  type Field,
  type FieldOptions,
  field,
  type InputCode,
  type JsonSchema,
  reject,
} from '../../kernel/input/field.ts'
import { line } from '../../kernel/input/texts.ts'
import { isLuhn } from '../../kernel/values/card-number.ts'

/** What can be wrong with the parts of a card. */
export type CardPartCode =
  | 'required'
  | 'text'
  | 'card.number'
  | 'card.cvv'
  | 'card.month'
  | 'card.year'
  | 'card.expiry'
  | 'card.holder'

const NUMBER = /^\d{12,19}$/
const CVV = /^\d{3}$/
const EXPIRY = /^(0[1-9]|1[0-2])\/(?:20)?(\d{2})$/
/** A number with all the marks that anybody puts between its digits. */
const MAX_CHARS = 40

/** Digits that are sent as a text, with or without marks between them; nothing of what was sent is in what is wrong. */
const digitsField = (
  name: string,
  schema: JsonSchema,
  about: FieldOptions,
  marks: RegExp,
  taken: (digits: string) => string | null,
  code: CardPartCode,
): Field<string, string, CardPartCode> =>
  field<string, string, CardPartCode>(
    {
      name,
      schema: { type: 'string', ...schema },
      is: (value): value is string => typeof value === 'string',
      read: (sent) => {
        if (typeof sent !== 'string') return reject('text')
        if (sent.trim() === '') return reject('required')
        const digits = sent.length > MAX_CHARS ? null : taken(sent.replace(marks, ''))
        return digits === null ? reject(code) : right(digits)
      },
    },
    about,
  )

const as =
  (pattern: RegExp, holds: (digits: string) => boolean = () => true) =>
  (digits: string) =>
    pattern.test(digits) && holds(digits) ? digits : null

/** The number on a card, without marks. Fails: `required`, `text`, `card.number` (its check digit, its length). */
export const cardNumber = (about: FieldOptions) =>
  digitsField(
    'card number',
    { minLength: 12, maxLength: MAX_CHARS },
    about,
    /[\s-]/g,
    as(NUMBER, isLuhn),
    'card.number',
  )

/** The three digits that are nowhere else but on the card. Fails: `required`, `text`, `card.cvv`. */
export const cvv = (about: FieldOptions) =>
  digitsField('cvv', { pattern: CVV.source, format: 'password' }, about, /^\s+|\s+$/g, as(CVV), 'card.cvv')

const MAX_HOLDER = 100
/** As few digits as the number of any card has. */
const FEWEST_DIGITS = 12

/** Whether a text may have the number of a card in it, however it is written: no name has as many digits. */
export const holdsCardNumber = (text: string): boolean => (text.match(/\p{Nd}/gu) ?? []).length >= FEWEST_DIGITS

/**
 * The name on a card, which is kept: where somebody typed its number instead, it is not taken. Fails: as a line of text does, and
 * `card.holder`. Source: 02-billing.md, Charge creation body; decisions.md §3, Card.
 */
export const cardholderName = (about: FieldOptions): Field<string, string, InputCode | 'card.holder'> => {
  const { name, schema, is, read } = line({ max: MAX_HOLDER })
  return field<string, string, InputCode | 'card.holder'>(
    {
      name,
      schema,
      is,
      read: (sent) => {
        const found = read(sent)
        return isLeft(found) || !holdsCardNumber(found.right) ? found : reject('card.holder')
      },
    },
    about,
  )
}

/** `MM/AA`, as it is printed. Fails: `required`, `text`, `card.expiry`. */
export const printedExpiry = (about: FieldOptions) =>
  digitsField('expiry', { pattern: '^(0[1-9]|1[0-2])/[0-9]{2}$' }, about, /\s/g, shortExpiry, 'card.expiry')

const shortExpiry = (text: string): string | null => {
  const [, month, year] = EXPIRY.exec(text) ?? []
  return month === undefined || year === undefined ? null : `${month}/${year}`
}

const FIRST_YEAR = 2_000

/** The month and the year of `MM/AA`. */
export const expiryIn = (printed: string) => {
  const [month = '', year = ''] = printed.split('/')
  return { expiryMonth: Number(month), expiryYear: FIRST_YEAR + Number(year) }
}

/** A number that is sent as one, or as a text of digits. */
const numeralField = (
  code: 'card.month' | 'card.year',
  schema: { readonly text: string; readonly minimum: number; readonly maximum: number },
  about: FieldOptions,
  taken: (digits: string) => number | null,
): Field<number, number | string, CardPartCode> => {
  const { text, ...bounds } = schema
  return field<number, number | string, CardPartCode>(
    {
      name: code,
      schema: {
        anyOf: [
          { type: 'string', pattern: text },
          { type: 'integer', ...bounds },
        ],
      },
      is: (value): value is number => typeof value === 'number',
      read: (sent) => {
        if (typeof sent === 'string' && sent.trim() === '') return reject('required')
        const value = typeof sent === 'string' || typeof sent === 'number' ? taken(`${sent}`.trim()) : null
        return value === null ? reject(code) : right(value)
      },
    },
    about,
  )
}

/** 1 to 12, as a number or a text. Fails: `required`, `card.month`. */
export const expiryMonth = (about: FieldOptions) =>
  numeralField('card.month', { text: '^(0?[1-9]|1[0-2])$', minimum: 1, maximum: 12 }, about, (digits) =>
    /^(?:0?[1-9]|1[0-2])$/.test(digits) ? Number(digits) : null,
  )

/** A year of two or four digits, as a number or a text. Fails: `required`, `card.year`. */
export const expiryYear = (about: FieldOptions) =>
  numeralField('card.year', { text: '^(20)?[0-9]{2}$', minimum: 0, maximum: 2_099 }, about, (digits) =>
    /^(?:20)?\d{2}$/.test(digits) ? FIRST_YEAR + Number(digits.slice(-2)) : null,
  )
