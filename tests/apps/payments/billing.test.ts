import test from 'ava'
import { errorsOf, openMerchant, openTestApi, worked, wrongFields } from './test-api.ts'

const PLAN = { description: 'Doze vezes', interval: 1, interval_type: 'months', installments_count: 12 }

const planLimits: readonly (readonly [good: object, bad: object, field: string])[] = [
  [{ interval: 32 }, { interval: 33 }, 'installments_count'],
  [{ interval_type: 'weeks', interval: 142 }, { interval_type: 'weeks', interval: 143 }, 'installments_count'],
  [{ interval_type: 'days', interval: 996 }, { interval_type: 'days', interval: 997 }, 'installments_count'],
  [{ interval: 360, installments_count: 2 }, { interval: 361, installments_count: 1 }, 'interval'],
]

test('accepts a plan of thirty years, and rejects a longer one', async (t) => {
  const { ask, token } = await openMerchant(t)
  for (const [good, bad, field] of planLimits) {
    worked(await ask('POST', '/payment-plans', { token, body: { ...PLAN, ...good } }))
    for (const [method, path] of [
      ['POST', '/payment-plans'],
      ['PUT', '/payment-plans/1'],
    ] as const)
      t.deepEqual(wrongFields(await ask(method, path, { token, body: { ...PLAN, ...bad } })), [field])
  }
})

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
    t.deepEqual(worked(await ask('POST', PATHS[0], { token, body: { name: 'x', json } })).data.json, shown)
  }
  for (const json of wrongJsons) {
    const answer = await ask('POST', PATHS[0], { token, body: { name: 'x', json } })
    t.deepEqual(wrongFields(answer), ['json'], JSON.stringify(json))
  }
  t.is((await ask('POST', PATHS[0], { token, body: { name: 'x', json: `"${'x'.repeat(16_382)}"` } })).status, 201)
})

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
