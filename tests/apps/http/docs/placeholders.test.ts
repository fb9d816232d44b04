import test from 'ava'
import { fillPlaceholders } from '../../../../apps/http/pages/placeholders.ts'

test('fills each placeholder of a text, also twice, with its value as it is', (t) => {
  const text = 'API=__URL__\n`__KEY_MAX_CHARS__` __proto__ __init__ __URL__'
  t.is(
    fillPlaceholders(text, { URL: 'http://[::1]:3000/$&', KEY_MAX_CHARS: 255 }),
    'API=http://[::1]:3000/$&\n`255` __proto__ __init__ http://[::1]:3000/$&',
  )
})

test('inserts a value without filling the placeholders in it', (t) => {
  t.is(fillPlaceholders('__STEP__', { STEP: '__URL__' }), '__URL__')
})

test('throws for a placeholder without a value, and for a value without a placeholder', (t) => {
  t.throws(() => fillPlaceholders('__URL__ __DAYS__', { URL: '' }), { message: 'placeholder __DAYS__ has no value' })
  t.throws(() => fillPlaceholders('__URL__', { URL: '', DAYS: 1, HOURS: 2 }), {
    message: 'no placeholder for DAYS, HOURS',
  })
})
