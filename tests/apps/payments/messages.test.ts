import test from 'ava'
import type { Part, PaymentsCode } from '../../../apps/payments/messages.ts'
import { messages } from '../../../apps/payments/messages.ts'
import { failure } from '../../../core/failure.ts'

test('a text of a code that nothing fails with does not compile, nor a missing one', (t) => {
  // @ts-expect-error: nothing fails so.
  const extra: Part['failures'] = { 'never-heard-of': { status: 400, message: 'Nunca.' } }
  // @ts-expect-error: nor is any field wrong so.
  const wrong: Part['issues'] = { 'never-heard-of': 'Nunca.' }
  // @ts-expect-error: there are more.
  const missing: Required<Part['failures']> = { 'pin.wrong': { status: 403, message: 'PIN inválido.' } }
  t.deepEqual(
    [extra, wrong, missing].map((each) => Object.keys(each).length),
    [1, 1, 1],
  )
})

test('what only a bank is told has words of its own too', (t) => {
  const codes: readonly PaymentsCode[] = ['payment.elsewhere', 'payment.contradictory']
  for (const code of codes) {
    t.is(messages.codeDoc(code).status, 409)
    t.is(messages.textOf(failure('conflict', code)).status, 409)
  }
})
