import test from 'ava'
import jsQRModule from 'jsqr'
import { PNG } from 'pngjs'
import { patch } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { openTestApi } from '../test-api.ts'

// The package is CommonJS with its function under `default`, which the two module systems unwrap differently.
const jsQR = jsQRModule.default ?? jsQRModule
const DATA = 'data:image/png;base64,'

/** What a phone reads in the picture. */
const scanned = (image: string): string | undefined => {
  const { data, width, height } = PNG.sync.read(Buffer.from(image.slice(DATA.length), 'base64'))
  return jsQR(new Uint8ClampedArray(data), width, height)?.data
}

const SCHOOL = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document: '11222333000181' }

test('a payer sees the charge by its code: whom it pays, and a picture of its Pix', async (t) => {
  const api = await openTestApi(t)
  const charge = await api.charge(await api.merchant(), { description: 'Mensalidade' })
  const answer = await api.ask('GET', `/public/charge?code=${charge.code}`)
  t.is(answer.status, 200)
  const { image } = answer.body.charge.pix
  t.true(image.startsWith(DATA))
  t.is(scanned(image), charge.pix.qrcode)
  t.deepEqual(answer.body, {
    code: 200,
    success: true,
    charge: { ...charge, pix: { ...charge.pix, image }, account: { ...SCHOOL, path_logo: null } },
    message: 'Cobrança recuperada com sucesso.',
  })
  t.deepEqual((await api.ask('GET', `/api/public/charge?code=${charge.code}`)).body, answer.body)
  t.false(/[Kk]ey|secret|agency|uuid/.test(answer.text.replace(image, '')))
})

test('the Pix alone, by code in an envelope and by txid without one', async (t) => {
  const api = await openTestApi(t)
  const charge = await api.charge(await api.merchant())
  const { qrcode, txid } = charge.pix
  for (const prefix of ['', '/api']) {
    const byCode = await api.ask('GET', `${prefix}/public/charge/pix?code=${charge.code}`)
    t.is(byCode.status, 200)
    const { image } = byCode.body.data.pix
    t.deepEqual(byCode.body.data, { ...charge, pix: { ...charge.pix, image } })
    t.is(scanned(image), qrcode)
    const byTxid = await api.ask('GET', `${prefix}/public/pix/${txid}`)
    t.is(byTxid.status, 200)
    t.deepEqual(byTxid.body, { txid, qrcode, image, status: 'pending', value: 150.5, account: SCHOOL })
  }
  await api.pay(txid)
  t.is((await api.ask('GET', `/public/pix/${txid}`)).body.status, 'paid')
  const { body } = await api.ask('GET', `/public/charge?code=${charge.code}`)
  t.like(body.charge, { status: { title: 'paid' }, amount_paid: 150.5, pix: { status: 'paid' } })
})

test('an account that was removed asks nobody for anything any more; its money is still taken', async (t) => {
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
  t.is((await api.ask('DELETE', `/v1/organizations/${anna.id}`, { token: anna.token })).status, 200)
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

test('what is unknown, deleted or named by its id is 404; no code is 422', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const charge = await api.charge(merchant)
  const gone = await api.charge(merchant)
  await api.host.store.commit([patch(charges, gone.id, { set: { status: 'DELETED' }, when: always })])
  const absent = { code: 404, success: false, message: 'Cobrança não encontrada.', error_code: 'charge.unknown' }
  const paths = [gone.code, charge.id, charge.pix.txid, 'x'.repeat(22), '%24ne', '%F0%9F%92%A9'].flatMap((code) => [
    `/public/charge?code=${code}`,
    `/public/charge/pix?code=${code}`,
  ])
  for (const path of [
    ...paths,
    ...[gone.pix.txid, charge.code, charge.id, '%F0%9F%92%A9'].map((txid) => `/public/pix/${txid}`),
  ]) {
    const { status, body } = await api.ask('GET', path)
    t.deepEqual([status, body], [404, absent], path)
  }
  for (const path of ['/public/charge', '/public/charge/pix', '/api/public/charge']) {
    for (const query of ['', '?code=', '?code=a&code=b', `?code=${'x'.repeat(101)}`, '?code[$ne]=x', '?code=%00']) {
      const { status, body } = await api.ask('GET', path + query)
      t.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['code']], path + query)
    }
  }
})

test('a payer reads the charge of a suspended organization, and the bank may still pay it', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const { code, pix } = await api.charge(merchant)
  await api.setStatus(merchant, 'SUSPENDED')
  t.is((await api.ask('GET', `/public/charge?code=${code}`)).status, 200)
  t.is((await api.pay(pix.txid)).body.status, 'confirmed')
  t.deepEqual((await api.ask('GET', '/consolidation/balance', { token: merchant.token })).body, { balance: 150.5 })
})
