import test from 'ava'
import { canonicalText as canonicalWith } from '../../../core/office/idempotency-keys.ts'

const canonical = (value: unknown) => canonicalWith(value, (text) => `mark of ${text.length}`)

test('returns one text for equal JSON values and different texts for others', (t) => {
  t.is(canonical({ b: [1, { d: null, c: 'x' }], a: true }), '{"a":true,"b":[1,{"c":"x","d":null}]}')
  t.is(canonical({ a: undefined, b: 1 }), canonical({ b: 1 }))
  t.not(canonical({ a: '1' }), canonical({ a: 1 }))
  t.not(canonical(JSON.parse('[1e400]')), canonical([null]))
  t.not(canonical(['a', 'b']), canonical(['a,b']))
  t.is(canonical({ file: new Uint8Array([1, 2]) }), '{"file":"AQI="}')
  t.is(canonical(JSON.parse('{"__proto__":1,"a":2}')), '{"__proto__":1,"a":2}')
})

test('returns a text for values that JSON cannot express, so that the use case validates them', (t) => {
  const endless: { own?: object; big: bigint } = { big: 10n }
  endless.own = endless
  t.is(canonical(endless), '{"big":10n,"own":endless}')
  const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], null)
  t.true(canonical(deep).endsWith(']'))
  const twice = { a: 1 }
  t.is(canonical([twice, twice]), '[{"a":1},{"a":1}]')
  t.is(canonical([() => 1, Number.NaN]), '[null,NaN]')
})

test('omits the security code of a card and marks its number, under every name', (t) => {
  const number = '4111111111111111'
  t.is(canonical({ card: { card_number: number, cvv: '123', b: 1 } }), '{"card":{"b":1,"card_number":"mark of 18"}}')
  t.is(canonical({ cardNumber: number, cvv: '123' }), canonical({ cvv: '999', cardNumber: number }))
  t.not(canonical({ cardNumber: number }), canonical({ cardNumber: `${number} ` }))
  // The number and code of a decoded card are not enumerable.
  const read = Object.defineProperties({ b: 1 }, { cardNumber: { value: number }, cvv: { value: '123' } })
  t.is(canonical(read), canonical({ b: 1, cardNumber: number }))
  t.false(canonical([{ card_number: { deep: [number] }, cvv: [number] }]).includes(number))
})
