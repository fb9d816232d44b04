import test from 'ava'
import { cardBody } from '../../given/cards.ts'
import { MARIA, openTestApi, worked } from '../test-api.ts'

/** What is shown of a charge to whoever is to pay it, by how it is paid. */
const METHODS = [
  ['PIX', MARIA, { pix: true, boleto: false }],
  ['BOLETO', { ...MARIA, payment_method: 'BOLETO' }, { pix: false, boleto: true }],
  ['BOLEPIX', { ...MARIA, payment_method: 'BOLEPIX' }, { pix: true, boleto: true }],
  ['CREDIT_CARD', cardBody(), { pix: false, boleto: false }],
] as const

for (const [method, body, has] of METHODS)
  test(`whoever pays sees of a ${method} what it is paid by, and null for the rest`, async (t) => {
    const api = await openTestApi(t)
    const { token } = await api.merchant()
    const { data } = worked(await api.ask('POST', '/invoices', { token, body }))
    const shown = [
      worked(await api.ask('GET', `/public/charge?code=${data.code}`)).charge,
      worked(await api.ask('GET', `/public/charge/pix?code=${data.code}`)).data,
    ]
    for (const { payment_method, pix, boleto } of shown) {
      t.is(payment_method, method)
      t.is(pix?.qrcode ?? null, data.pix?.qrcode ?? null)
      t.deepEqual([pix !== null, boleto !== null], [has.pix, has.boleto])
      t.is(pix?.image.startsWith('data:image/png;base64,') ?? false, has.pix)
      t.is(boleto?.digitableLine ?? null, data.boleto?.digitableLine ?? null)
    }
    const byBoleto = await api.ask('GET', `/public/charge/boleto?code=${data.code}`)
    t.is(byBoleto.status, has.boleto ? 200 : 404)
  })

test('a Pix by its txid: of a bolepix too, and of a boleto or a card there is none', async (t) => {
  const api = await openTestApi(t)
  const { token } = await api.merchant()
  for (const [method, body, has] of METHODS) {
    const { data } = worked(await api.ask('POST', '/invoices', { token, body }))
    const txid = data.pix?.txid ?? data.boleto?.txid ?? data.code
    const { status, body: found } = await api.ask('GET', `/public/pix/${txid}`)
    t.is(status, has.pix ? 200 : 404, method)
    if (has.pix) t.like(found, { txid, qrcode: data.pix.qrcode, status: 'pending', value: 150.5 })
  }
})
