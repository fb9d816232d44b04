import test from 'ava'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import { frequentFilter, recipientFilter } from '../../../../core/payments/withdrawals/recipients.ts'
import { withdrawalFilter } from '../../../../core/payments/withdrawals/views.ts'
import { moneyOutQuestions } from '../../../bench/lists/facade-questions.ts'
import { payOutOf } from '../../../bench/lists/history.ts'
import { openSqlite, recording } from '../../observed-store.ts'
import { openPayments } from '../world.ts'

const PAID_OUT = 700
const ACTOR = { userId: 1, accountId: 1, roleId: 1, permissions: [] }

test('lists of withdrawals and recipients use an index, and their totals a tally', async (t) => {
  const store = await openSqlite(t, paymentsCollections)
  for (let number = 1; number <= PAID_OUT; number += 1)
    await store.commit(payOutOf(1, number, number, `2026-11-01T10:00:${`${number % 60}`.padStart(2, '0')}.000Z`))

  for (const { name, asks } of moneyOutQuestions) {
    const { asked, recorded } = recording(store)
    const pay = openPayments({ store: recorded }).pay
    t.is((await asks(pay, ACTOR, PAID_OUT))._tag, 'Right', name)
    for (const ask of asked) {
      const plan = await store.explain(ask)
      t.regex(plan, /USING (?:COVERING )?INDEX \S+ \(f_accountId=\?/, `${name}\n${plan}`)
      if (!name.includes('search')) t.false(/^SCAN payments/m.test(plan), `${name}\n${plan}`)
      if (!plan.includes('f_document=')) t.false(plan.includes('TEMP B-TREE'), `${name}\n${plan}`)
    }
    t.true(asked.length > 0, name)
  }
})

test('the bench covers every filter of these lists', (t) => {
  const searched = moneyOutQuestions.filter(({ name }) => name.endsWith('search')).length
  for (const { table } of [withdrawalFilter, recipientFilter, frequentFilter])
    t.deepEqual(
      Object.keys(table).filter((each) => !['page', 'perPage'].includes(each)),
      ['search'],
    )
  t.is(searched, 3)
})
