import test from 'ava'
import { openTestApi, worked } from '../test-api.ts'
import { linkOf, payBy, told } from './payer.ts'

test('what has become of a charge is told by its code alone, without who pays', async (t) => {
  const api = await openTestApi(t)
  const anna = await api.merchant()
  const { charge_id } = worked(await payBy(api, await linkOf(api, anna))).data
  const [charge] = worked(await api.ask('GET', '/invoices', { token: anna.token })).data
  for (const path of ['/public', '/api/public']) {
    const { status, body } = await api.ask('GET', `${path}/payment-status/${charge_id}/charge`)
    t.is(status, 200)
    const { client: _, pix, boleto, ...rest } = charge
    t.deepEqual(body, {
      code: 200,
      success: true,
      data: {
        charge: rest,
        pix,
        boleto,
        account: { name: 'Escola Aurora', document: '11222333000181', path_logo: null },
      },
      message: 'Status da cobrança recuperado.',
    })
  }
  const unknown = [`${charge.id}`, charge_id.toLowerCase(), 'x'.repeat(500), charge.pix.txid]
  for (const code of unknown)
    t.deepEqual(told(await api.ask('GET', `/public/payment-status/${code}/charge`)), [404, 'charge.unknown'])
  worked(await api.ask('DELETE', `/invoices/${charge.id}`, { token: anna.token }))
  t.deepEqual(told(await api.ask('GET', `/public/payment-status/${charge_id}/charge`)), [404, 'charge.unknown'])
})
