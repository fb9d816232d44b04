import test from 'ava'
import { rows as paymentsRows } from '../../../apps/payments/catalogue.ts'
import { messages, type PaymentsCode, type PaymentsTexts } from '../../../apps/payments/messages.ts'
import { rows as estateRows } from '../../../apps/real-estate/catalogue.ts'
import { messages as estateMessages } from '../../../apps/real-estate/messages.ts'
import { failure } from '../../../core/failure.ts'

test('neither a text without a code nor a code without a text compiles', (t) => {
  // @ts-expect-error: no failure has this code.
  const extra: Partial<PaymentsTexts['failures']> = { 'never-heard-of': { status: 400, message: 'Nunca.' } }
  // @ts-expect-error: no issue has this code.
  const wrong: Partial<PaymentsTexts['issues']> = { 'never-heard-of': 'Nunca.' }
  // @ts-expect-error: other codes lack a text.
  const missing: PaymentsTexts['failures'] = { 'pin.wrong': { status: 403, message: 'PIN inválido.' } }
  t.deepEqual(
    [extra, wrong, missing].map((each) => Object.keys(each).length),
    [1, 1, 1],
  )
})

test('every failure of a row has a message, and every taken value one of its field, in both apps', (t) => {
  const apps = [
    { own: messages, rows: paymentsRows },
    { own: estateMessages, rows: estateRows },
  ]
  for (const { own, rows } of apps) {
    const all = own.withResources(rows.flatMap(({ texts }) => texts ?? []))
    for (const { name, errors = {} } of rows)
      for (const code of Object.keys(errors)) {
        t.notThrows(() => all.codeDoc(code, errors), `${name}: ${code}`)
        if (/\..*\.taken$/.test(code)) t.true(all.issueCodes.includes(code), `${name}: ${code}`)
      }
  }
})

test('failures that only bank notifications cause have their own status', (t) => {
  const codes: readonly PaymentsCode[] = ['payment.elsewhere', 'payment.contradictory']
  for (const code of codes) {
    t.is(messages.codeDoc(code).status, 409)
    t.is(messages.textOf(failure('conflict', code)).status, 409)
  }
})
