import { inspect } from 'node:util'
import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { nullIfAbsent, SNAKE_CASE } from '../../../../core/kernel/input/field.ts'
import { input } from '../../../../core/kernel/input/input.ts'
import {
  brandIssues,
  card,
  cardOf,
  notExpired,
  printedCard,
  printedNotExpired,
  sealedCard,
} from '../../../../core/payments/cards/card.ts'

const TODAY = '2026-11-23'
const CARD = {
  card_number: '4111 1111-1111 1111',
  brand: 'VISA',
  cvv: '123',
  expiry_month: '11',
  expiry_year: 26,
  cardholder_name: 'MARIA DA SILVA',
  document: '123.456.789-09',
}
const PRINTED = { cardholder_name: 'MARIA DA SILVA', card_number: '5555555555554444', expiry: '11/26', cvv: '123' }

const byParts = input('ByParts', { card: nullIfAbsent(card()) }, notExpired)
const printed = input('Printed', { card: nullIfAbsent(printedCard()) }, printedNotExpired)

type Sent = Readonly<Record<string, unknown>>
type Wire = { readonly card?: Sent | null }

const wrongIn = (of: typeof byParts | typeof printed, sent: Wire) => {
  const read = of.on(SNAKE_CASE).decode(sent, TODAY)
  return isLeft(read) ? read.left.map(({ path, code }) => `${path} ${code}`) : []
}

const read = (sent: Wire) => {
  const got = byParts.on(SNAKE_CASE).decode(sent, TODAY)
  if (isLeft(got) || !got.right.card) throw new Error(JSON.stringify(got))
  return got.right.card
}

test('decodes a typed card to a stable form', (t) => {
  const { cardNumber, brand, cvv, expiryMonth, expiryYear, cardholderName, document } = read({ card: CARD })
  t.deepEqual(
    [cardNumber, brand, cvv, expiryMonth, expiryYear, cardholderName, document],
    ['4111111111111111', 'visa', '123', 11, 2026, 'MARIA DA SILVA', '12345678909'],
  )
  const again = byParts.check({ card: read({ card: CARD }) }, TODAY)
  t.is(isLeft(again) ? null : again.right.card?.cvv, '123')
  t.like(isLeft(again) ? null : again.right.card, { expiryYear: 2026, brand: 'visa' })
  const { brand: _, document: __, ...least } = CARD
  t.like(read({ card: least }), { brand: null, document: null })
})

const cases: readonly (readonly [over: Sent, wrong: readonly string[]])[] = [
  [{ card_number: '4111111111111112' }, ['card.card_number card.number']],
  [{ card_number: '41111111111' }, ['card.card_number card.number']],
  [{ card_number: '4'.repeat(50) }, ['card.card_number card.number']],
  [{ card_number: 4111111111111111 }, ['card.card_number text']],
  [{ card_number: '' }, ['card.card_number required']],
  [{ cvv: '12' }, ['card.cvv card.cvv']],
  [{ cvv: '1234' }, ['card.cvv card.cvv']],
  [{ cvv: null, cardholder_name: ' ' }, ['card.cvv required', 'card.cardholder_name required']],
  [{ cardholder_name: '4111111111111111' }, ['card.cardholder_name card.holder']],
  [{ cardholder_name: 'MARIA 4111 1111-1111.1111 12/30' }, ['card.cardholder_name card.holder']],
  [{ cardholder_name: '４１１１１１１１１１１１１１１１' }, ['card.cardholder_name card.holder']],
  [{ cardholder_name: 'JOAO SILVA 12345678909' }, []],
  [{ expiry_month: 0 }, ['card.expiry_month card.month']],
  [{ expiry_month: '13' }, ['card.expiry_month card.month']],
  [{ expiry_month: 1.5 }, ['card.expiry_month card.month']],
  [{ expiry_month: 10 }, ['card.expiry_month card.expired']],
  [{ expiry_month: '01', expiry_year: 27 }, []],
  [{ expiry_year: '2026' }, []],
  [{ expiry_year: 2025 }, ['card.expiry_month card.expired']],
  [{ expiry_year: '202' }, ['card.expiry_year card.year']],
  [{ expiry_year: 1999 }, ['card.expiry_year card.year']],
  [{ expiry_year: 7 }, ['card.expiry_year card.year']],
]
for (const [over, wrong] of cases)
  test(`${JSON.stringify(over)}: ${wrong.join(', ') || 'is right'}`, (t) => {
    t.deepEqual(wrongIn(byParts, { card: { ...CARD, ...over } }), wrong)
  })

test('decodes a card with a printed expiry', (t) => {
  t.deepEqual(wrongIn(printed, { card: PRINTED }), [])
  for (const expiry of ['12/2026', '12 / 26', ' 12/26'])
    t.deepEqual(wrongIn(printed, { card: { ...PRINTED, expiry } }), [])
  for (const expiry of ['1/27', '13/27', '12-27', '2027/12', 1227])
    t.is(wrongIn(printed, { card: { ...PRINTED, expiry } }).length, 1, `${expiry}`)
  t.deepEqual(wrongIn(printed, { card: { ...PRINTED, expiry: '10/26' } }), ['card.expiry card.expired'])
  t.deepEqual(wrongIn(printed, { card: {} }).length, 4)
  const got = printed.on(SNAKE_CASE).decode({ card: { ...PRINTED, expiry: '12 / 2027' } }, TODAY)
  if (isLeft(got) || !got.right.card) return t.fail()
  const { cardNumber, cvv, expiryMonth, expiryYear } = cardOf(got.right.card)
  t.deepEqual([cardNumber, cvv, expiryMonth, expiryYear], ['5555555555554444', '123', 12, 2027])
})

test('rejects brands that are not accepted or differ from the sent one', (t) => {
  const wrong = (cardNumber: string, brand: string | null) =>
    brandIssues({ cardNumber, brand }).map(({ path, code }) => `${path} ${code}`)
  t.deepEqual(wrong('4111111111111111', 'visa'), [])
  t.deepEqual(wrong('5555555555554444', null), [])
  t.deepEqual(wrong('5555555555554444', 'visa'), ['card.brand card.brand'])
  t.deepEqual(wrong('5555555555554444', 'amex'), ['card.brand card.unsupported'])
  t.deepEqual(wrong('378282246310005', 'visa'), ['card.cardNumber card.unsupported'])
})

test('shows only the last four digits in JSON, spreads and prints', (t) => {
  const secret = read({ card: { ...CARD, cvv: '987' } })
  const ways = [
    JSON.stringify({ card: secret }),
    inspect(secret),
    inspect({ deep: { card: secret } }, { depth: 9, compact: false }),
    JSON.stringify({ ...secret }),
    JSON.stringify(Object.entries(secret)),
    `${new Error('failed', { cause: secret })}`,
    inspect(new Error('failed', { cause: secret })),
    JSON.stringify(structuredClone({ ...secret })),
    inspect(sealedCard({ cardNumber: '4111111111111111', cvv: '987' }), { showHidden: true }),
    JSON.stringify(cardOf(sealedCard({ ...PRINTED_CARD, cvv: '987' }))),
  ]
  for (const way of ways) t.notRegex(way, /411111111111|5555555555554444|987/)
  t.is(JSON.stringify(secret), '{"last4":"1111"}')
  t.is(inspect(secret), "{ last4: '1111' }")
})

const PRINTED_CARD = { cardNumber: '5555555555554444', cvv: '123', cardholderName: 'MARIA', expiry: '11/26' }
