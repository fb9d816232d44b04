import test from 'ava'
import {
  brandOf,
  digitsFinder,
  isCardNumber,
  isExpired,
  isLuhn,
  last4Of,
} from '../../../../core/kernel/values/card-number.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }

const { valid, luhnInvalid, ranges, eloThatStartWith4 } = vectors.cards

test('numbers of the public lists have their brand and check digit', (t) => {
  for (const { pan, brand } of valid) t.true(brandOf(pan) === brand && isLuhn(pan), pan)
  for (const number of luhnInvalid) t.false(isLuhn(number), number)
  t.false(isLuhn(''))
})

test('a brand goes by its prefix and its length; Elo is none of Visa', (t) => {
  for (const { prefix, brand } of ranges) t.true(brandOf(prefix.padEnd(16, '0')) === brand, prefix)
  for (const prefix of eloThatStartWith4) t.is(brandOf(prefix.padEnd(16, '0')), null, prefix)
  for (const prefix of ['55', '2221', '2229', '2300', '2699', '2700', '2720'])
    t.is(brandOf(prefix.padEnd(16, '0')), 'mastercard', prefix)
  for (const prefix of ['50', '2220', '2721', '3', '6']) t.is(brandOf(prefix.padEnd(16, '0')), null, prefix)
  const lengths = [12, 13, 14, 15, 16, 17, 18, 19, 20].filter((length) => brandOf('4'.padEnd(length, '0')) !== null)
  t.deepEqual(lengths, [13, 16, 19])
  t.deepEqual([brandOf('51'.padEnd(15, '0')), brandOf('51'.padEnd(17, '0'))], [null, null])
})

test('a card is good through the last day of its month', (t) => {
  const card = { expiryMonth: 2, expiryYear: 2027 }
  t.false(isExpired(card, '2027-02-28'))
  t.true(isExpired(card, '2027-03-01'))
  t.false(isExpired({ expiryMonth: 12, expiryYear: 2026 }, '2026-12-31'))
  t.true(isExpired({ expiryMonth: 12, expiryYear: 2026 }, '2027-01-01'))
  t.false(isExpired({ expiryMonth: 10, expiryYear: 2026 }, '2026-09-01'))
  t.is(last4Of('4111111111111111'), '1111')
})

test('the digits of a card are found in a text whatever stands between them, and in no other text', (t) => {
  const isFound = digitsFinder('5555-5555 5555.4444')
  for (const text of [
    'Rua 5555555555554444, apto 2',
    '5555 5555\u00a05555\u20094444',
    '5_5/5.5-5\u00ad5\u200b5(5)5:5;5\n5|4,4+4~4',
    '５５５５５５５５５５５５４４４４',
    '٥٥٥٥ ٥٥٥٥ ٥٥٥٥ ٤٤٤٤',
    '५५५५५५५५५५५५४४४४',
    '𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟓𝟒𝟒𝟒𝟒',
    '5️⃣5️⃣5️⃣5️⃣5555555544️⃣44',
    'https://loja.example/?a=%zz%ff&c=5555%205555%EF%BC%95555%34444',
  ])
    t.true(isFound?.(text), text)
  for (const text of ['', '5555 5555 5555 4445', '5555 5555 a 5555 4444', '555555555555444', 'Rua 4444, 5555'])
    t.false(isFound?.(text), text)
  for (const number of [undefined, null, {}, '', '12345678901', '4'.repeat(20), 'MARIA'])
    t.is(digitsFinder(number), null)
})

test('a text is the number of a card by its first digits, its length and its check digit', (t) => {
  for (const { pan } of valid) t.true(isCardNumber(pan) && !isCardNumber(`${pan}x`), pan)
  for (const text of ['5555.5555 5555-4444', '４１１１ 1111 1111 1111', '2223003122003222', '378282246310005'])
    t.true(isCardNumber(text), text)
  // A time in milliseconds and in microseconds, a CNPJ, and numbers with the first digits of no card: each with a right
  // check digit.
  const others = ['1795800911301', '1795800911301000', '33000167000109', '9111111111111110', '4111111111111112', '']
  for (const text of others) t.false(isCardNumber(text), text)
})
