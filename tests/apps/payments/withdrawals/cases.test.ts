// Also runs on MongoDB, in test:long.
import test from 'ava'
import { deprecatedWithdrawalRows } from '../../../../apps/payments/withdrawals/legacy-withdrawals.ts'
import { PIN, pluckAll, statusAndMessage, worked, wrongFields } from '../test-api.ts'
import { BANK, KEY, openWithdrawals } from './withdrawing.ts'

const CONFIRM = '/api/pix/withdraw'
const paid = { mount: 10, keyPix: KEY, pin: PIN }

const UNKNOWN_KEY = 'inexistente@example.com'
const [DIRECT, BY_DATA] = ['/legacypay/saida-sicred', '/legacypay/pix-out/dataBank']
const transfer = { ...BANK, amount: 1 }
const onDay = { ...transfer, branch: '1' }

/** Requests of an account with 100 reais, each with its status, or with the wrong field of a 422. */
const CASES: readonly (readonly [path: string, body: object, expected: number | string])[] = [
  ['/recipients', { keypix: '123.456.789-09', value: 1 }, 200],
  ['/recipients', { keypix: '00.038.166/0001-05', value: 1 }, 200],
  ['/recipients', { keypix: '(61) 91234-5678' }, 200],
  ['/recipients', { keypix: '123E4567-E12B-12D1-A456-426655440000' }, 200],
  ['/recipients', { keypix: 'chave' }, 'keypix'],
  ['/recipients', { keypix: UNKNOWN_KEY }, 404],
  ['/recipients', { keypix: KEY, value: 100.01 }, 'value'],
  ['/legacypay/withdraws', { keypix: UNKNOWN_KEY, value: 100.01 }, 404],
  ['/legacypay/withdraws', { keypix: KEY, value: 100.01 }, 'value'],
  [CONFIRM, { internal_id: 999, keypix: KEY, value: 1, pin: PIN }, 404],
  ['/legacypay/withdraws/bank', { ...transfer, bank_code: '999' }, 'bank_code'],
  ['/api/pix/withdraw-bank', { ...transfer, bank_code: '60746948' }, 200],
  ['/api/pix/withdraw-bank', { ...transfer, agency: '1A' }, 'agency'],
  ['/api/pix/withdraw-bank', { ...transfer, agency: '12345' }, 'agency'],
  ['/api/pix/withdraw-bank', { ...transfer, account: '12-34-5' }, 'account'],
  ['/api/pix/withdraw-bank', { ...transfer, beneficiary_document: '12345678900' }, 'beneficiary_document'],
  // A malformed amount is named as sent, and one that the balance does not cover as `value`.
  ['/api/pix/withdraw-bank', { ...transfer, amount: 0 }, 'amount'],
  ['/api/pix/withdraw-bank', { ...transfer, amount: 500 }, 'value'],
  [DIRECT, { ...paid, mount: 500 }, 'value'],
  [DIRECT, { ...paid, keyPix: UNKNOWN_KEY }, 404],
  [DIRECT, { ...paid, documentoBeneficiario: '11144477735' }, 'documentoBeneficiario'],
  [BY_DATA, { ...onDay, payment_date: '2026-11-24' }, 'payment_date'],
  [BY_DATA, { ...onDay, account: '7', payment_date: '2026-11-23' }, 200],
]

test('accepts valid requests of each route, and names a wrong field', async (t) => {
  const { post } = await openWithdrawals(t, 100)
  for (const [path, body, expected] of CASES) {
    const answer = await post(path, body)
    const found = answer.status === 422 ? wrongFields(answer).join() : answer.status
    t.is(found, expected, `${path} ${JSON.stringify(body)}: ${answer.text}`)
  }
})

test('checks fields, organization, PIN and withdrawal in this order', async (t) => {
  const { api, merchant, post, lookUp } = await openWithdrawals(t)
  const { data } = worked(await lookUp({ value: 10 }))
  const right = { internal_id: data.internal_id, keypix: KEY, value: 10, pin: PIN }
  const statusOf = async (over: object) => {
    const { status, body } = await post(CONFIRM, { ...right, ...over })
    return [status, body.error_code]
  }
  for (const status of ['INACTIVE', 'SUSPENDED'] as const) {
    await api.setStatus(merchant, status)
    t.deepEqual(await statusOf({ value: 'x', pin: '000001' }), [422, 'fields'])
    t.deepEqual(await statusOf({ pin: '000001' }), [403, 'organization.inactive'])
    const { status: refused, body } = await post('/recipients', { keypix: KEY })
    t.is(refused, 403)
    t.regex(`${body.hint}`, /PUT \/v1\/organizations\/\{id\} e status ACTIVE/)
  }
  await api.setStatus(merchant, 'ACTIVE')
  t.deepEqual(await statusOf({ internal_id: 999, pin: '000001' }), [403, 'pin.wrong'])
  t.deepEqual(await statusOf({ internal_id: 999 }), [404, 'withdrawal.unknown'])
  t.deepEqual(wrongFields(await post(CONFIRM, { ...right, keypix: 'rui@example.com', value: 11 })), ['keypix', 'value'])
  t.deepEqual(await statusOf({}), [201, undefined])
  t.deepEqual(wrongFields(await post(CONFIRM, right)), ['value'])
  t.deepEqual(await statusOf({ value: 11 }), [409, 'withdrawal.used'])
})

test('reuses a look-up within an hour on the legacy route, rejects it on the other, and hides it from other accounts', async (t) => {
  const { api, post, lookUp, renew } = await openWithdrawals(t)
  const first = worked(await lookUp({ value: 10 })).data
  t.like(first, { document: first.document, account_balance: 1_000, key_pix: KEY })
  t.regex(first.document, /^\*{3}\.\d{3}\.\d{3}-\*\*$/)
  api.clock.advance(3_599)
  const again = worked(await lookUp({ value: 10 })).data
  t.deepEqual(again, { internal_id: first.internal_id, account_balance: 1_000, stored_recipient: null })
  t.deepEqual(wrongFields(await post('/recipients', { keypix: KEY, value: 10 })), ['value'])
  t.is((await post('/recipients', { keypix: KEY, value: 11 })).status, 200)
  for (let times = 0; times < 2; times += 1) t.is((await post('/recipients', { keypix: KEY })).status, 200)
  api.clock.advance(1)
  await renew()
  t.not(worked(await lookUp({ value: 10 })).data.internal_id, first.internal_id)
  const stranger = await api.fund(await api.merchant('rui@example.com', '11444777000161'), 100)
  const body = { internal_id: first.internal_id, keypix: KEY, value: 10, pin: PIN }
  t.is((await api.ask('POST', CONFIRM, { token: stranger.token, body })).status, 404)
})

test('lists and shows withdrawals with a masked document, and stores and counts their recipients', async (t) => {
  const { get, post, withdraw } = await openWithdrawals(t)
  worked(await withdraw(10))
  worked(await withdraw(20))
  worked(await post('/api/pix/withdraw-bank', { ...BANK, amount: 5 }))
  const { data, links, meta } = worked(await get('/recipients?per_page=2'))
  t.deepEqual(meta, { current_page: 1, per_page: 2, total: 3, last_page: 2 })
  t.is(links.next, '/recipients?page=2&per_page=2')
  t.is(data[0].document, '12345678909')
  t.regex(data[1].document, /^\*{3}/)
  t.like(data[1], { status: { value: 'concluido', title: 'Pago' }, value: 20, key_pix: KEY })
  const shown = worked(await get(`/recipients/${data[1].id}`))
  t.like(shown.transaction, { type_id: 2, value: -20, balance: 970 })
  t.is(shown.data.json.end_to_end_id, data[1].endtoendid)
  const legacy = worked(await get(`/legacypay/withdraws/${data[1].id}`))
  t.deepEqual(legacy.transaction.type, { slug: 'pix-out', name: 'Pix Out' })
  t.is(worked(await get(`/recipients?search=${data[1].endtoendid}`)).data.length, 1)
  const frequent = worked(await get('/recipients/frequent')).data
  t.deepEqual(pluckAll(frequent, 'pix_key', 'count'), [
    [KEY, 2],
    [null, 1],
  ])
  t.is(worked(await get('/recipients/frequent?search=123.456.789')).data.length, 1)
  t.is(worked(await get('/recipients/frequent?search=MARIA@')).data.length, 1)
  const one = worked(await get(`/legacypay/withdraws/recipients/frequent/${frequent[0].id}`))
  t.deepEqual([one.data, one.message], [frequent[0], 'Destinatário recuperado com sucesso.'])
  const parties = worked(await get('/legacypay/withdraws/recipients?per_page=1'))
  t.deepEqual([parties.meta.total, parties.data[0].pix_recipients.length], [2, 1])
})

test('marks deprecated routes in the headers, and shows the message of a withdrawal in the statement', async (t) => {
  const { get, post } = await openWithdrawals(t)
  for (const [path, body] of [
    ['/legacypay/saida-sicred', paid],
    ['/legacypay/pix-out/dataBank', { ...BANK, branch: '1', amount: 2, mensagem: 'Aluguel' }],
  ] as const)
    t.is((await post(path, body)).headers.get('deprecation'), 'true')
  // The third route is not implemented, and deprecated too.
  t.true(deprecatedWithdrawalRows.every(({ deprecated }) => deprecated !== undefined))
  const { data } = worked(await get('/consolidation/transactions'))
  t.like(data[0], { description: 'Aluguel', value: -2, type: { id: 2 }, receiver: { document: '12345678909' } })
  t.regex(data[1].receiver.document, /^\*{3}/)
})

test('adds a recipient once without a transfer, counts its withdrawals, and removes it until the next one', async (t) => {
  const { api, merchant, post, withdraw, get } = await openWithdrawals(t)
  const listed = async () =>
    (await get('/recipients/frequent')).body.data.map(({ pix_key, count }: Record<string, unknown>) => [pix_key, count])
  const { recipient } = worked(await post('/v1/recipients', { keypix: KEY }))
  t.deepEqual(worked(await post('/v1/recipients', { keypix: KEY })).recipient, recipient)
  t.deepEqual(wrongFields(await post('/v1/recipients', { keypix: 'chave' })), ['keypix'])
  t.is((await post('/v1/recipients', { keypix: 'inexistente@example.com' })).status, 404)
  t.deepEqual(await listed(), [[KEY, 0]])
  worked(await withdraw(10))
  t.deepEqual(await listed(), [[KEY, 1]])
  const remove = (token: string) => api.ask('DELETE', `/v1/recipients/${recipient.id}`, { token })
  t.is((await remove((await api.fund(await api.merchant())).token)).status, 404)
  worked(await remove(merchant.token))
  t.is((await remove(merchant.token)).status, 404)
  t.deepEqual([await listed(), (await get('/recipients')).body.meta.total], [[], 1])
  const parties = async () => (await get('/legacypay/withdraws/recipients')).body.meta.total
  t.is(await parties(), 0)
  worked(await withdraw(11))
  t.deepEqual([await listed(), await parties()], [[[KEY, 1]], 1])
})

test('counts a repeated key with another PIN as a guess', async (t) => {
  const w = await openWithdrawals(t)
  const headers = { 'idempotency-key': 'pagamento-17' }
  const pay = (more: object = {}) => w.post('/api/pix/withdraw-bank', { ...BANK, amount: 10, ...more }, headers)
  const first = worked(await pay())
  const wrong = { pin: '246802' }
  for (let guess = 1; guess <= 5; guess += 1) t.deepEqual(statusAndMessage(await pay(wrong)), [403, 'PIN inválido.'])
  // Locked: the right PIN gets the same reply as a wrong one.
  for (const more of [{}, wrong])
    t.deepEqual(statusAndMessage(await pay(more)), [403, 'PIN bloqueado. Tente novamente mais tarde.'])
  w.api.clock.advance(31 * 60)
  const again = await pay()
  t.deepEqual([worked(again), again.headers.get('idempotent-replayed')], [first, 'true'])
  t.is((await pay({ amount: 11 })).status, 422)
  t.is((await w.paidOut()).length, 1)
})

test('counts no missing or malformed PIN of a repeated key as a guess, and replays nothing to it', async (t) => {
  const w = await openWithdrawals(t)
  const headers = { 'idempotency-key': 'pagamento-18' }
  const pay = (more: object = {}) => w.post('/api/pix/withdraw-bank', { ...BANK, amount: 10, ...more }, headers)
  const first = worked(await pay())
  for (const pin of ['12345', 'abcdef', 135790, '', null, undefined, {}]) {
    const answer = await pay({ pin, amount: 'x' })
    t.deepEqual([answer.status, wrongFields(answer)], [422, ['pin']], answer.text)
    t.is(answer.headers.get('idempotent-replayed'), null)
  }
  const again = await pay()
  t.deepEqual([worked(again), again.headers.get('idempotent-replayed')], [first, 'true'])
})
