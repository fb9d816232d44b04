import test from 'ava'
import { errorsOf, openTestApi, wide } from '../test-api.ts'

const PLAN = { description: 'Doze vezes', interval: 1, interval_type: 'months', installments_count: 12 }

test('a plan is made, listed as an array, shown, changed as a whole by PUT and PATCH, and removed', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const made = await ask('POST', '/payment-plans', { token, body: { ...PLAN, id: 77, code: 'x' } })
  t.is(made.status, 201)
  t.is(made.body.message, 'Plano de Pagamento criado com sucesso!')
  const { created_at, updated_at, ...rest } = made.body.data
  t.deepEqual(rest, { id: 1, ...PLAN })
  const listed = await ask('GET', '/payment-plans', { token })
  t.deepEqual(listed.body, {
    code: 200,
    success: true,
    data: [made.body.data],
    message: 'Planos de Pagamento listados com sucesso!',
  })
  t.is((await ask('GET', '/payment-plans/1', { token })).body.message, 'Detalhes do Plano de Pagamento')
  for (const [method, interval] of [
    ['PUT', 2],
    ['PATCH', 3],
  ] as const) {
    const changed = await ask(method, '/payment-plans/1', { token, body: { ...PLAN, interval } })
    t.deepEqual([changed.status, changed.body.message], [200, 'Plano de Pagamento atualizado com sucesso!'])
    t.is(changed.body.data.interval, interval)
    const partial = await ask(method, '/payment-plans/1', { token, body: { interval } })
    t.is(partial.status, 422)
    t.deepEqual(Object.keys(errorsOf(partial)), ['description', 'interval_type', 'installments_count'])
  }
  const removed = await ask('DELETE', '/payment-plans/1', { token })
  t.deepEqual([removed.status, removed.body.message], [200, 'Plano de Pagamento removido com sucesso!'])
  t.is((await ask('GET', '/payment-plans/1', { token })).status, 404)
  t.deepEqual((await ask('GET', '/payment-plans', { token })).body.data, [])
})

const limits: readonly (readonly [string, good: object, bad: object, field: string])[] = [
  ['description', { description: wide(255) }, { description: wide(256) }, 'description'],
  ['interval', { interval: 1 }, { interval: 0 }, 'interval'],
  ['a whole interval', { interval: 2 }, { interval: 1.5 }, 'interval'],
  ['interval_type', { interval_type: 'days' }, { interval_type: 'years' }, 'interval_type'],
  ['one installment', { installments_count: 1 }, { installments_count: 0 }, 'installments_count'],
  ['installments', { installments_count: 120 }, { installments_count: 121 }, 'installments_count'],
  ['a million', { installments_count: 120 }, { installments_count: 1_000_000 }, 'installments_count'],
  ['30 years of months', { interval: 32 }, { interval: 33 }, 'installments_count'],
  [
    '30 years of weeks',
    { interval_type: 'weeks', interval: 142 },
    { interval_type: 'weeks', interval: 143 },
    'installments_count',
  ],
  [
    '30 years of days',
    { interval_type: 'days', interval: 996 },
    { interval_type: 'days', interval: 997 },
    'installments_count',
  ],
  [
    'an interval of 30 years',
    { interval: 360, installments_count: 2 },
    { interval: 361, installments_count: 1 },
    'interval',
  ],
]
for (const [name, good, bad, field] of limits) {
  test(`the limit of a plan: ${name}`, async (t) => {
    const { ask, merchant } = await openTestApi(t)
    const { token } = await merchant()
    const over = await ask('POST', '/payment-plans', { token, body: { ...PLAN, ...bad } })
    t.is(over.status, 422)
    t.deepEqual(Object.keys(errorsOf(over)), [field])
    t.is((await ask('POST', '/payment-plans', { token, body: { ...PLAN, ...good } })).status, 201)
    t.is((await ask('PUT', '/payment-plans/1', { token, body: { ...PLAN, ...bad } })).status, 422)
  })
}

test('a plan of another account is 404', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const [one, other] = [await merchant(), await merchant('bia@example.com', '11444777000161')]
  await ask('POST', '/payment-plans', { token: one.token, body: PLAN })
  for (const [method, body] of [['GET'], ['PUT', PLAN], ['DELETE']] as const) {
    const { status, body: said } = await ask(method, '/payment-plans/1', { token: other.token, body })
    t.deepEqual([status, said.message], [404, 'Plano de Pagamento não encontrado.'])
  }
})
