// Also runs on MongoDB, in test:long.
import test from 'ava'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import {
  errorsOf,
  MARIA,
  type Merchant,
  openMerchant,
  pluckAll,
  type TestApi,
  worked,
  wrongFields,
} from '../test-api.ts'

const PATH = '/invoices/with-plan'

const planOf = async (api: TestApi, { token }: Merchant, installments_count: number, more = {}): Promise<number> => {
  const body = { description: 'Plano', interval: 1, interval_type: 'months', installments_count, ...more }
  return worked(await api.ask('POST', '/payment-plans', { token, body })).data.id
}

test('splits the value of a plan, with the remainder in the first installment, on the same day of each month', async (t) => {
  const { api, merchant, token } = await openMerchant(t, { now: '2026-12-31T15:00:00.000Z' })
  const payment_plan_id = await planOf(api, merchant, 3)
  const body = { ...MARIA, value: 100, due_date: '2026-12-31', payment_plan_id }
  const answer = worked(await api.ask('POST', PATH, { token, body }))
  t.is(answer.message, 'Parcelas do plano geradas com sucesso!')
  t.deepEqual(pluckAll(answer.data, 'value', 'due_date'), [
    [33.34, '2026-12-31'],
    [33.33, '2027-01-31'],
    [33.33, '2027-02-28'],
  ])
  for (const { status, pix } of answer.data) t.deepEqual([status.title, pix !== null], ['pending', true])
  t.true((await api.every(charges)).every((charge) => charge.paymentPlanId === payment_plan_id))
  t.is(new Set(answer.data.map(({ client }: typeof answer) => client.id)).size, 1)
})

test('issues a plan of 120 boletos in one commit, and reserves their fees together', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { token, id } = merchant
  const payment_plan_id = await planOf(api, merchant, 120, { interval_type: 'days' })
  const body = { ...MARIA, value: 120, payment_method: 'BOLETO', payment_plan_id }
  worked(await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: { taxes: { boleto: 0.01 } } }))
  const paid = await api.paid(merchant, { value: 1.19 })
  t.deepEqual(wrongFields(await api.ask('POST', PATH, { token, body })), ['value'])
  t.is((await api.every(charges)).length, 1)
  worked(await api.pay(paid.pix.txid, { value: 0.01, end_to_end_id: 'E01181521202611231305ABCDEFGHIJK' }))
  const { data } = worked(await api.ask('POST', PATH, { token, body }))
  t.is(data.length, 120)
  t.true(data.every(({ boleto }: typeof data) => boleto !== null))
  t.is((await api.every(entries)).filter(({ typeId }) => typeId === 9).length, 120)
  t.deepEqual((await api.ask('GET', '/consolidation/balance', { token })).body, { balance: 0 })
})

test('returns a failed charge for each one the bank rejects, and 400 if it rejects all', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const payment_plan_id = await planOf(api, merchant, 3)
  await api.fail('create_pix', 'refuse', 2)
  const some = await api.ask('POST', PATH, { token, body: { ...MARIA, payment_plan_id } })
  t.is(some.status, 201)
  const titles = some.body.data.map(({ status }: typeof some.body) => status.title)
  t.deepEqual(titles.sort(), ['failed', 'failed', 'pending'])
  await api.fail('create_pix', 'unavailable', 3)
  const none = await api.ask('POST', PATH, { token, body: { ...MARIA, payment_plan_id } })
  t.is(none.status, 400)
  t.is(none.body.error_code, 'bank.unavailable')
  t.is((await api.every(charges)).filter(({ status }) => status === 'failed').length, 5)
})

test("issues a plan once per key, and completes charges without the bank's answer by the worker", async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const payment_plan_id = await planOf(api, merchant, 10)
  await api.fail('create_pix', 'timeout', 2)
  const sent = { token, body: { ...MARIA, payment_plan_id }, headers: { 'idempotency-key': 'plano-1' } }
  const first = await api.ask('POST', PATH, sent)
  t.is(first.status, 201)
  t.is(first.body.data.filter(({ pix }: typeof first.body) => pix === null).length, 2)
  t.deepEqual((await api.ask('POST', PATH, sent)).body, first.body)
  await api.drain(61)
  const made = await api.every(charges)
  t.is(made.length, 10)
  t.true(made.every(({ pix, operationId }) => pix !== null && operationId === null))
  t.true((await api.every(bankOperations)).every(({ state }) => state === 'done'))
})

test('names the wrong fields of a plan, and stores nothing', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const plan = await planOf(api, merchant, 3)
  const years = await planOf(api, merchant, 31, { interval: 12 })
  const cases: readonly (readonly [over: object, fields: readonly string[]])[] = [
    [{}, ['payment_plan_id']],
    [{ payment_plan_id: plan, value: 0.02 }, ['value']],
    [{ payment_plan_id: plan, payment_method: 'CREDIT_CARD' }, ['payment_method']],
    [{ payment_plan_id: plan, discount: 1, type_discount: 'ABSOLUTE', value: 3 }, ['discount']],
    [{ payment_plan_id: plan, due_date: '2026-11-22' }, ['due_date']],
    [{ payment_plan_id: years, due_date: '2026-11-24' }, ['due_date']],
    // The last installment is due beyond the range of a boleto's due factor.
    [{ payment_plan_id: years, payment_method: 'BOLETO' }, ['due_date']],
    [{ payment_plan_id: plan, due_date: '2041-11-14', payment_method: 'BOLEPIX' }, ['due_date']],
  ]
  for (const [over, fields] of cases)
    t.deepEqual(wrongFields(await api.ask('POST', PATH, { token, body: { ...MARIA, ...over } })), fields)
  t.deepEqual(await api.every(charges), [])
  const least = await api.ask('POST', PATH, { token, body: { ...MARIA, payment_plan_id: plan, value: 0.03 } })
  t.is(least.status, 201)
  const furthest = { ...MARIA, payment_plan_id: years, due_date: '2026-11-23' }
  t.is((await api.ask('POST', PATH, { token, body: furthest })).body.data.at(-1).due_date, '2056-11-23')
})

test('stores the group and plan of a charge, and rejects a removed group', async (t) => {
  const { api, merchant, token } = await openMerchant(t)
  const plan = await planOf(api, merchant, 3)
  const group = worked(await api.ask('POST', '/invoices_groups', { token, body: { name: 'Turma' } })).data.id
  await api.charge(merchant, { charge_group_id: group, payment_plan_id: plan })
  const [made] = await api.every(charges)
  t.deepEqual([made?.chargeGroupId, made?.paymentPlanId], [group, plan])
  worked(await api.ask('DELETE', `/invoices_groups/${group}`, { token }))
  const gone = await api.ask('POST', '/invoices', { token, body: { ...MARIA, charge_group_id: group } })
  t.deepEqual(Object.keys(errorsOf(gone)), ['charge_group_id'])
})
