// Also runs on MongoDB, in test:long.
import test from 'ava'
import { parsePix } from 'pix-utils'
import { isLeft } from '../../../../core/failure.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { readPixCode } from '../../../../core/payments/pix/br-code.ts'
import { MARIA, openMerchant, openTestApi } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'

test('issues a charge with a code and a txid, and notifies of it', async (t) => {
  const { api, token } = await openMerchant(t)
  const body = { ...MARIA, description: ' Mensalidade ', installments: 12, webhook: HOOK }
  const { data } = (await api.ask('POST', '/invoices', { token, body })).body
  t.is(data.description, 'Mensalidade')
  t.regex(data.code, /^[A-Za-z][A-Za-z0-9]{21}$/)
  t.regex(data.pix.txid, /^[A-Za-z][A-Za-z0-9]{24}$/)
  await api.drain()
  const [created, ...more] = api.told(HOOK)
  t.deepEqual([created.type, created.data, more], ['charge.created', data, []])
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

test('shows a charge by id and by code, on both paths', async (t) => {
  const { api, token } = await openMerchant(t)
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

test('creates one client for sixteen simultaneous charges of one document', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const issued = await Promise.all(Array.from({ length: 16 }, () => api.charge(merchant)))
  t.is(new Set(issued.map(({ id }) => id)).size, 16)
  t.is(new Set(issued.map(({ pix }) => pix.txid)).size, 16)
  t.is((await api.every(clients)).length, 1)
})
