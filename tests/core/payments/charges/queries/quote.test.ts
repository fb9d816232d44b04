import test from 'ava'
import type { Issue } from '../../../../../core/failure.ts'
import { addDays } from '../../../../../core/kernel/values/day.ts'
import { dueOn } from '../../../../../core/payments/charges/detail.ts'
import { twoEmptyAccounts } from '../../money-out/two-accounts.ts'
import { PAYER, right } from '../../world.ts'

const DUE = '2026-11-28'
const TERMS = {
  valueCents: 10_001,
  dueDate: DUE,
  amountRateHundredths: 300,
  typeRate: 'PERCENTAGE',
  discountHundredths: 150,
  typeDiscount: 'ABSOLUTE',
  daysDiscount: 1,
} as const

test('quotes the amount that an issued charge asks for on each day', async (t) => {
  const { pay, from } = await twoEmptyAccounts()
  for (const paymentMethod of ['PIX', 'BOLETO'] as const) {
    const terms = { ...TERMS, paymentMethod }
    const { charge } = right(await pay.charges.issue(from.member, { ...terms, payer: PAYER })())
    for (const days of [-3, 0, 2, 3, 33]) {
      const day = addDays(DUE, days)
      const [quoted] = right(await pay.simulations.amountDue(from.member, { ...terms, day })())
      t.is(quoted?.dueCents, dueOn(charge, day), `${paymentMethod} ${day}`)
      t.is(quoted?.payableUntil, paymentMethod === 'PIX' ? '2026-11-30' : '2026-12-28')
    }
  }
})

test('quotes each installment of a plan as its charges are issued, and checks the same limits', async (t) => {
  const { pay, from, to } = await twoEmptyAccounts()
  const schedule = { description: 'Três vezes', interval: 1, intervalType: 'months', installmentsCount: 3 } as const
  const { id: paymentPlanId } = right(await pay.plans.create(from.member, schedule)())
  const terms = { ...TERMS, paymentMethod: 'PIX', paymentPlanId } as const
  const quoted = right(await pay.simulations.amountDue(from.member, terms)())
  const issued = right(await pay.charges.issueWithPlan(from.member, { ...terms, payer: PAYER })())
  t.deepEqual(
    quoted.map(({ valueCents, dueDate, dueCents }) => [valueCents, dueDate, dueCents]),
    issued.map(({ charge }) => [charge.valueCents, charge.dueDate, dueOn(charge, charge.dueDate)]),
  )
  const wrong = async (sent: object, by = from.member) => {
    const answer = await pay.simulations.amountDue(by, { ...terms, ...sent })()
    return 'left' in answer && 'issues' in answer.left
      ? answer.left.issues.map(({ path, code }: Issue) => `${path} ${code}`)
      : answer
  }
  t.deepEqual(await wrong({}, to.member), ['paymentPlanId unknown'])
  t.deepEqual(await wrong({ valueCents: 2, discountHundredths: 0 }), ['valueCents money.min'])
  t.deepEqual(await wrong({ dueDate: '2026-11-22', daysDiscount: 0 }), ['dueDate day.past'])
})
