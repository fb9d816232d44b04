import test from 'ava'
import { canonical } from '../../../../core/office/keys/canonical.ts'

test('equal JSON values have one canonical text, different ones two', (t) => {
  t.is(canonical({ b: [1, { d: null, c: 'x' }], a: true }), '{"a":true,"b":[1,{"c":"x","d":null}]}')
  t.is(canonical({ a: undefined, b: 1 }), canonical({ b: 1 }))
  t.not(canonical({ a: '1' }), canonical({ a: 1 }))
  t.not(canonical(JSON.parse('[1e400]')), canonical([null]))
  t.not(canonical(['a', 'b']), canonical(['a,b']))
  t.is(canonical({ file: new Uint8Array([1, 2]) }), '{"file":"AQI="}')
  t.is(canonical(JSON.parse('{"__proto__":1,"a":2}')), '{"__proto__":1,"a":2}')
})

test('what no JSON is has a text all the same: a program is told what is wrong with it by what it asked', (t) => {
  const endless: { own?: object; big: bigint } = { big: 10n }
  endless.own = endless
  t.is(canonical(endless), '{"big":10n,"own":endless}')
  const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], null)
  t.true(canonical(deep).endsWith(']'))
  const twice = { a: 1 }
  t.is(canonical([twice, twice]), '[{"a":1},{"a":1}]')
  t.is(canonical([() => 1, Number.NaN]), '[null,NaN]')
})
