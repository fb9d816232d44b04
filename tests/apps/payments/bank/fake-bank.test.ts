// Also runs on MongoDB, in test:long.
import test from 'ava'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { formatDigitableLine, sicrediBoleto } from '../../../../core/payments/boleto.ts'
import { failure, MARIA, openMerchant, openTestApi, type TestApi } from '../test-api.ts'

const E2E = 'E01181521202611231305ABCDEFGHIJK'

/** A boleto of another bank with a number of ours and another bar code. */
const STRANGE = {
  ...{ agency: '0101', posto: '01', beneficiary: '00001', year: '26', byte: '2', sequence: 1 },
  ...{ valueCents: 1_00, dueDate: '2026-12-01' },
}

interface Shown {
  readonly pix: { readonly qrcode: string } | null
  readonly boleto: { readonly digitableLine: string; readonly barcode: string } | null
}

const post = async (api: TestApi, path: string, body: unknown) => {
  const answer = await api.ask('POST', `/fake-bank/${path}`, { body })
  return [answer.status, Object.keys(answer.body?.errors ?? {}).sort()]
}
const accountOf = async (api: TestApi) => (await api.every(accounts))[0]

test('merges taxes and limits by key, and changes nothing else', async (t) => {
  const api = await openTestApi(t)
  const { id } = await api.merchant()
  const put = async (body: unknown) => (await api.ask('PUT', `/fake-bank/accounts/${id}`, { body })).status
  const before = await accountOf(api)
  t.is(await put({ taxes: { pix_in: 0.99, fee: 2.5 }, limits: { charge_min: 1, pix_out_daily: 500 } }), 204)
  t.is(await put({ taxes: { pix_out: 1.5, boleto_in: 2, boleto: 3, bolepix: 4 } }), 204)
  t.is(await put({ limits: { charge_max: 10.01, pix_out_daily: null } }), 204)
  t.is(await put({ bank_code: '1', pix_key: ' Loja@Example.com ' }), 204)
  t.is(await put({}), 204)
  const after = await accountOf(api)
  const paidIn = { pixInCents: 99, boletoInCents: 200, boletoCents: 300 }
  const unlimited = { pixOutPerTransactionCents: null, pixOutDailyCents: null, pixOutNightlyCents: null }
  t.deepEqual(after, {
    ...before,
    taxes: { ...paidIn, pixOutCents: 150, bolepixCents: 400, feeHundredths: 250 },
    limits: { ...unlimited, chargeMinCents: 100, chargeMaxCents: 1_001 },
    bankCode: '001',
    pixKey: 'loja@example.com',
    updatedAt: after?.updatedAt,
  } as typeof after)
  t.is(await put({ pix_key: null }), 204)
  t.like(await accountOf(api), { pixKey: null, bankCode: '001' })
})

test('accepts the Pix code, digitable line or bar code instead of the txid, with or without separators', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const copied: readonly (readonly [method: string, status: string, copy: (charge: Shown) => string | undefined])[] = [
    ['PIX', 'paid', ({ pix }) => ` ${pix?.qrcode.slice(0, 40)}\n${pix?.qrcode.slice(40)}\n`],
    ['BOLETO', 'paid', ({ boleto }) => boleto?.digitableLine],
    ['BOLETO', 'paid', ({ boleto }) => formatDigitableLine(`${boleto?.digitableLine}`)],
    ['BOLETO', 'paid', ({ boleto }) => boleto?.barcode.replace(/.{11}/g, '$&-')],
    ['BOLEPIX', 'paid', ({ boleto }) => boleto?.digitableLine],
    ['BOLEPIX', 'paidwithpix', ({ pix }) => pix?.qrcode],
  ]
  for (const [payment_method, status, copy] of copied) {
    const charge = await api.charge(merchant, { payment_method })
    t.like((await api.pay(`${copy(charge)}`)).body, { status: 'confirmed' }, payment_method)
    const { token } = merchant
    t.is((await api.ask('GET', `/invoices/${charge.id}`, { token })).body.data.status.title, status)
  }
  const { boleto, id } = await api.charge(merchant, { payment_method: 'BOLETO' })
  const [wrongLine, strange] = [
    boleto.digitableLine.replace(/\d$/, (last: string) => `${9 - Number(last)}`),
    sicrediBoleto(STRANGE).barcode,
  ]
  for (const text of [wrongLine, strange]) t.is((await api.pay(text)).status, 404, text)
  t.is((await post(api, 'cancellations', { txid: boleto.digitableLine }))[0], 204)
  const read = await api.ask('GET', `/invoices/${id}`, { token: merchant.token })
  t.is(read.body.data.status.title, 'cancelled')
})

test('returns 404 for an unknown title, also with a known payment id', async (t) => {
  const api = await openTestApi(t)
  const { pix } = await api.charge(await api.merchant())
  t.is((await api.pay(pix.txid, { end_to_end_id: E2E })).status, 200)
  t.is((await api.pay('nobodyKnowsThis', { end_to_end_id: E2E })).status, 404)
})

test('applies a fault to the requested number of calls', async (t) => {
  const { api, token } = await openMerchant(t)
  const statuses = async (count: number) => {
    const got: number[] = []
    for (let at = 0; at < count; at += 1) got.push((await api.ask('POST', '/invoices', { token, body: MARIA })).status)
    return got
  }
  t.deepEqual(await post(api, 'faults', { operation: 'create_pix', mode: 'refuse', times: 2 }), [204, []])
  t.deepEqual(await statuses(3), [400, 400, 200])
  t.deepEqual(await post(api, 'faults', { operation: 'create_pix', mode: 'unavailable', times: 5 }), [204, []])
  t.deepEqual(await post(api, 'faults', { operation: 'create_pix', mode: 'refuse' }), [204, []])
  t.deepEqual(await post(api, 'faults', { operation: 'pay_out', mode: 'timeout' }), [204, []])
  t.deepEqual(await statuses(2), [400, 200])
})

test('has no console in production', async (t) => {
  const env = {
    NODE_ENV: 'production',
    JWT_SECRET: 'x'.repeat(32),
    DATA_KEY: Buffer.alloc(32, 3).toString('base64'),
    IDENTITY_ISSUER: 'https://id.example.com',
    IDENTITY_AUDIENCE: 'portico',
    IDENTITY_JWKS_URL: 'https://id.example.com/jwks',
  }
  const api = await openTestApi(t, { env })
  const { token, id } = await api.merchant()
  t.is((await api.ask('POST', '/invoices', { token, body: MARIA })).status, 200)
  const posts = ['payments', 'faults', 'cancellations', 'cards'].map((path) => ['POST', path] as const)
  for (const [method, path] of [...posts, ['PUT', `accounts/${id}`], ['GET', 'payouts']] as const) {
    const answer = await api.ask(method, `/fake-bank/${path}`, method === 'GET' ? {} : { body: {} })
    t.deepEqual(failure(answer), [404, 'route.unknown'], path)
  }
  const { body } = await api.ask('GET', '/openapi.json')
  t.false(Object.keys(body.paths).some((path) => path.includes('fake-bank')))
})
