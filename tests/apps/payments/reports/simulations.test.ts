import test from 'ava'
import { errorsOf, openTestApi } from '../test-api.ts'

const PATH = '/billing/simulate-payment'

const cases: readonly (readonly [amount: number, installments: number, each: number, summary: string])[] = [
  [100, 1, 100, '1x de R$ 100,00'],
  [100, 3, 33.33, '1x de R$ 33,34 e 2x de R$ 33,33'],
  [120, 12, 10, '12x de R$ 10,00'],
  [0.01, 1, 0.01, '1x de R$ 0,01'],
  [0.12, 12, 0.01, '12x de R$ 0,01'],
  [0.23, 12, 0.01, '1x de R$ 0,12 e 11x de R$ 0,01'],
  [9_999_999_999.99, 2, 4_999_999_999.99, '1x de R$ 5.000.000.000,00 e 1x de R$ 4.999.999.999,99'],
]

test('an amount is simulated by each method, whatever cents are left over on the first part', async (t) => {
  const { ask, merchant, everything } = await openTestApi(t)
  const { token } = await merchant()
  const before = await everything()
  for (const [amount, installments, each, summary] of cases) {
    const { status, body } = await ask('POST', PATH, { token, body: { amount, installments } })
    t.is(status, 200)
    const atOnce = { installments: 1, installment_value: amount, total_amount: amount }
    t.deepEqual(body.data, {
      pix: { method: 'pix', ...atOnce },
      boleto: { method: 'boleto', ...atOnce },
      credit_card: {
        method: 'credit_card',
        installments,
        installment_value: each,
        total_amount: amount,
        original_amount: amount,
      },
      simulation_details: {
        requested_amount: amount,
        requested_installments: installments,
        preferred_method: null,
        installments_summary: summary,
      },
    })
  }
  t.deepEqual(await everything(), before, 'nothing is created')
})

const refused: readonly (readonly [body: object, fields: readonly string[]])[] = [
  [{}, ['amount', 'installments']],
  [{ amount: 0, installments: 0 }, ['amount', 'installments']],
  [{ amount: 0.001, installments: 13 }, ['amount', 'installments']],
  [{ amount: 1e10, installments: 1 }, ['amount']],
  [{ amount: '100', installments: '3' }, ['amount', 'installments']],
  [{ amount: 100, installments: 1.5 }, ['installments']],
  [{ amount: 0.11, installments: 12 }, ['amount']],
]
test('a simulation is 422 by the name of what is wrong, also where a part is less than a cent', async (t) => {
  const { ask, merchant, setRole } = await openTestApi(t)
  const someone = await merchant()
  for (const [body, fields] of refused) {
    const answer = await ask('POST', PATH, { token: someone.token, body })
    t.is(answer.status, 422, JSON.stringify(body))
    t.deepEqual(Object.keys(errorsOf(answer)), fields)
  }
  await setRole(someone, 4)
  t.is((await ask('POST', PATH, { token: someone.token, body: { amount: 1, installments: 1 } })).status, 403)
})
