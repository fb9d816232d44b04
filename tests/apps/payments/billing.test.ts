import test from 'ava'
import { errorsOf, openMerchant, openTestApi, wide, wrongFields } from './test-api.ts'

const PLAN = { description: 'Doze vezes', interval: 1, interval_type: 'months', installments_count: 12 }

test('replaces a plan by PUT and by PATCH, which require every field', async (t) => {
  const { ask, token } = await openMerchant(t)
  await ask('POST', '/payment-plans', { token, body: PLAN })
  for (const [method, interval] of [
    ['PUT', 2],
    ['PATCH', 3],
  ] as const) {
    const changed = await ask(method, '/payment-plans/1', { token, body: { ...PLAN, interval } })
    t.is(changed.body.data.interval, interval)
    t.deepEqual(wrongFields(await ask(method, '/payment-plans/1', { token, body: { interval } })), [
      'description',
      'interval_type',
      'installments_count',
    ])
  }
})

const planLimits: readonly (readonly [string, good: object, bad: object, field: string])[] = [
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
for (const [name, good, bad, field] of planLimits) {
  test(`accepts the limit of a plan and rejects more: ${name}`, async (t) => {
    const { ask, token } = await openMerchant(t)
    t.deepEqual(wrongFields(await ask('POST', '/payment-plans', { token, body: { ...PLAN, ...bad } })), [field])
    t.is((await ask('POST', '/payment-plans', { token, body: { ...PLAN, ...good } })).status, 201)
    t.is((await ask('PUT', '/payment-plans/1', { token, body: { ...PLAN, ...bad } })).status, 422)
  })
}

const REFUSED = 'Os dados fornecidos são inválidos.'
const SLUG_TAKEN = 'Já existe um grupo de cobrança com este slug.'
const CODE_TAKEN = 'Já existe um grupo de cobrança com este código.'
const PATHS = ['/invoices_groups', '/billing/charge-groups'] as const

test('sets the code of a group by a change only, and keeps the other fields', async (t) => {
  const { ask, token } = await openMerchant(t)
  const body = { name: 'Turma A', slug: 'turma-a', description: 'Manhã', json: { b: 1, a: [null] }, code: 'não' }
  const { data } = (await ask('POST', PATHS[0], { token, body })).body
  t.like(data, { ...body, code: null })
  const changed = await ask('PATCH', `${PATHS[1]}/${data.id}`, { token, body: { code: 'T-1', json: null } })
  t.deepEqual(changed.body.data, { ...data, code: 'T-1', json: null })
})

const jsons: readonly (readonly [sent: unknown, shown: unknown])[] = [
  ['{"a": 1}', { a: 1 }],
  [' [1, "dois", null] ', [1, 'dois', null]],
  ['"texto"', 'texto'],
  ['0', 0],
  [{ a: { b: [1] } }, { a: { b: [1] } }],
  ['', null],
  [null, null],
]
const wrongJsons: readonly unknown[] = [
  '{a: 1}',
  'texto',
  '1e999',
  '9007199254740993',
  '{"__proto__": {"x": 1}}',
  `${'['.repeat(11)}${']'.repeat(11)}`,
  `"${'x'.repeat(16_383)}"`,
  '"\\ud800"',
  [1],
  7,
  true,
  { __proto__: null, constructor: 1 },
]

test('accepts json as an object or a JSON text, and shows the object', async (t) => {
  const { ask, token } = await openMerchant(t)
  for (const [json, shown] of jsons) {
    const { status, body } = await ask('POST', PATHS[0], { token, body: { name: 'x', json } })
    t.is(status, 201, JSON.stringify(json))
    t.deepEqual(body.data.json, shown)
  }
  for (const json of wrongJsons) {
    t.deepEqual(
      wrongFields(await ask('POST', PATHS[0], { token, body: { name: 'x', json } })),
      ['json'],
      JSON.stringify(json),
    )
  }
  t.is((await ask('POST', PATHS[0], { token, body: { name: 'x', json: `"${'x'.repeat(16_382)}"` } })).status, 201)
})

const groupLimits: readonly (readonly [method: string, field: string, good: unknown, bad: unknown])[] = [
  ['POST', 'name', wide(255), wide(256)],
  ['POST', 'slug', wide(100), wide(101)],
  ['POST', 'description', wide(2_000), wide(2_001)],
  ['PUT', 'name', wide(255), wide(256)],
  ['PUT', 'name', 'x', null],
  ['PUT', 'slug', wide(255), wide(256)],
  ['PUT', 'code', wide(50), wide(51)],
]
for (const [method, field, good, bad] of groupLimits) {
  test(`accepts ${field} at its limit by ${method}, and rejects ${bad === null ? 'null' : 'a longer one'}`, async (t) => {
    const { ask, token } = await openMerchant(t)
    await ask('POST', PATHS[0], { token, body: { name: 'Turma' } })
    const path = method === 'PUT' ? `${PATHS[0]}/1` : PATHS[0]
    t.deepEqual(wrongFields(await ask(method, path, { token, body: { name: 'Turma', [field]: bad } })), [field])
    t.true((await ask(method, path, { token, body: { name: 'Turma', [field]: good } })).status < 300)
  })
}

test('requires a unique slug and code within the account, except those of removed groups', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const [{ token }, other] = [await merchant(), await merchant('bia@example.com', '11444777000161')]
  const body = { name: 'Turma', slug: 'turma' }
  await ask('POST', PATHS[0], { token, body })
  await ask('PUT', `${PATHS[0]}/1`, { token, body: { code: 'T' } })
  await ask('POST', PATHS[1], { token, body: { name: 'Outra' } })
  const again = await ask('POST', PATHS[1], { token, body })
  t.deepEqual([again.status, again.body.message, errorsOf(again)], [422, REFUSED, { slug: [SLUG_TAKEN] }])
  const change = await ask('PUT', `${PATHS[0]}/2`, { token, body: { code: 'T' } })
  t.deepEqual([change.status, change.body.message, errorsOf(change)], [422, REFUSED, { code: [CODE_TAKEN] }])
  const both = await ask('PUT', `${PATHS[0]}/2`, { token, body: { code: 'T', slug: 'turma' } })
  t.deepEqual(errorsOf(both), { slug: [SLUG_TAKEN], code: [CODE_TAKEN] })
  t.is((await ask('PUT', `${PATHS[0]}/1`, { token, body: { code: 'T', slug: 'turma' } })).status, 200)
  t.is((await ask('POST', PATHS[0], { token: other.token, body })).status, 201)
  await ask('DELETE', `${PATHS[0]}/1`, { token })
  t.is((await ask('PUT', `${PATHS[0]}/2`, { token, body: { code: 'T', slug: 'turma' } })).status, 200)
})

test('accepts one of two simultaneous groups with the same slug', async (t) => {
  const { ask, token } = await openMerchant(t)
  const body = { name: 'Turma', slug: 'turma' }
  const all = await Promise.all(Array.from({ length: 5 }, () => ask('POST', PATHS[0], { token, body })))
  t.deepEqual(all.map(({ status }) => status).sort(), [201, 422, 422, 422, 422])
})

test('lists only groups of the account', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const [one, other] = [await merchant(), await merchant('bia@example.com', '11444777000161')]
  await ask('POST', PATHS[0], { token: one.token, body: { name: 'Turma' } })
  t.deepEqual((await ask('GET', PATHS[0], { token: other.token })).body.data, [])
})
