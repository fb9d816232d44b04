// Also runs on MongoDB, in test:long.
import test from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { openTestApi, worked } from '../test-api.ts'
import { LINKS, linkOf, openBy, payBy, shownTo, told } from './payer.ts'

test('a bank that refuses or is away keeps a failed charge, and uses nothing of the link', async (t) => {
  const api = await openTestApi(t)
  const anna = await api.merchant()
  const link = await linkOf(api, anna, { max_uses: 1 })
  for (const [mode, code] of [
    ['refuse', 'bank.refused'],
    ['unavailable', 'bank.unavailable'],
  ] as const) {
    await api.fail('create_pix', mode)
    t.deepEqual(told(await payBy(api, link)), [400, code])
    await api.fail('create_boleto', mode)
    t.deepEqual(told(await payBy(api, link, { payment_method: 'BOLETO' })), [400, code])
  }
  t.deepEqual(
    (await api.every(charges)).map(({ status, linkId }) => [status, linkId]),
    Array.from({ length: 4 }, () => ['failed', link.id]),
  )
  t.is((await shownTo(api, anna, link)).uses_count, 0)
  t.is((await payBy(api, link)).status, 200)
})

test('of a bank that has not answered the payer has the code of the charge, and its Pix as soon as it is there', async (t) => {
  const api = await openTestApi(t)
  const anna = await api.merchant()
  const link = await linkOf(api, anna)
  await api.fail('create_pix', 'timeout')
  const { charge_id, pix } = worked(await payBy(api, link)).data
  t.is(pix, null)
  const status = async () => worked(await api.ask('GET', `/public/payment-status/${charge_id}/charge`)).data
  t.like(await status(), { pix: null })
  api.clock.advance(120)
  await api.drain()
  const { pix: made } = await status()
  t.is(made.status, 'pending')
  worked(await api.pay(made.txid))
  t.is((await status()).charge.status.title, 'paid')
})

test('money that was on its way is taken, though the link has expired, was removed, or its account suspended', async (t) => {
  const api = await openTestApi(t)
  let anna = await api.merchant()
  const [over, removed, suspended] = [
    await linkOf(api, anna, { expires_at: '2026-11-24' }),
    await linkOf(api, anna),
    await linkOf(api, anna),
  ]
  const begun = []
  for (const link of [over, removed, suspended])
    begun.push(worked(await payBy(api, link, { payment_method: 'BOLETO' })).data.boleto.txid)
  worked(await api.ask('DELETE', `${LINKS}/${removed.id}`, { token: anna.token }))
  api.clock.set('2026-11-25T13:00:00.000Z')
  anna = await api.again(anna)
  await api.setStatus(anna, 'SUSPENDED')
  for (const txid of begun) worked(await api.pay(txid, { method: 'boleto' }))
  await api.drain()
  const { balance } = worked(await api.ask('GET', '/consolidation/balance', { token: anna.token }))
  t.is(balance, 300)
  t.is((await shownTo(api, anna, over)).uses_count, 1)
  const { summary } = worked(await api.ask('GET', LINKS, { token: anna.token }))
  t.deepEqual(
    [summary.all.amount, summary.active.amount, summary.expired.amount, summary.all.count],
    [200, 100, 100, 2],
  )
})

test('a method is not taken from a link and paid by at once', async (t) => {
  const api = await openTestApi(t)
  const anna = await api.merchant()
  for (let round = 0; round < 10; round += 1) {
    const link = await linkOf(api, anna)
    const body = { payment_methods: ['BOLETO'] }
    const [paid, changed] = await Promise.all([
      payBy(api, link),
      api.ask('PUT', `${LINKS}/${link.id}`, { token: anna.token, body }),
    ])
    t.deepEqual([paid.status, changed.status].sort(), [200, 422])
    t.is((await openBy(api, link)).body.payment_link.payment_methods.includes('PIX'), paid.status === 200)
  }
})
