import test from 'ava'
import { endOfSentence } from '../../../../core/payments/accounts/views.ts'

test('a name at the end of a sentence is followed by one full stop, also where it has its own', (t) => {
  t.deepEqual(['Aurora', 'Aurora Ltda.'].map(endOfSentence), ['Aurora.', 'Aurora Ltda.'])
})
