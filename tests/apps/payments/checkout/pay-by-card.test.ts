// Also runs on MongoDB, in test:long.

import test, { type ExecutionContext } from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { CARDS, CVV } from '../given/cards.ts'
import { failure, openMerchant, openTestApi, pluckAll, statusAndMessage, worked, wrongFields } from '../test-api.ts'
import { LINKS, linkOf, openBy, payBy, shownTo, stranger } from './payer.ts'

const { visa: APPROVED, declined: DECLINED, pending: PENDING } = CARDS
const ADDRESS = {
  zipcode: '01310-100',
  street: 'Avenida Paulista',
  number: '1000',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
}
const byCard = (number: string, more: object = {}) => ({
  payment_method: 'CARD',
  card: { cardholder_name: 'MARIA DA SILVA', card_number: number, expiry: '12/30', cvv: CVV },
  address: ADDRESS,
  ...more,
})

const opened = async (t: ExecutionContext, more: object = {}) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna, more)
  return {
    ...api,
    anna,
    link,
    payTitle: api.pay,
    pay: (number: string, over: object = {}) => payBy(api, link, { ...stranger(), ...byCard(number, over) }),
    byPix: () => payBy(api, link, stranger()),
    open: () => openBy(api, link),
    uses: async (): Promise<number> => (await shownTo(api, anna, link)).uses_count,
    decide: (code: string, outcome: string) => api.ask('POST', '/fake-bank/cards', { body: { code, outcome } }),
  }
}

test('an approved card pays at once, a reviewed one is pending and a declined one fails', async (t) => {
  const api = await opened(t, { success_url: 'https://loja.example/ok' })
  const paid = worked(await api.pay(APPROVED))
  const { charge_id, ...rest } = paid.data
  t.deepEqual(rest, { status: 'PAID', message: 'Pagamento aprovado.', success_url: 'https://loja.example/ok' })
  t.is(await api.uses(), 1)
  const status = worked(await api.ask('GET', `/public/payment-status/${charge_id}/charge`)).data
  t.like(status, { pix: null, boleto: null })
  t.is(status.charge.status.title, 'paid')
  const [charge] = await api.every(charges)
  t.like(charge?.card, { brand: 'visa', last4: '1111', holder: 'MARIA DA SILVA', installments: 1 })
  t.like(worked(await api.pay(PENDING)).data, { status: 'PENDING', message: 'Pagamento em processamento.' })
  const declined = await api.pay(DECLINED)
  t.deepEqual(failure(declined), [400, 'card.declined'])
  t.is(await api.uses(), 1)
  const { data } = worked(await api.ask('GET', `${LINKS}/${api.link.id}/payments`, { token: api.anna.token }))
  const titles = data.map(({ status: { title } }: typeof status.charge) => title).sort()
  t.deepEqual(titles, ['failed', 'paid', 'pending'])
})

test('names each wrong field of a card, with a message of its own for an unsupported brand', async (t) => {
  const api = await opened(t, { installments: 3 })
  const card = (over: object) => ({ ...byCard(APPROVED).card, ...over })
  const wrong: readonly (readonly [over: object, field: string])[] = [
    [{ card: card({ card_number: '4111111111111112' }) }, 'card.card_number'],
    [{ card: null }, 'card'],
    [{ address: null }, 'address'],
    [{ installments: 4 }, 'installments'],
    [{ name: 'Maria 4111-1111 1111.1111' }, 'name'],
    [{ address: { ...ADDRESS, district: '４１１１ 1111 1111 1111' } }, 'address.district'],
    [{ card: card({ expiry: '4111111111111111' }) }, 'card.expiry'],
  ]
  for (const [over, field] of wrong) {
    const refused = await api.pay(APPROVED, over)
    t.deepEqual(wrongFields(refused), [field])
    t.notRegex(refused.text, /1111/)
  }
  t.deepEqual(statusAndMessage(await api.pay('6362970000457013')), [422, 'Bandeira não suportada'])
  t.deepEqual(await api.every(charges), [])
  worked(await api.pay(APPROVED, { installments: 3, card: card({ expiry: '11/26' }) }))
  t.is((await api.every(charges))[0]?.card?.installments, 3)
})

test('a reviewed card reserves the last use, which is released if it is declined and spent if it is approved', async (t) => {
  const api = await opened(t, { max_uses: 1 })
  const { pix } = worked(await api.byPix()).data
  const first = worked(await api.pay(PENDING)).data
  for (const refused of [await api.pay(APPROVED), await api.pay(PENDING), await api.byPix()]) {
    t.deepEqual(failure(refused), [400, 'link.processing'])
    t.is(refused.body.message, 'Já há um pagamento em processamento neste link. Aguarde a resposta.')
  }
  t.is((await api.open()).status, 200)
  t.is((await api.decide(first.charge_id, 'decline')).status, 204)
  const second = worked(await api.pay(PENDING)).data
  t.deepEqual(failure(await api.pay(APPROVED)), [400, 'link.processing'])
  t.is((await api.decide(second.charge_id, 'approve')).status, 204)
  t.deepEqual(failure(await api.pay(APPROVED)), [410, 'link.paid'])
  t.is(await api.uses(), 1)
  // An earlier Pix charge reserves no use, and its payment is accepted.
  worked(await api.payTitle(pix.txid))
  t.is(await api.uses(), 2)
})

test('a declined card releases its use at once, and so does a deleted pending one', async (t) => {
  const api = await opened(t, { max_uses: 1 })
  t.deepEqual(failure(await api.pay(DECLINED)), [400, 'card.declined'])
  t.deepEqual(failure(await api.pay(DECLINED)), [400, 'card.declined'])
  worked(await api.pay(PENDING))
  const { data } = worked(await api.ask('GET', '/invoices?status_id=1', { token: api.anna.token }))
  worked(await api.ask('DELETE', `/invoices/${data[0].id}`, { token: api.anna.token }))
  t.is(worked(await api.pay(APPROVED)).data.status, 'PAID')
  t.deepEqual(failure(await api.pay(APPROVED)), [410, 'link.paid'])
})

test('a card without an answer of its acquirer stays pending and reserves its use until the outcome is known', async (t) => {
  const api = await opened(t, { max_uses: 1 })
  await api.fail('charge_card', 'timeout')
  t.is(worked(await api.pay(APPROVED)).data.status, 'PENDING')
  t.deepEqual(failure(await api.pay(APPROVED)), [400, 'link.processing'])
  await api.drain(120)
  t.is(await api.uses(), 1)
  t.deepEqual(failure(await api.pay(APPROVED)), [410, 'link.paid'])
})

test('credits a Pix that is simultaneous with a card, whatever the outcome of the card', async (t) => {
  const api = await opened(t, { max_uses: 1 })
  const { pix } = worked(await api.byPix()).data
  const [card, notice] = await Promise.all([api.pay(APPROVED), api.payTitle(pix.txid)])
  t.is(notice.status, 200)
  t.true(card.status === 200 || card.status === 410, card.text)
  t.is(await api.uses(), card.status === 200 ? 2 : 1)
  const { balance } = worked(await api.ask('GET', '/consolidation/balance', { token: api.anna.token }))
  t.is(balance, 100)
  t.deepEqual(failure(await api.open()), [410, 'link.paid'])
})

test('stores a failed charge without a use of the link if the bank rejects or is unavailable', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna, { max_uses: 1 })
  for (const [mode, code] of [
    ['refuse', 'bank.refused'],
    ['unavailable', 'bank.unavailable'],
  ] as const) {
    await api.fail('create_pix', mode)
    t.deepEqual(failure(await payBy(api, link)), [400, code])
    await api.fail('create_boleto', mode)
    t.deepEqual(failure(await payBy(api, link, { payment_method: 'BOLETO' })), [400, code])
  }
  t.deepEqual(
    pluckAll(await api.every(charges), 'status', 'linkId'),
    Array.from({ length: 4 }, () => ['failed', link.id]),
  )
  t.is((await shownTo(api, anna, link)).uses_count, 0)
  t.is((await payBy(api, link)).status, 200)
})

test('returns the code of the charge before the bank answers, and its Pix afterwards', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const link = await linkOf(api, anna)
  await api.fail('create_pix', 'timeout')
  const { charge_id, pix } = worked(await payBy(api, link)).data
  t.is(pix, null)
  const status = async () => worked(await api.ask('GET', `/public/payment-status/${charge_id}/charge`)).data
  t.like(await status(), { pix: null })
  await api.drain(120)
  const { pix: made } = await status()
  t.is(made.status, 'pending')
  worked(await api.pay(made.txid))
  t.is((await status()).charge.status.title, 'paid')
})

test('accepts a payment after the link expired or was removed, or its account was suspended', async (t) => {
  const api = await openTestApi(t)
  let anna = await api.merchant()
  const over = await linkOf(api, anna, { expires_at: '2026-11-24' })
  const [removed, suspended] = [await linkOf(api, anna), await linkOf(api, anna)]
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

test('rejects one of a simultaneous removal of a method and payment by it', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
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
