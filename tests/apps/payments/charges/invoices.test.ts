import test from 'ava'
import { codesOf, pagesOf, textOf } from '../../../adapters/documents/printed-page.ts'
import {
  MARIA,
  type Merchant,
  openMerchant,
  openTestApi,
  statusAndMessage,
  type TestApi,
  worked,
  wrongFields,
} from '../test-api.ts'

const CODE = 'codigo-de-busca'

const fetched = async (api: TestApi, path: string, token?: string) => {
  const reply = await fetch(
    api.url + path,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  )
  return { reply, pdf: new Uint8Array(await reply.arrayBuffer()) }
}

const texts = async (pdf: Uint8Array) => (await codesOf(pdf, 200)).map(({ text }) => text).sort()

test('downloads a boleto by id and by code, with the bar code and digitable line of the charge', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { id, code, boleto } = await api.charge(merchant, { payment_method: 'BOLETO', value: 1234.56 })
  for (const name of [id, code]) {
    const { reply, pdf } = await fetched(api, `/billing/charges/${name}/download-pdf`, merchant.token)
    t.is(reply.status, 200)
    t.is(reply.headers.get('content-type'), 'application/pdf')
    t.is(reply.headers.get('content-disposition'), `attachment; filename=fatura_${id}.pdf`)
    t.is(pagesOf(pdf), 1)
    t.deepEqual(await texts(pdf), [boleto.barcode])
    t.true(textOf(pdf).replace(/[ .]/g, '').includes(boleto.digitableLine))
    t.true(textOf(pdf).includes('Maria da Silva - 123.456.789-09'))
  }
})

test('prints the code of each method with the amount of the day', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const terms = { discount: 10, type_discount: 'ABSOLUTE', days_discount: 2 }
  for (const payment_method of ['PIX', 'BOLEPIX']) {
    const { id, pix, boleto } = await api.charge(merchant, { payment_method, ...terms })
    const { pdf } = await fetched(api, `/billing/charges/${id}/download-pdf`, merchant.token)
    t.deepEqual(await texts(pdf), [pix.qrcode, ...(boleto ? [boleto.barcode] : [])].sort())
    t.true(textOf(pdf).includes('DESCONTO DE R$ 10,00 ATÉ 30/11/2026'))
    t.true(textOf(pdf).includes('Valor em 23/11/2026: R$ 140,50'))
  }
})

test('prints a paid charge without a code, as paid also once it is deleted', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { id, boleto } = await api.paid(merchant, { payment_method: 'BOLETO' })
  const [own, payers] = [`/billing/charges/${id}/download-pdf`, `/storage/boletos/boleto_${boleto.txid}.pdf`]
  for (const path of [own, payers]) {
    const { pdf } = await fetched(api, path, merchant.token)
    t.deepEqual(await texts(pdf), [])
    t.true(textOf(pdf).includes('Pago em'))
  }
  await api.ask('DELETE', `/invoices/${id}`, { token: merchant.token })
  const text = textOf((await fetched(api, own, merchant.token)).pdf)
  t.deepEqual([text.includes('Pago em'), text.includes('Cancelada')], [true, false])
  t.is((await api.ask('GET', payers)).status, 404)
})

test('serves the PDF of a boleto by its txid, and 404 for other names', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const { boleto } = await api.charge(merchant, { payment_method: 'BOLETO' })
  const { pix } = await api.charge(merchant)
  const opened = await fetched(api, `/storage/boletos/boleto_${boleto.txid}.pdf`)
  t.is(opened.reply.headers.get('content-type'), 'application/pdf')
  t.deepEqual(await texts(opened.pdf), [boleto.barcode])
  for (const name of ['a-b', '..%2Fsegredo', '%20', '%C3%81', 'naoExiste', pix.txid, `${boleto.txid}`.toLowerCase()]) {
    const answer = await api.ask('GET', `/storage/boletos/boleto_${name}.pdf`)
    const isName = /^\w+$/.test(name)
    t.deepEqual(
      statusAndMessage(answer),
      isName ? [404, 'Boleto não encontrado.'] : [400, 'Nome de arquivo inválido.'],
      name,
    )
  }
})

test('returns 500 for a page that cannot be rendered', async (t) => {
  const invoiceRenderer = { invoicePdf: () => Promise.reject(new Error('no paper')) }
  const { api, merchant, token } = await openMerchant(t, { instead: () => ({ invoiceRenderer }) })
  const { id } = await api.charge(merchant)
  const failed = await api.ask('GET', `/billing/charges/${id}/download-pdf`, { token })
  t.is(failed.status, 500)
  t.false(failed.text.includes('no paper'))
})

test('shows the boleto of a charge to its payer, and 404 without one', async (t) => {
  const { api, merchant } = await openMerchant(t)
  const [boleto, pix] = [await api.charge(merchant, { payment_method: 'BOLEPIX' }), await api.charge(merchant)]
  const path = '/public/charge/boleto?code='
  const { data } = worked(await api.ask('GET', path + boleto.code))
  t.deepEqual(data.boleto, boleto.boleto)
  t.regex(data.pix.image, /^data:image\/png;base64,/)
  t.deepEqual(statusAndMessage(await api.ask('GET', path + pix.code)), [404, 'Boleto não encontrado.'])
  t.is((await api.ask('GET', `${path}nada`)).status, 404)
})

const found = async (api: TestApi, body: unknown) => {
  const answer = await api.ask('POST', '/public/boletos/search', { body })
  return answer.status === 200 ? answer.body.map(({ id }: { id: number }) => id) : answer.status
}

test('lists the boletos of a payer in all accounts, latest due day first', async (t) => {
  const api = await openTestApi(t)
  const [one, two] = [await api.merchant(), await api.merchant('outra@example.com', '11444777000161')]
  const issue = async (merchant: Merchant, over: Record<string, unknown>) => (await api.charge(merchant, over)).id
  const early = await issue(one, { payment_method: 'BOLETO', due_date: '2026-12-01' })
  const late = await issue(two, { payment_method: 'BOLEPIX', due_date: '2026-12-20' })
  await issue(one, { payment_method: 'PIX' })
  const gone = await issue(one, { payment_method: 'BOLETO' })
  await api.ask('DELETE', `/invoices/${gone}`, { token: one.token })
  await issue(one, { payment_method: 'BOLETO', name: 'João', email: 'joao@example.com', document: '52998224725' })
  const maria = { document: MARIA.document, email: MARIA.email, code: CODE }
  t.deepEqual(await found(api, maria), [late, early])
  t.deepEqual(await found(api, { ...maria, document: '12345678909', email: 'MARIA@example.com' }), [late, early])
  t.deepEqual(await found(api, { ...maria, email: 'joao@example.com' }), [])
  t.deepEqual(await found(api, { ...maria, document: '52998224725' }), [])
  const { body } = await api.ask('POST', '/public/boletos/search', { body: maria })
  t.like(body[0], { payment_method: 'BOLEPIX', boleto: { status: 'issued' }, pix: { status: 'pending' } })
  const number = body[1].boleto.nosso_numero
  const ids = await found(api, { nosso_numero: number, code: CODE })
  t.true(ids.includes(early) && !ids.includes(gone))
  const printed = number.replace(/^(..)(.{6})(.)$/, '$1/$2-$3')
  t.deepEqual(await found(api, { nosso_numero: printed, code: CODE }), ids)
  t.deepEqual(await found(api, { nosso_numero: '000000000', code: CODE }), [])
})

test('requires the search code, and the e-mail with the document; rejects every search without a configured code', async (t) => {
  const maria = { document: MARIA.document, email: MARIA.email }
  const api = await openTestApi(t)
  for (const code of ['outro', `${CODE} `, CODE.toUpperCase(), 'ç'])
    t.is(await found(api, { ...maria, code }), 403, code)
  t.deepEqual(await found(api, { ...maria, code: CODE }), [])
  for (const name of ['document', 'email']) {
    const body = { ...maria, code: CODE, [name]: undefined }
    t.deepEqual(wrongFields(await api.ask('POST', '/public/boletos/search', { body })), [name])
  }
  const closed = await openTestApi(t, { env: { BOLETO_SEARCH_CODE: '' } })
  for (const code of [CODE, 'null', 'undefined']) t.is(await found(closed, { ...maria, code }), 403, code)
})

test('blocks an address for an hour after a hundred wrong codes, and no other address', async (t) => {
  const api = await openTestApi(t, { env: { TRUST_PROXY: 'true' } })
  const search = (code: string, address: string) =>
    api.ask('POST', '/public/boletos/search', {
      body: { document: MARIA.document, email: MARIA.email, code },
      headers: { 'x-forwarded-for': address },
    })
  const [guesser, payer] = ['203.0.113.7', '198.51.100.9']
  for (let tries = 0; tries < 100; tries += 1) {
    if (tries === 99) t.is((await search(CODE, guesser)).status, 200)
    t.is((await search(`${tries}`, guesser)).status, 403, `${tries}`)
  }
  for (const code of ['100', CODE]) {
    const refused = await search(code, guesser)
    t.deepEqual([refused.status, refused.body.error_code], [429, 'code.throttled'], code)
    t.is(refused.headers.get('retry-after'), '3600')
  }
  t.is((await search(CODE, payer)).status, 200)
  api.clock.advance(3_600)
  t.is((await search(CODE, guesser)).status, 200)
})
