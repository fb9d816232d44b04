// Also runs on MongoDB, in test:long.
import test from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import { textOf } from '../../../adapters/documents/printed-page.ts'
import {
  errorsOf,
  failure,
  openMerchant,
  openTestApi,
  pluck,
  statusAndMessage,
  worked,
  wrongFields,
} from '../test-api.ts'
import { LINKS, linkOf, openBy, payBy, shownTo, stranger } from './payer.ts'

const PAID = 'Solicitação de pagamento processada com sucesso.'

test('a payment by Pix issues a charge of the account, due today, and returns only its code', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna)
  const { status, body } = await payBy(api, link, { amount: 1 })
  t.deepEqual([status, body.code, body.success, body.message], [200, 200, true, PAID])
  const { charge_id, pix, ...rest } = body.data
  t.deepEqual(rest, {})
  t.like(pix, { status: 'pending', value: 100 })
  t.regex(pix.qrcode, /^000201.*5406100\.00.*6304[0-9A-F]{4}$/)
  const [charge] = worked(await api.ask('GET', '/invoices', { token: anna.token })).data
  t.like(charge, {
    code: charge_id,
    value: 100,
    payment_method: 'PIX',
    due_date: '2026-11-23',
    description: 'Curso',
    created_by: 1,
    client: { ...charge.client, name: 'Maria da Silva', document: '12345678909' },
  })
  worked(await api.pay(pix.txid))
  const after = worked(await api.ask('GET', `/public/payment-status/${charge_id}/charge`))
  t.is(after.message, 'Status da cobrança recuperado.')
  t.is(after.data.charge.status.title, 'paid')
  t.is(after.data.pix.status, 'paid')
})

test('issues a boleto due in three days, which its address opens', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const { data } = worked(await payBy(api, await linkOf(api, anna), { payment_method: 'BOLETO', installments: 12 }))
  t.deepEqual(Object.keys(data), ['charge_id', 'boleto'])
  t.deepEqual(Object.keys(data.boleto), ['txid', 'barcode', 'digitableLine', 'pathPDF'])
  t.regex(data.boleto.barcode, /^\d{44}$/)
  t.regex(data.boleto.digitableLine, /^\d{47}$/)
  t.is(data.boleto.pathPDF, `https://pay.example.com/storage/boletos/boleto_${data.boleto.txid}.pdf`)
  const [charge] = worked(await api.ask('GET', '/invoices', { token: anna.token })).data
  t.like(charge, { payment_method: 'BOLETO', due_date: '2026-11-26', value: 100 })
})

test("prints the payer's own data on a boleto, but not those of a client whose document was entered", async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna, { payment_methods: ['BOLETO'] })
  const address = { street: 'Rua Secreta', city: 'Porto Alegre', state: 'RS' }
  const ana = { name: 'Ana Souza 52998224725', email: 'ana@example.com', document: '52998224725', type: 'individual' }
  const { token } = anna
  const { data: client } = worked(await api.ask('POST', '/clients', { token, body: { ...ana, address } }))
  const paid = async (more: object) => worked(await payBy(api, link, { payment_method: 'BOLETO', ...more })).data
  const printed = async ({ boleto }: { readonly boleto: { readonly txid: string } }) => {
    const page = await fetch(`${api.url}/storage/boletos/boleto_${boleto.txid}.pdf`)
    return textOf(new Uint8Array(await page.arrayBuffer()))
  }
  const byId = { client_id: client.id, name: undefined, email: undefined, document: undefined }
  for (const named of [byId, { document: '529.982.247-25', name: 'Xavier' }]) {
    const text = await printed(await paid(named))
    t.true(text.includes('Não exibido'))
    for (const secret of ['Ana', 'Souza', 'A***', '529', '982', 'Secreta', 'Xavier'])
      t.false(text.includes(secret), secret)
  }
  const own = await paid({})
  t.true((await printed(own)).includes('Maria da Silva - 123.456.789-09'))
  // By now the payer is an existing client.
  t.deepEqual(await paid({ name: 'Mais uma' }), own)
  t.false(/Maria|123\.456/.test(await printed(own)))
  const { data } = worked(await api.ask('GET', '/invoices?search=Souza', { token }))
  const headers = { authorization: `Bearer ${token}` }
  const whole = await fetch(`${api.url}/billing/charges/${data[0].id}/download-pdf`, { headers })
  t.true(textOf(new Uint8Array(await whole.arrayBuffer())).includes('Ana Souza 52998224725 - 529.982.247-25'))
})

test("applies the limits of the account to the payer's amount", async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna)
  const limit = (charge_min: number | null, charge_max: number | null) =>
    api.ask('PUT', `/fake-bank/accounts/${anna.id}`, { body: { limits: { charge_min, charge_max } } })
  for (const [least, most, status] of [
    [100, 100, 200],
    [100.01, null, 422],
    [null, 99.99, 422],
  ] as const) {
    await limit(least, most)
    const answer = await payBy(api, link, stranger())
    t.deepEqual([answer.status, Object.keys(errorsOf(answer))], [status, status === 422 ? ['amount'] : []])
  }
})

test("accepts the id of a client of the account without showing the client, and rejects another account's", async (t) => {
  const api = await openTestApi(t)
  const [anna, bia] = [await api.merchant(), await api.merchant()]
  const client = async ({ token }: typeof anna, name: string) =>
    worked(await api.ask('POST', '/v1/clients', { token, body: { name, email: 'segredo@example.com' } })).client.id
  const [own, other] = [await client(anna, 'Cliente secreta'), await client(bia, 'De outra')]
  const link = await linkOf(api, anna)
  const paid = await payBy(api, link, { client_id: own, name: undefined, email: undefined, document: undefined })
  const code = worked(paid).data.charge_id
  const seen = [
    paid,
    await api.ask('GET', `/public/payment-status/${code}/charge`),
    await api.ask('GET', `/public/charge?code=${code}`),
    await api.ask('GET', `/public/charge/pix?code=${code}`),
  ]
  for (const { status, text } of seen) {
    t.is(status, 200)
    t.false(/secret|segredo/i.test(text), text)
  }
  for (const client_id of [other, 999_999])
    t.deepEqual(wrongFields(await payBy(api, link, { client_id })), ['client_id'])
  // The document of an existing client selects that client, who is not shown either.
  const rita = { name: 'Rita secreta', document: '52998224725' }
  worked(await api.ask('POST', '/v1/clients', { token: anna.token, body: rita }))
  const known = worked(await payBy(api, link, { document: '529.982.247-25' })).data.charge_id
  t.false((await api.ask('GET', `/public/charge?code=${known}`)).text.includes('secreta'))
})

test('takes the issue fee of a boleto once, when it is paid, and never more than the payment', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna, { amount: 3 })
  const taxes = (boleto: number, boleto_in: number) =>
    api.ask('PUT', `/fake-bank/accounts/${anna.id}`, { body: { taxes: { boleto, boleto_in } } })
  const boleto = async () => worked(await payBy(api, link, { ...stranger(), payment_method: 'BOLETO' })).data
  const lines = async () => {
    const { data } = worked(await api.ask('GET', '/consolidation/transactions', { token: anna.token }))
    return data.map((line: { type: { id: number }; value: number }) => [line.type.id, line.value])
  }
  await taxes(2, 0.5)
  const [first, second, third] = [await boleto(), await boleto(), await boleto()]
  t.deepEqual(await lines(), [])
  worked(await api.pay(first.boleto.txid))
  t.deepEqual(await lines(), [
    [9, -2],
    [9, -0.5],
    [6, 3],
  ])
  // A second payment has no issue fee.
  worked(await api.pay(first.boleto.txid))
  t.is((await lines()).filter(([, value]: readonly number[]) => value === -2).length, 1)
  await taxes(2, 1.5)
  worked(await api.pay(second.boleto.txid))
  t.deepEqual((await lines()).slice(0, 3), [
    [9, -1.5],
    [9, -1.5],
    [6, 3],
  ])
  // A payment of a deleted charge pays the issue fee too.
  const { data } = worked(await api.ask('GET', `/invoices?search=${third.charge_id}`, { token: anna.token }))
  worked(await api.ask('DELETE', `/invoices/${data[0].id}`, { token: anna.token }))
  worked(await api.pay(third.boleto.txid))
  t.is((await lines()).length, 9)
  t.deepEqual((await verifyReserves(api.host.store)).faults, [])
  t.deepEqual((await verifyLedger(api.host.store)).faults, [])
})

test('returns the success address, with the client id if the link requires it', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const urls: readonly (readonly [sent: string, told: string])[] = [
    ['https://loja.example/ok', 'https://loja.example/ok?client_id=1'],
    ['https://loja.example/ok?a=1#fim', 'https://loja.example/ok?a=1&client_id=1#fim'],
  ]
  for (const [success_url, expected] of urls) {
    const plain = await linkOf(api, anna, { success_url })
    const sending = await linkOf(api, anna, { success_url, send_client_id: true })
    t.is(worked(await payBy(api, plain)).data.success_url, success_url)
    t.is(worked(await payBy(api, sending)).data.success_url, expected)
  }
  t.false('success_url' in worked(await payBy(api, await linkOf(api, anna, { send_client_id: true }))).data)
})

test('rejects any payment of an unknown or ended link, without its token, or of a suspended account', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna, { expires_at: '2026-11-24' })
  const nothing = { payment_method: undefined, name: undefined }
  t.deepEqual(failure(await payBy(api, { ...link, id: 'nenhum' }, nothing)), [404, 'link.unknown'])
  t.deepEqual(failure(await payBy(api, { ...link, token: 'x' }, nothing)), [401, 'link.token'])
  for (const status of ['SUSPENDED', 'DISABLED', 'DISQUALIFIED'] as const) {
    await api.setStatus(anna, status)
    t.deepEqual(statusAndMessage(await payBy(api, link)), [403, 'Organização não está ativa.'])
  }
  await api.setStatus(anna, 'INACTIVE')
  t.is((await payBy(api, link)).status, 200)
  api.clock.set('2026-11-25T03:00:00.000Z')
  t.deepEqual(failure(await payBy(api, link, nothing)), [410, 'link.over'])
  t.is(worked(await api.ask('GET', '/invoices', await api.again(anna))).meta.total, 1)
})

test('counts a use when it is paid; a fully used link is paid or used up until its limit is raised', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna, { max_uses: 1 })
  const [first, second] = [worked(await payBy(api, link)).data, worked(await payBy(api, link, stranger())).data]
  t.is((await shownTo(api, anna, link)).uses_count, 0)
  worked(await api.pay(first.pix.txid))
  t.is((await shownTo(api, anna, link)).uses_count, 1)
  for (const refused of [await openBy(api, link), await payBy(api, link)])
    t.deepEqual(failure(refused), [410, 'link.paid'])
  // Late payments are accepted.
  worked(await api.pay(second.pix.txid))
  t.is((await shownTo(api, anna, link)).uses_count, 2)
  const change = (max_uses: number) => api.ask('PUT', `${LINKS}/${link.id}`, { token: anna.token, body: { max_uses } })
  worked(await change(2))
  t.deepEqual(failure(await openBy(api, link)), [410, 'link.used-up'])
  worked(await change(3))
  t.is((await openBy(api, link)).status, 200)
  // A charge that is paid twice is one use, also after it is deleted.
  worked(await api.pay(first.pix.txid))
  const { data } = worked(await api.ask('GET', `${LINKS}/${link.id}/paid-payments`, { token: anna.token }))
  worked(await api.ask('DELETE', `/invoices/${data[0].id}`, { token: anna.token }))
  t.is((await shownTo(api, anna, link)).uses_count, 2)
})

test('lists the charges of a link newest first, and its paid charges', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const [link, other] = [await linkOf(api, anna), await linkOf(api, anna)]
  const codes: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const { charge_id, pix } = worked(await payBy(api, link, stranger())).data
    codes.push(charge_id)
    if (n === 1) worked(await api.pay(pix.txid))
    api.clock.advance(1)
  }
  worked(await payBy(api, other))
  await api.charge(anna)
  const list = async (path: string) => {
    const { data, meta, message } = worked(await api.ask('GET', `${LINKS}/${link.id}/${path}`, { token: anna.token }))
    t.is(message, `Pagamentos${path.startsWith('paid') ? ' pagos' : ''} do link listados com sucesso.`)
    return [data.map(({ code }: { code: string }) => codes.indexOf(code)), meta.total]
  }
  t.deepEqual(await list('payments'), [[2, 1, 0], 3])
  t.deepEqual(await list('payments?per_page=2&page=2'), [[0], 3])
  t.deepEqual(await list('paid-payments'), [[1], 1])
  const [newest] = worked(await api.ask('GET', `${LINKS}/${link.id}/payments`, { token: anna.token })).data
  worked(await api.ask('DELETE', `/invoices/${newest.id}`, { token: anna.token }))
  t.deepEqual(await list('payments'), [[1, 0], 2])
})

test('keeps a method of the link that has a charge', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna)
  const change = (...payment_methods: string[]) =>
    api.ask('PUT', `${LINKS}/${link.id}`, { token: anna.token, body: { payment_methods } })
  worked(await change('BOLETO'))
  worked(await change('PIX', 'BOLETO'))
  worked(await payBy(api, link))
  const refused = await change('BOLETO')
  t.deepEqual(errorsOf(refused), { payment_methods: ['Um meio de pagamento já usado não pode ser retirado.'] })
  worked(await change('PIX'))
})

test('notifies the URLs of the link and the account of each event once', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const [ofAccount, ofLink] = ['https://conta.example/avisos', 'https://link.example/avisos']
  await api.host.store.commit([patch(accounts, anna.id, { set: { webhookUrl: ofAccount }, when: always })])
  const link = await linkOf(api, anna, { webhook_url: ofLink, max_uses: 5 })
  const { charge_id, pix } = worked(await payBy(api, link)).data
  await api.drain()
  api.clock.advance(1)
  worked(await api.pay(pix.txid))
  await api.drain()
  api.clock.advance(1)
  // A second payment is received money, and no other use.
  worked(await api.pay(pix.txid, { value: 30 }))
  await api.drain()
  for (const url of [ofAccount, ofLink]) {
    const told = api.told(url)
    t.deepEqual(pluck(told, 'type'), ['charge.created', 'charge.paid', 'payment_link.paid', 'pix.received'])
    const { data } = told[2]
    t.like(data, { id: link.id, uses_count: 1, max_uses: 5, status: { value: 1, label: 'Ativo' } })
    t.like(data.charge, { code: charge_id, amount_paid: 100, status: { id: 2 } })
    t.false(JSON.stringify(told).includes(link.token))
  }
  const { summary } = worked(await api.ask('GET', LINKS, { token: anna.token }))
  t.deepEqual(
    [summary.all, summary.active],
    [
      { value: null, label: 'Todos', count: 1, amount: 130 },
      { value: 1, label: 'Ativo', count: 1, amount: 130 },
    ],
  )
})
