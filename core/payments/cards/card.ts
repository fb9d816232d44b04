import { issue } from '../../failure.ts'
import { map } from '../../fp.ts'
import { anyField, type Field, type FieldOptions, nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type Input, input, object } from '../../kernel/input/input.ts'
import { type Rule, rule } from '../../kernel/input/rules.ts'
import { firstOwn, isObject, type RawObject } from '../../kernel/input/table.ts'
import { alphanumeric, text } from '../../kernel/input/texts.ts'
import { brandOf, CARD_BRANDS, digitsFinder, isExpired, last4Of } from '../../kernel/values/card-number.ts'
import { cardholderName, cardNumber, cvv, expiryIn, expiryMonth, expiryYear, printedExpiry } from './card-fields.ts'

const parts = {
  cardNumber: cardNumber({ about: 'Número do cartão' }),
  cvv: cvv({ about: 'Código de segurança, de 3 dígitos' }),
  cardholderName: cardholderName({ about: 'Nome impresso no cartão' }),
}

/** Source: 02-billing.md, Charge creation body. */
const cardInput = input('Card', {
  ...parts,
  brand: nullIfAbsent(text({ max: 20, casing: 'lower', about: 'Bandeira: visa ou mastercard' })),
  expiryMonth: expiryMonth({ about: 'Mês de validade' }),
  expiryYear: expiryYear({ about: 'Ano de validade, com 2 ou 4 dígitos' }),
  document: nullIfAbsent(alphanumeric({ max: 20, about: 'Documento do portador' })),
})

/** Source: 02-billing.md, Public payer routes. */
const printedCardInput = input('PrintedCard', {
  ...parts,
  expiry: printedExpiry({ about: 'Validade, MM/AA' }),
})

/** What somebody says of a card: it lives in the memory of their request, and nowhere else. */
export type Card = DecodedOf<typeof cardInput>
export type PrintedCard = DecodedOf<typeof printedCardInput>

type Secrets = Pick<Card, 'cardNumber' | 'cvv'>

/**
 * The same, of which neither JSON nor whoever prints it shows more than the last four digits: its number and code are there
 * for those alone who ask for them by name. Source: pix-boleto.md §5, PCI DSS 3.3.1.
 */
export const sealedCard = <C extends Secrets>(card: C): C => {
  const shown = () => ({ last4: last4Of(card.cardNumber) })
  return Object.defineProperties(
    { ...card },
    {
      cardNumber: { enumerable: false },
      cvv: { enumerable: false },
      toJSON: { value: shown },
      // What Node's console asks for.
      [Symbol.for('nodejs.util.inspect.custom')]: { value: shown },
    },
  )
}

const sealedField = <A extends Secrets, G, I extends string>(inner: Field<A, G, I>): Field<A, G, I> => {
  const { name, schema, is, encode, aliases, wire, about, nested, isInline, isOptional } = inner
  return anyField<A, G, I>(
    { name, schema, is, encode, read: (value) => map(sealedCard<A>)(inner.read(value)) },
    {
      aliases,
      wire,
      about,
      nested,
      isInline,
      isOptional,
      on: (side) => sealedField(inner.on(side)),
    },
  )
}

const cardField =
  <A extends Secrets, G, I extends string>(of: Input<A, G, I>) =>
  (about: FieldOptions = {}) =>
    sealedField(object(of, about))

/** A card by its parts, as whoever issues a charge sends it. Fails: `required`, `object`, and as its parts do. */
export const card = cardField(cardInput)

/** A card as it is printed, as a payer types it. Fails: `required`, `object`, and as its parts do. */
export const printedCard = cardField(printedCardInput)

/** What a payer typed, by its parts: its brand is its number's. */
export const cardOf = ({ cardNumber: number, cvv: code, cardholderName, expiry }: PrintedCard): Card =>
  sealedCard({ cardNumber: number, cvv: code, cardholderName, brand: null, document: null, ...expiryIn(expiry) })

/** Deeper than any request may be nested. */
const MAX_DEPTH = 32

/** Adds the paths of all texts in a value that are found; a name that is found itself is masked. */
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
 * No text of a request contains the digits of the card that it carries, but the card's number: they would be stored and shown.
 * Whatever the fields are called, also those that are ignored. Fails: `card.digits`. Source: PCI DSS 3.3.1.
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

/** A card is not past its month. Fails: `card.expired`. */
export const notExpired: Rule<{ readonly card: Card | null }, 'card.expired'> = rule(
  ['card'],
  ({ card: sent }, today) =>
    sent && today && isExpired(sent, today) ? [issue('card.expiryMonth', 'card.expired')] : [],
)

/** The same of what a payer typed. Fails: `card.expired`. */
export const printedNotExpired: Rule<{ readonly card: PrintedCard | null }, 'card.expired'> = rule(
  ['card'],
  ({ card: sent }, today) =>
    sent && today && isExpired(expiryIn(sent.expiry), today) ? [issue('card.expiry', 'card.expired')] : [],
)

/**
 * The brand of a card is one that is taken, and the one that was named. Fails: `card.unsupported`, `card.brand`.
 * Source: decisions.md §9.
 */
export const brandIssues = ({ cardNumber: number, brand }: Pick<Card, 'cardNumber' | 'brand'>) => {
  const own = brandOf(number)
  if (own === null) return [issue('card.cardNumber', 'card.unsupported')]
  if (brand === null || brand === own) return []
  return [issue('card.brand', CARD_BRANDS.some((each) => each === brand) ? 'card.brand' : 'card.unsupported')]
}
