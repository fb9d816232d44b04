// Also runs on MongoDB, in test:long.
import test from 'ava'
import { parsePix } from 'pix-utils'
import { isLeft } from '../../../../core/fp.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { readPixCode } from '../../../../core/payments/pix/br-code.ts'
import { MARIA, openTestApi } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'

test('issues a charge with the documented reply', async (t) => {
  const api = await openTestApi(t)
  const { token } = await api.merchant()
  const body = { ...MARIA, description: ' Mensalidade ', installments: 12, webhook: HOOK }
  const { status, body: answer } = await api.ask('POST', '/invoices', { token, body })
  t.is(status, 200)
  const { code, pix, ...rest } = answer.data
  t.deepEqual(
    { ...answer, data: rest },
    {
      code: 200,
      success: true,
      message: 'Cobrança criada com sucesso!',
      data: {
        id: 1,
        url: `https://pay.example.com/pay/charge/${code}`,
        value: 150.5,
        amount_paid: null,
        refunded_value: null,
        payment_date: null,
        status: { id: 1, title: 'pending', description: 'Pendente' },
        description: 'Mensalidade',
        payment_method: 'PIX',
        due_date: '2026-11-30',
        client: { id: 1, name: 'Maria da Silva', email: 'maria@example.com', document: '12345678909' },
        boleto: null,
        created_by: 1,
        created_at: '2026-11-23T10:05:09-03:00',
      },
    },
  )
  t.regex(code, /^[A-Za-z][A-Za-z0-9]{21}$/)
  t.regex(pix.txid, /^[A-Za-z][A-Za-z0-9]{24}$/)
  t.is(pix.status, 'pending')

  await api.drain()
  const [created, ...more] = api.told(HOOK)
  t.deepEqual([created.type, created.data, more], ['charge.created', answer.data, []])
})

test('issues a static Pix code of the account, read by an independent library and by ours', async (t) => {
  const api = await openTestApi(t)
  const { pix } = await api.charge(await api.merchant(), { value: 1234.56 })
  const [account] = await api.every(accounts)
  const parsed = parsePix(pix.qrcode)
  t.like(parsed, {
    type: 'STATIC',
    merchantName: 'Escola Aurora',
    transactionAmount: 1234.56,
    pixKey: account?.pixKey,
    txid: pix.txid,
  })
  const read = readPixCode(pix.qrcode)
  if (isLeft(read)) return t.fail(read.left)
  t.like(read.right, { kind: 'static', key: account?.pixKey, txid: pix.txid, amountCents: 123_456 })
})

test('shows a code with the amount due on the day', async (t) => {
  const api = await openTestApi(t)
  const discount = { discount: 10, type_discount: 'PERCENTAGE', days_discount: 3 }
  const rate = { amount_rate: 2.5, type_rate: 'ABSOLUTE' }
  const { code, pix } = await api.charge(await api.merchant(), { value: 100, ...discount, ...rate })
  t.like(parsePix(pix.qrcode), { transactionAmount: 90 })
  const days = [
    ['2026-11-28T02:59:59.999Z', 90],
    ['2026-11-28T03:00:00.000Z', 100],
    ['2026-12-01T02:59:59.999Z', 100],
    ['2026-12-02T12:00:00.000Z', 105],
  ] as const
  for (const [instant, transactionAmount] of days) {
    api.clock.set(instant)
    const { body } = await api.ask('GET', `/public/charge/pix?code=${code}`)
    t.like(parsePix(body.data.pix.qrcode), { transactionAmount, txid: pix.txid }, instant)
  }
})

test('shows a charge by id and by code, on both paths', async (t) => {
  const api = await openTestApi(t)
  const { token } = await api.merchant()
  const body = { ...MARIA, payment_method: 'PIX' }
  const issued = (await api.ask('POST', '/billing/charges', { token, body })).body.data
  const answers = await Promise.all(
    ['/invoices', '/billing/charges'].flatMap((path) =>
      [issued.id, issued.code].map((each) => api.ask('GET', `${path}/${each}`, { token })),
    ),
  )
  for (const answer of answers) {
    t.deepEqual(answer.body, {
      code: 200,
      success: true,
      message: 'Detalhes da Cobrança',
      data: { ...issued, tag: null, refunds: [], createdBy: { id: 1, name: 'Ana Souza' } },
    })
  }
})

test('returns 404 for a charge of another account, as for an unknown one', async (t) => {
  const api = await openTestApi(t)
  const mine = await api.charge(await api.merchant())
  const { token } = await api.merchant()
  const gone = { code: 404, success: false, message: 'Registro não encontrado.', error_code: 'charge.unknown' }
  for (const each of [
    mine.id,
    mine.code,
    99_999,
    'x'.repeat(22),
    '0',
    '01',
    '1.0',
    '-1',
    '%F0%9F%92%A9',
    '9'.repeat(40),
  ]) {
    const { status, body } = await api.ask('GET', `/invoices/${each}`, { token })
    t.deepEqual([status, body], [404, gone], `${each}`)
  }
  for (const odd of ['%00', '%ED%A0%80', '%E2%80%AE', 'constructor', '__proto__'])
    t.is((await api.ask('GET', `/invoices/${odd}`, { token })).status, 404, odd)
  t.deepEqual((await api.ask('GET', '/invoices', { token })).body.data, [])
})

test('uses the client with the same document, unchanged', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const first = await api.charge(merchant)
  const second = await api.charge(merchant, { name: 'Outra', email: 'outra@example.com', document: '12345678909' })
  const third = await api.charge(merchant, {
    client_id: first.client.id,
    name: undefined,
    email: undefined,
    document: undefined,
  })
  t.deepEqual(second.client, first.client)
  t.deepEqual(third.client, first.client)
  t.is((await api.every(clients)).length, 1)
})

test('creates one client for sixteen simultaneous charges of one document', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const issued = await Promise.all(Array.from({ length: 16 }, () => api.charge(merchant)))
  t.is(new Set(issued.map(({ id }) => id)).size, 16)
  t.is(new Set(issued.map(({ pix }) => pix.txid)).size, 16)
  t.is((await api.every(clients)).length, 1)
})

test('returns 401 without a token, and 403 by role and for writes by status of the account', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const { token } = merchant
  const { id } = await api.charge(merchant)
  const issue = () => api.ask('POST', '/invoices', { token, body: MARIA })
  const reads = ['/invoices', `/invoices/${id}`, '/consolidation/balance', '/consolidation/transactions']
  const readAll = async () =>
    (await Promise.all(reads.map((path) => api.ask('GET', path, { token })))).map(({ status }) => status)

  t.is((await api.ask('POST', '/invoices', { body: MARIA })).status, 401)
  for (const path of reads) t.is((await api.ask('GET', path)).status, 401, path)

  await api.setRole(merchant, 4)
  const before = await api.everything()
  const viewer = await issue()
  t.deepEqual(
    [viewer.status, viewer.body],
    [403, { code: 403, success: false, message: 'Permissão insuficiente.', error_code: 'permission.lacking' }],
  )
  t.deepEqual(await readAll(), [200, 200, 200, 200])
  t.deepEqual(await api.everything(), before)

  for (const roleId of [2, 3, 5]) {
    await api.setRole(merchant, roleId)
    t.is((await issue()).status, 200, `role ${roleId}`)
  }
  for (const status of ['SUSPENDED', 'DISABLED', 'DISQUALIFIED', 'SOFT_DELETED', 'DELETED'] as const) {
    await api.setStatus(merchant, status)
    const refused = await issue()
    t.deepEqual(
      [refused.status, refused.body],
      [403, { code: 403, success: false, message: 'Organização não está ativa.', error_code: 'organization.inactive' }],
      status,
    )
    t.deepEqual(await readAll(), [200, 200, 200, 200], status)
  }
  for (const status of ['ACTIVE', 'INACTIVE'] as const) {
    await api.setStatus(merchant, status)
    t.is((await issue()).status, 200, status)
  }
  t.is((await api.every(charges)).length, 6)
})

test('rejects a suspended organization before the body is validated', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  await api.setStatus(merchant, 'SUSPENDED')
  t.is((await api.ask('POST', '/invoices', { token: merchant.token, body: { value: 0 } })).status, 403)
})

test("applies the bank's limits to the value, both inclusive", async (t) => {
  const api = await openTestApi(t)
  const { token, id } = await api.merchant()
  const limits = { charge_min: 10, charge_max: 20.5 }
  t.is((await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: { limits } })).status, 204)
  const issue = async (value: number) => {
    const { status, body } = await api.ask('POST', '/invoices', { token, body: { ...MARIA, value } })
    return [status, body.errors ?? null]
  }
  t.deepEqual(await issue(10), [200, null])
  t.deepEqual(await issue(20.5), [200, null])
  t.deepEqual(await issue(9.99), [422, { value: ['Deve ser no mínimo 10.'] }])
  t.deepEqual(await issue(20.51), [422, { value: ['Deve ser no máximo 20.5.'] }])
})

test('shows a charge of the largest value, however late it is', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const most = { value: 9_999_999_999.99, amount_rate: 100_000, due_date: '2026-11-23' }
  const { code } = await api.charge(merchant, most)
  api.clock.set('2099-01-05T12:00:00.000Z')
  const { status, body } = await api.ask('GET', `/public/charge?code=${code}`)
  t.is(status, 200)
  t.like(parsePix(body.charge.pix.qrcode), { transactionAmount: 9_999_999_999.99 })
})
