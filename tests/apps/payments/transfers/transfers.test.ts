// Also runs on MongoDB, in test:long.
import test, { type ExecutionContext } from 'ava'
import { fakeBank } from '../../../../adapters/bank/fake/bank.ts'
import type { OrganizationStatus } from '../../../../core/payments/accounts/account.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { sentTransfers, transfers } from '../../../../core/payments/transfers/transfer.ts'
import { openTestApi, pluck, pluckAll, type TestApi, worked } from '../test-api.ts'
import { bookOf, type Holder, holder, inShort, paidOut, transfer } from './payers.ts'

const opened = async (t: ExecutionContext, options: Parameters<typeof openTestApi>[1] = {}) => {
  const api = await openTestApi(t, options)
  return { api, from: await holder(api, 1_000), to: await holder(api, 0) }
}

const assertSound = async (t: ExecutionContext, api: TestApi): Promise<void> => {
  t.deepEqual((await verifyLedger(api.host.store)).faults, [])
}

test('moves money between accounts under one txid, without a fee or a PIN', async (t) => {
  const { api, from, to } = await opened(t)
  await api.ask('PUT', `/fake-bank/accounts/${from.id}`, {
    body: { taxes: { pix_out: 2, pix_in: 1 }, limits: { pix_out_per_transaction: 1 } },
  })
  await api.ask('PUT', `/fake-bank/accounts/${to.id}`, { body: { taxes: { pix_in: 1 } } })
  const body = worked(await transfer(api, from, to, 150.5, { body: { description: 'Repasse' } }))
  const { txid } = body.data
  const [paid, ...more] = await paidOut(api)
  t.like(paid, { txid, value: 150.5 })
  t.deepEqual(more, [])
  const lines = (await api.every(entries)).filter((entry) => entry.txid === txid)
  t.deepEqual(pluckAll(lines, 'accountId', 'typeId', 'status', 'valueCents', 'description'), [
    [from.id, 8, 1, -15_050, 'Repasse'],
    [to.id, 7, 1, 15_050, 'Repasse'],
  ])
  t.is(new Set(lines.map(({ endToEnd }) => endToEnd)).size, 1)
  t.like(lines[0], { payer: { bank: '748', branch: '0101' }, receiver: { bank: '748', branch: '0101' } })
  t.deepEqual(lines[0]?.payer, lines[1]?.payer)
  t.deepEqual(await bookOf(api, from), [84_950, 84_950])
  t.deepEqual(await bookOf(api, to), [15_050, 15_050])
  await assertSound(t, api)
})

test('describes a transfer by the other account without a description', async (t) => {
  const { api, from, to } = await opened(t)
  await transfer(api, from, to, 0.01)
  const lines = (await api.every(entries)).filter(({ typeId }) => typeId === 7 || typeId === 8)
  t.deepEqual(pluck(lines, 'description'), ['Transferência para Escola Aurora', 'Transferência de Escola Aurora'])
})

type Setting = (api: TestApi, from: Holder, to: Holder) => Promise<unknown>
const back =
  (whose: 'from' | 'to', body: object): Setting =>
  (api, from, to) =>
    api.ask('PUT', `/fake-bank/accounts/${(whose === 'from' ? from : to).id}`, { body })
const is =
  (whose: 'from' | 'to', status: OrganizationStatus): Setting =>
  (api, from, to) =>
    api.setStatus(whose === 'from' ? from : to, status)

const OTHER = { bank_code: '341' }
const NO_KEY = { pix_key: null }
const NOT_HERE = 'não está no banco que faz transferências internas.'
const refused: readonly (readonly [about: string, set: Setting, status: number, code: string, message: string])[] = [
  ['an inactive source', is('from', 'INACTIVE'), 403, 'organization.inactive', 'Organização não está ativa.'],
  ['a suspended source', is('from', 'SUSPENDED'), 403, 'organization.inactive', 'Organização não está ativa.'],
  ['a source at another bank', back('from', OTHER), 403, 'transfer.source-bank', `A conta de origem ${NOT_HERE}`],
  [
    'a suspended payee',
    is('to', 'SUSPENDED'),
    403,
    'transfer.destination-inactive',
    'A conta de destino não está ativa.',
  ],
  ['a payee at another bank', back('to', OTHER), 400, 'transfer.destination-bank', `A conta de destino ${NOT_HERE}`],
  ['a payee without a key', back('to', NO_KEY), 400, 'transfer.no-key', 'A conta de destino não tem chave Pix.'],
]

for (const [about, set, status, code, message] of refused)
  test(`returns ${status} for ${about}, and stores nothing`, async (t) => {
    const { api, from, to } = await opened(t)
    await set(api, from, to)
    const before = await api.everything()
    const answer = await transfer(api, from, to, 10)
    t.deepEqual([answer.status, answer.body.error_code, answer.body.message], [status, code, message])
    t.deepEqual(await api.everything(), before)
  })

test('returns 400 beyond the balance and for the own account, and transfers all of it to an inactive account', async (t) => {
  const { api, from, to } = await opened(t)
  await api.setStatus(to, 'INACTIVE')
  const before = await api.everything()
  t.deepEqual(inShort(await transfer(api, from, to, 1_000.01)), [400, 'transfer.balance'])
  t.deepEqual(inShort(await transfer(api, from, from, 10)), [400, 'transfer.self'])
  t.deepEqual(await api.everything(), before)
  t.deepEqual(inShort(await transfer(api, from, to, 1_000)), [200, 'REALIZED'])
  t.deepEqual(inShort(await transfer(api, from, to, 0.01)), [400, 'transfer.balance'])
})

test('rejects an unknown key and that of a removed account', async (t) => {
  const { api, from, to } = await opened(t)
  t.is((await api.ask('DELETE', `/v1/organizations/${to.id}`, { token: to.token })).status, 200)
  for (const body of [{}, { token: 'desconhecida' }, { token: `${to.key} ` }])
    t.like(await transfer(api, from, to, 10, { body }), { status: 422, body: { error_codes: { token: ['unknown'] } } })
})

test('takes the bank of internal transfers from the settings', async (t) => {
  const { api, from, to } = await opened(t, { env: { INTERNAL_TRANSFER_BANK: '341' } })
  t.deepEqual(inShort(await transfer(api, from, to, 10)), [403, 'transfer.source-bank'])
  for (const { id } of [from, to]) await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: { bank_code: '341' } })
  t.deepEqual(inShort(await transfer(api, from, to, 10)), [200, 'REALIZED'])
})

test('returns 422 if the bank supports no pay-outs, and stores nothing', async (t) => {
  const { api, from, to } = await opened(t, {
    instead: ({ store, ids, clock, random }) => {
      const { payOuts: _, ...bank } = fakeBank({ store, ids, clock, random })
      return { bank }
    },
  })
  const before = await api.everything()
  t.deepEqual(inShort(await transfer(api, from, to, 10)), [422, 'bank.unsupported'])
  t.deepEqual(await api.everything(), before)
})

test('sweeps the records of sent transfers after their window', async (t) => {
  const { api, from, to } = await opened(t)
  await transfer(api, from, to, 10)
  t.is((await api.every(sentTransfers.collection)).length, 1)
  await api.drain(2 * 86_400)
  t.deepEqual(await api.every(sentTransfers.collection), [])
  t.is((await api.every(transfers)).length, 1)
})

test('returns 400 with the reason of the bank, and releases the amount', async (t) => {
  const { api, from, to } = await opened(t)
  await api.fail('pay_out', 'refuse')
  const { status, body } = await transfer(api, from, to, 10)
  const [{ failure = null } = {}] = await api.every(transfers)
  t.deepEqual([status, body.message], [400, failure])
  t.truthy(failure)
  t.deepEqual(await bookOf(api, from), [100_000, 100_000])
  t.like(await api.every(transfers), [{ status: 'failed', endToEndId: null }])
  t.deepEqual(await paidOut(api), [])
})

test('returns 500 with Retry-After without an answer of the bank, releases the amount, and repeats with the same key', async (t) => {
  const { api, from, to } = await opened(t)
  await api.fail('pay_out', 'unavailable')
  const headers = { 'idempotency-key': 'repasse' }
  const answer = await transfer(api, from, to, 10, { headers })
  t.is(answer.status, 500)
  t.regex(answer.headers.get('retry-after') ?? '', /^\d+$/)
  t.is(answer.body.message, 'Não foi possível falar com o banco. Tente novamente em instantes.')
  t.deepEqual(await bookOf(api, from), [100_000, 100_000])
  t.deepEqual(inShort(await transfer(api, from, to, 10, { headers })), [200, 'REALIZED'])
  const replayed = await transfer(api, from, to, 10, { headers })
  t.deepEqual([replayed.status, replayed.headers.get('idempotent-replayed')], [200, 'true'])
  t.is((await paidOut(api)).length, 1)
})

for (const mode of ['timeout', 'timeout_lost'] as const)
  test(`reserves the amount after a ${mode}, rejects repeats, and ends as the bank reports`, async (t) => {
    const { api, from, to } = await opened(t)
    await api.fail('pay_out', mode)
    const { status, body } = await transfer(api, from, to, 10)
    t.is(status, 202)
    const { txid } = body.data
    t.like(body, { code: 202, success: true, data: { amount: 10, status: 'PENDING' } })
    t.deepEqual(await bookOf(api, from), [100_000, 99_000])
    t.deepEqual(await bookOf(api, to), [0, 0])
    t.deepEqual(inShort(await transfer(api, from, to, 10)), [400, 'transfer.repeated'])
    t.deepEqual(inShort(await transfer(api, from, to, 990.01)), [400, 'transfer.balance'])
    const isPaid = mode === 'timeout'
    await api.drain(isPaid ? 2 : 60)
    t.deepEqual(pluckAll(await paidOut(api), 'txid', 'value'), isPaid ? [[txid, 10]] : [])
    t.deepEqual(await bookOf(api, from), isPaid ? [99_000, 99_000] : [100_000, 100_000])
    t.deepEqual(await bookOf(api, to), isPaid ? [1_000, 1_000] : [0, 0])
    t.like(await api.every(transfers), [{ id: txid, status: isPaid ? 'completed' : 'failed' }])
    if (isPaid) {
      api.clock.advance(29 * 60 + 59)
      t.deepEqual(inShort(await transfer(api, from, to, 10)), [400, 'transfer.repeated'])
      api.clock.advance(1)
    }
    t.deepEqual(inShort(await transfer(api, from, to, 10)), [200, 'REALIZED'])
    await assertSound(t, api)
  })
