import test from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { cardBody } from '../given/cards.ts'
import { scanned } from '../scanned.ts'
import { MARIA, openMerchant, openTestApi, pluck, worked, wrongFields } from '../test-api.ts'

const SCHOOL = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document: '11222333000181' }

test('shows a charge by its code, with the payee and the image of its Pix', async (t) => {
  const api = await openTestApi(t)
  const charge = await api.charge(await api.merchant(), { description: 'Mensalidade' })
  const answer = await api.ask('GET', `/public/charge?code=${charge.code}`)
  t.is(answer.status, 200)
  const { image } = answer.body.charge.pix
  t.true(image.startsWith('data:image/png;base64,'))
  t.is(scanned(image), charge.pix.qrcode)
  t.deepEqual(answer.body, {
    code: 200,
    success: true,
    charge: { ...charge, pix: { ...charge.pix, image }, account: { ...SCHOOL, path_logo: null } },
    message: 'Cobrança recuperada com sucesso.',
  })
  t.false(/[Kk]ey|secret|agency|uuid/.test(answer.text.replace(image, '')))
})

test("shows the Pix by the charge's code in an envelope, and by its txid without one", async (t) => {
  const { api, merchant } = await openMerchant(t)
  const charge = await api.charge(merchant)
  const { qrcode, txid } = charge.pix
  const byCode = worked(await api.ask('GET', `/public/charge/pix?code=${charge.code}`))
  const { image } = byCode.data.pix
  t.deepEqual(byCode.data, { ...charge, pix: { ...charge.pix, image } })
  t.is(scanned(image), qrcode)
  const byTxid = async () => worked(await api.ask('GET', `/public/pix/${txid}`))
  t.deepEqual(await byTxid(), { txid, qrcode, image, status: 'pending', value: 150.5, account: SCHOOL })
  await api.pay(txid)
  t.is((await byTxid()).status, 'paid')
  const { body } = await api.ask('GET', `/public/charge?code=${charge.code}`)
  t.like(body.charge, { status: { title: 'paid' }, amount_paid: 150.5, pix: { status: 'paid' } })
})

test('hides the charges of a removed account, and accepts their payments', async (t) => {
  const api = await openTestApi(t)
  const [anna, rui] = [await api.merchant(), await api.merchant('rui@example.com')]
  const gone = await api.charge(anna, { payment_method: 'BOLEPIX' })
  const there = await api.charge(rui, { payment_method: 'BOLEPIX' })
  const pathsOf = ({ code, pix: { txid } }: typeof gone) => [
    `/public/charge?code=${code}`,
    `/public/charge/pix?code=${code}`,
    `/public/charge/boleto?code=${code}`,
    `/public/pix/${txid}`,
    `/public/payment-status/${code}/charge`,
    `/pay/charge/${code}`,
    `/storage/boletos/boleto_${txid}.pdf`,
  ]
  for (const path of pathsOf(gone)) t.is((await api.ask('GET', path)).status, 200, path)
  // An organization that 0.21.0 removed may have open charges.
  await api.host.store.commit([patch(accounts, anna.id, { set: { removedAt: api.clock.now() }, when: always })])
  for (const path of pathsOf(gone)) t.is((await api.ask('GET', path)).status, 404, path)
  for (const path of pathsOf(there)) t.is((await api.ask('GET', path)).status, 200, path)
  const { document, email } = there.client
  const { charges: owed } = (await api.ask('GET', `/public/charges?client=${document}`)).body
  t.deepEqual([owed.meta.total, owed.data[0].code], [1, there.code])
  const search = async (by: object) => {
    const body = { code: 'codigo-de-busca', ...by }
    return (await api.ask('POST', '/public/boletos/search', { body })).body.map(({ code }: typeof gone) => code)
  }
  t.deepEqual(await search({ document, email }), [there.code])
  const { nosso_numero } = gone.boleto
  t.false((await search({ nosso_numero })).includes(gone.code))
  t.is((await api.pay(gone.pix.txid)).status, 200)
})

test('returns 404 for an unknown or deleted charge and for an id, and 422 without a code', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const [charge, gone] = [await api.charge(merchant), await api.charge(merchant)]
  await api.host.store.commit([patch(charges, gone.id, { set: { status: 'DELETED' }, when: always })])
  const absent = { code: 404, success: false, message: 'Cobrança não encontrada.', error_code: 'charge.unknown' }
  for (const path of [
    ...[gone.code, charge.id, charge.pix.txid].map((code) => `/public/charge?code=${code}`),
    ...[gone.code, charge.id, charge.pix.txid].map((code) => `/public/charge/pix?code=${code}`),
    ...[gone.pix.txid, charge.code, charge.id].map((txid) => `/public/pix/${txid}`),
  ])
    t.deepEqual((await api.ask('GET', path)).body, absent, path)
  for (const path of ['/public/charge', '/public/charge/pix'])
    for (const query of ['', '?code=', '?code[$ne]=x'])
      t.deepEqual(wrongFields(await api.ask('GET', path + query)), ['code'], path + query)
})

test('shows the charge of a suspended organization, and accepts its payment', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { code, pix } = await api.charge(merchant)
  await api.setStatus(merchant, 'SUSPENDED')
  t.is((await api.ask('GET', `/public/charge?code=${code}`)).status, 200)
  t.is((await api.pay(pix.txid)).body.status, 'confirmed')
  t.deepEqual((await api.ask('GET', '/consolidation/balance', { token: merchant.token })).body, { balance: 150.5 })
})

/** The methods, with the codes that the payer sees: Pix and boleto. */
const METHODS = [
  ['PIX', true, false],
  ['BOLETO', false, true],
  ['BOLEPIX', true, true],
  ['CREDIT_CARD', false, false],
] as const

test('shows the payer the codes of each method, and null for the others', async (t) => {
  const { api, token } = await openMerchant(t)
  for (const [method, hasPix, hasBoleto] of METHODS) {
    const body = method === 'CREDIT_CARD' ? cardBody() : { ...MARIA, payment_method: method }
    const { data } = worked(await api.ask('POST', '/invoices', { token, body }))
    const get = (path: string) => api.ask('GET', `/public/${path}`)
    const shown = [
      worked(await get(`charge?code=${data.code}`)).charge,
      worked(await get(`charge/pix?code=${data.code}`)).data,
    ]
    for (const { payment_method, pix, boleto } of shown) {
      t.deepEqual([payment_method, pix !== null, boleto !== null], [method, hasPix, hasBoleto])
      t.deepEqual([pix?.qrcode, boleto?.digitableLine], [data.pix?.qrcode, data.boleto?.digitableLine])
    }
    t.is((await get(`charge/boleto?code=${data.code}`)).status, hasBoleto ? 200 : 404, method)
    const txid = data.pix?.txid ?? data.boleto?.txid ?? data.code
    t.is((await get(`pix/${txid}`)).status, hasPix ? 200 : 404, method)
  }
})

const PATH = '/public/charges'
const DOCUMENT = '12345678909'

test('lists the open charges of a document in all accounts, without those of other documents', async (t) => {
  const api = await openTestApi(t)
  const [one, two] = [await api.merchant(), await api.merchant('rui@example.com')]
  const first = await api.charge(one)
  api.clock.advance(1)
  const second = await api.charge(two, { payment_method: 'BOLEPIX' })
  api.clock.advance(1)
  await api.paid(one)
  const deleted = await api.charge(one)
  worked(await api.ask('DELETE', `/invoices/${deleted.id}`, { token: one.token }))
  await api.charge(one, { document: '52998224725' })

  const empty = await api.ask('GET', PATH)
  t.deepEqual(empty.body.charges, { data: [], meta: { current_page: 1, per_page: 15, total: 0, last_page: 1 } })
  for (const client of [DOCUMENT, '123.456.789-09']) {
    const { charges } = worked(await api.ask('GET', `/api${PATH}?client=${client}`))
    t.deepEqual(pluck(charges.data, 'id'), [second.id, first.id])
    t.is(charges.meta.total, 2)
    t.deepEqual(charges.data[1].client, { name: first.client.name, document: DOCUMENT, email: 'm***@example.com' })
  }
  const { charges: page } = worked(await api.ask('GET', `${PATH}?client=${DOCUMENT}&per_page=1&page=2`))
  t.deepEqual(pluck(page.data, 'id'), [first.id])
  t.deepEqual(page.meta, { current_page: 2, per_page: 1, total: 2, last_page: 2 })
  t.deepEqual(worked(await api.ask('GET', `${PATH}?client=${DOCUMENT}&page=9`)).charges.data, [])
  api.clock.advance(40 * 86_400)
  const { charges: late } = worked(await api.ask('GET', `${PATH}?client=${DOCUMENT}`))
  t.deepEqual(
    late.data.map(({ status }: typeof late) => status.title),
    ['expired', 'expired'],
  )
  worked(await api.ask('DELETE', `/v1/clients/${first.client.id}`, { token: (await api.again(one)).token }))
  t.is(worked(await api.ask('GET', `${PATH}?client=${DOCUMENT}`)).charges.meta.total, 2)
})

test('names an unknown or invalid document', async (t) => {
  const api = await openTestApi(t)
  for (const client of ['52998224725', '123', 'abc', '%_.*'])
    t.deepEqual(wrongFields(await api.ask('GET', `${PATH}?client=${encodeURIComponent(client)}`)), ['client'], client)
})

test('limits an address to a hundred unknown documents an hour, and no other address', async (t) => {
  const api = await openTestApi(t, { env: { TRUST_PROXY: 'true' } })
  await api.charge(await api.merchant())
  const [guesser, payer] = ['203.0.113.7', '198.51.100.9']
  const listed = (client: string, address: string) =>
    api.ask('GET', `${PATH}?client=${client}`, { headers: { 'x-forwarded-for': address } })
  // Half of them at once: every attempt is counted.
  const unknown = () => listed('52998224725', guesser)
  const atOnce = await Promise.all(Array.from({ length: 50 }, unknown))
  for (const { status } of [...atOnce, await listed('123', guesser)]) t.is(status, 422)
  for (let tries = 50; tries < 100; tries += 1) {
    if (tries === 99) t.is((await listed(DOCUMENT, guesser)).status, 200)
    t.is((await unknown()).status, 422)
  }
  for (const document of ['52998224725', DOCUMENT]) {
    const { status, body, headers } = await listed(document, guesser)
    t.deepEqual([status, body.error_code, headers.get('retry-after')], [429, 'document.throttled', '3600'])
  }
  t.is((await listed(DOCUMENT, payer)).status, 200)
  api.clock.advance(3_600)
  t.is((await listed(DOCUMENT, guesser)).status, 200)
})
