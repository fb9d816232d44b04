import test from 'ava'
import { uuidOf } from '../../../../core/kernel/values/uuid.ts'

const HEX = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'

test('a UUID of a hash is one of version 8, of the variant that its records have', (t) => {
  t.is(uuidOf(HEX, '8'), '01234567-89ab-8def-8123-456789abcdef')
  t.is(uuidOf(HEX, 'a'), '01234567-89ab-8def-a123-456789abcdef')
})
