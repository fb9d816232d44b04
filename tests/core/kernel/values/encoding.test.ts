import test from 'ava'
import fc from 'fast-check'
import { uuidFromHash } from '../../../../core/kernel/running/ids.ts'
import { decodeBase64, encodeBase64 } from '../../../../core/kernel/values/encoding.ts'

test('encodes any bytes as padded base64 and decodes padded or unpadded texts', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      t.is(encodeBase64(bytes), text)
      t.deepEqual(decodeBase64(text), bytes)
      t.deepEqual(decodeBase64(text.replace(/=+$/, '')), bytes)
    }),
  )
})

test('throws for a text that is not base64', (t) => {
  for (const text of ['A', 'AAAAA', 'AA=', 'AAA==', '=', 'AA==AA==', 'AA A', 'AAA-', 'AA\n', '____', 'ÁAAA'])
    t.throws(() => decodeBase64(text), { instanceOf: RangeError }, text)
})

test('encodes files of any length modulo three', (t) => {
  for (const extra of [0, 1, 2]) {
    const file = new Uint8Array(100_000 + extra).map((_, at) => at * 31)
    t.is(encodeBase64(file), Buffer.from(file).toString('base64'))
  }
})

const HEX = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'

test('a UUID of a hash has version 8 and the given variant', (t) => {
  t.is(uuidFromHash(HEX, '8'), '01234567-89ab-8def-8123-456789abcdef')
  t.is(uuidFromHash(HEX, 'a'), '01234567-89ab-8def-a123-456789abcdef')
})
