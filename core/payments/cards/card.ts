import { issue, map, right } from '../../failure.ts'
import {
  alphanumeric,
  anyField,
  convertedText,
  type DecodedOf,
  type Field,
  type FieldOptions,
  field,
  firstOwn,
  type Input,
  type InputCode,
  input,
  isObject,
  type JsonSchema,
  line,
  nullIfAbsent,
  object,
  type RawObject,
  type Rule,
  reject,
  rule,
  text,
} from '../../kernel/input/mod.ts'
import { brandOf, CARD_BRANDS, digitsFinder, isExpired, isLuhn, last4Of } from '../../kernel/values/card-number.ts'

/** The issue codes of the parts of a card. */
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
const MAX_CHARS = 40

/** A text of digits without its `marks`. Its issues do not contain the sent value. */
const digitsField = (
  name: string,
  schema: JsonSchema,
  about: string,
  marks: RegExp,
  parse: (digits: string) => string | null,
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
        const digits = sent.length > MAX_CHARS ? null : parse(sent.replace(marks, ''))
        return digits === null ? reject(code) : right(digits)
      },
    },
    { about },
  )

const numberOf = (digits: string) => (NUMBER.test(digits) && isLuhn(digits) ? digits : null)

const MAX_HOLDER = 100
const FEWEST_DIGITS = 12

/** Reports whether a text may contain a card number: it has at least 12 digits. */
export const containsCardNumber = (text: string): boolean => (text.match(/\p{Nd}/gu) ?? []).length >= FEWEST_DIGITS

/**
 * The name on a card. A name that may contain the card number is rejected, because the name is stored. Fails: as a line
 * of text does, and `card.holder`.
 */
const cardholderName = (about: FieldOptions): Field<string, string, InputCode | 'card.holder'> =>
  convertedText(
    'cardholder name',
    line({ max: MAX_HOLDER }),
    (name) => (containsCardNumber(name) ? null : name),
    'card.holder',
    about,
  )

const FIRST_YEAR = 2_000

const expiryIn = (printed: string) => {
  const [month = '', year = ''] = printed.split('/')
  return { expiryMonth: Number(month), expiryYear: FIRST_YEAR + Number(year) }
}

/** An integer, sent as a number or as a text of digits. */
const numeralField = (
  code: 'card.month' | 'card.year',
  form: RegExp,
  bounds: { readonly minimum: number; readonly maximum: number },
  about: string,
  toValue: (digits: string) => number,
): Field<number, number | string, CardPartCode> =>
  field<number, number | string, CardPartCode>(
    {
      name: code,
      schema: {
        anyOf: [
          { type: 'string', pattern: form.source },
          { type: 'integer', ...bounds },
        ],
      },
      is: (value): value is number => typeof value === 'number',
      read: (sent) => {
        const digits = typeof sent === 'string' || typeof sent === 'number' ? `${sent}`.trim() : null
        if (digits === '') return reject('required')
        return digits !== null && form.test(digits) ? right(toValue(digits)) : reject(code)
      },
    },
    { about },
  )

const parts = {
  cardNumber: digitsField(
    'card number',
    { minLength: 12, maxLength: MAX_CHARS },
    'Número do cartão',
    /[\s-]/g,
    numberOf,
    'card.number',
  ),
  cvv: digitsField(
    'cvv',
    { pattern: CVV.source, format: 'password' },
    'Código de segurança, de 3 dígitos',
    /^\s+|\s+$/g,
    (digits) => (CVV.test(digits) ? digits : null),
    'card.cvv',
  ),
  cardholderName: cardholderName({ about: 'Nome impresso no cartão' }),
}

const cardInput = input('Card', {
  ...parts,
  brand: nullIfAbsent(text({ max: 20, casing: 'lower', about: 'Bandeira: visa ou mastercard' })),
  expiryMonth: numeralField('card.month', /^(0?[1-9]|1[0-2])$/, { minimum: 1, maximum: 12 }, 'Mês de validade', Number),
  expiryYear: numeralField(
    'card.year',
    /^(20)?[0-9]{2}$/,
    { minimum: 0, maximum: 2_099 },
    'Ano de validade, com 2 ou 4 dígitos',
    (digits) => FIRST_YEAR + Number(digits.slice(-2)),
  ),
  document: nullIfAbsent(alphanumeric({ max: 20, about: 'Documento do portador' })),
})

const shortExpiry = (text: string): string | null => {
  const [, month, year] = EXPIRY.exec(text) ?? []
  return month === undefined || year === undefined ? null : `${month}/${year}`
}

const printedCardInput = input('PrintedCard', {
  ...parts,
  expiry: digitsField(
    'expiry',
    { pattern: '^(0[1-9]|1[0-2])/[0-9]{2}$' },
    'Validade, MM/AA',
    /\s/g,
    shortExpiry,
    'card.expiry',
  ),
})

/** The data of a card. It exists only in the memory of its request and is never stored. */
export type Card = DecodedOf<typeof cardInput>
export type PrintedCard = DecodedOf<typeof printedCardInput>

type Secrets = Pick<Card, 'cardNumber' | 'cvv'>

/**
 * Hides number and CVV of a card from JSON, spreads and printing, which show the last four digits (PCI DSS 3.3.1). Both
 * can be read by name only.
 */
export const sealedCard = <C extends Secrets>(card: C): C => {
  const shown = () => ({ last4: last4Of(card.cardNumber) })
  return Object.defineProperties(
    { ...card },
    {
      cardNumber: { enumerable: false },
      cvv: { enumerable: false },
      toJSON: { value: shown },
      // Used by Node's console.
      [Symbol.for('nodejs.util.inspect.custom')]: { value: shown },
    },
  )
}

const sealedField = <A extends Secrets, G, I extends string>(inner: Field<A, G, I>): Field<A, G, I> => {
  const { name, schema, is, encode, aliases, wire, about, nested, isInline, isOptional } = inner
  return anyField<A, G, I>(
    { name, schema, is, encode, read: (value) => map(sealedCard<A>)(inner.read(value)) },
    { aliases, wire, about, nested, isInline, isOptional, on: (side) => sealedField(inner.on(side)) },
  )
}

const cardField =
  <A extends Secrets, G, I extends string>(of: Input<A, G, I>) =>
  (about: FieldOptions = {}) =>
    sealedField(object(of, about))

/** A card in the request of a charge. Fails: `required`, `object`, and as its parts do. */
export const card = cardField(cardInput)

/** A card as a payer types it, with the printed expiry. Fails: `required`, `object`, and as its parts do. */
export const printedCard = cardField(printedCardInput)

/** Converts a typed card; its brand follows from its number. */
export const cardOf = ({ cardNumber: number, cvv: code, cardholderName, expiry }: PrintedCard): Card =>
  sealedCard({ cardNumber: number, cvv: code, cardholderName, brand: null, document: null, ...expiryIn(expiry) })

const MAX_DEPTH = 32

/** Adds the paths of all matching texts and keys in a value; matching keys are masked in paths. */
const addPaths = (
  to: Set<string>,
  value: unknown,
  path: readonly string[],
  isFound: (text: string) => boolean,
  skipped: string,
): void => {
  if ((typeof value === 'string' || typeof value === 'number') && isFound(`${value}`)) to.add(path.join('.'))
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return
  for (const [key, each] of Object.entries(value)) {
    const isNamed = isFound(key)
    const own = [...path, isNamed ? '***' : key]
    if (own.join('.') === skipped) continue
    if (isNamed) to.add(own.join('.'))
    addPaths(to, each, own, isFound, skipped)
  }
}

const valueAt = (sent: RawObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isObject(value) ? firstOwn(value, [key]) : undefined), sent)

/**
 * Rejects a request in which another text contains the digits of its card number, since it would be stored and shown
 * (PCI DSS 3.3.1). Covers every key of the request, unknown ones included. Fails: `card.digits`.
 */
export const noCardDigits: Rule<object, 'card.digits'> = {
  checks: [],
  sent: (sent, pathOf) => {
    const path = pathOf('card.cardNumber')
    const isFound = digitsFinder(valueAt(sent, path))
    if (!isFound) return []
    const found = new Set<string>()
    addPaths(found, sent, [], isFound, path)
    return [...found].map((each) => issue(each, 'card.digits'))
  },
}

/** Rejects an expired card. Fails: `card.expired`. */
const notExpiredBy = <C>(path: string, expiryOf: (card: C) => Parameters<typeof isExpired>[0]) =>
  rule<{ readonly card: C | null }, 'card', 'card.expired'>(['card'], ({ card: sent }, today) =>
    sent && today && isExpired(expiryOf(sent), today) ? [issue(path, 'card.expired')] : [],
  )

export const notExpired = notExpiredBy<Card>('card.expiryMonth', (sent) => sent)
export const printedNotExpired = notExpiredBy<PrintedCard>('card.expiry', ({ expiry }) => expiryIn(expiry))

/** Returns the issues of a card's brand: `card.unsupported`, or `card.brand` if it differs from the sent brand. */
export const brandIssues = ({ cardNumber: number, brand }: Pick<Card, 'cardNumber' | 'brand'>) => {
  const own = brandOf(number)
  if (own === null) return [issue('card.cardNumber', 'card.unsupported')]
  if (brand === null || brand === own) return []
  return [issue('card.brand', CARD_BRANDS.some((each) => each === brand) ? 'card.brand' : 'card.unsupported')]
}
