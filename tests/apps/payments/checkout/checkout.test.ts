import test from 'ava'
import { type Answer, failure, openMerchant, worked } from '../test-api.ts'
import { LINKS, linkOf, payBy } from './payer.ts'

const errorOf = ({ status, body }: Answer) => [status, body.error_code, body.message]
const UNKNOWN = [404, 'link.unknown', 'Link de pagamento não encontrado.']
const WRONG = [401, 'link.token', 'Token do link ausente ou inválido.']
const OVER = [410, 'link.over', 'Este link de pagamento expirou.']

test('shows a link and its payee by its token, in the query or in the header', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const { id, token } = await linkOf(api, anna, { amount: 10 })
  const byQuery = await api.ask('GET', `/public/paymentLink/${id}?token=${token}`)
  const byHeader = await api.ask('GET', `/public/paymentLink/${id}`, { headers: { 'x-link-token': token } })
  t.like(byQuery, { status: 200, body: { payment_link: { amount: 10 }, account: { name: 'Escola Aurora' } } })
  t.deepEqual([byHeader.status, byHeader.body], [200, byQuery.body])
})

test('accepts only the token of the link', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const [one, other] = [await linkOf(api, anna), await linkOf(api, anna)]
  const open = (query: string, headers: Record<string, string> = {}) =>
    api.ask('GET', `/public/paymentLink/${one.id}${query}`, { headers })
  const wrong = ['', 'token=', `token=${other.token}`, `token=${one.token}x`, `token=${one.token.toLowerCase()}`]
  for (const query of [...wrong, 'token=%00', `token=${one.token}&token=${one.token}`])
    t.deepEqual(errorOf(await open(`?${query}`)), WRONG, query)
  // A wrong token in the query is rejected although the header has the right one.
  t.deepEqual(errorOf(await open('?token=x', { 'x-link-token': one.token })), WRONG)
})

test('returns 404 for an unknown link before the token is checked, and 401 for a wrong token before 410 for an ended link', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const { id, token: key } = await linkOf(api, anna, { expires_at: '2026-11-24' })
  const removed = await linkOf(api, anna)
  worked(await api.ask('DELETE', `${LINKS}/${removed.id}`, { token: anna.token }))
  const open = (link: string, token: string) => api.ask('GET', `/public/paymentLink/${link}?token=${token}`)
  for (const link of ['nenhum', '1', removed.id, id.toLowerCase()]) t.deepEqual(errorOf(await open(link, key)), UNKNOWN)
  t.deepEqual(errorOf(await open(removed.id, removed.token)), UNKNOWN)
  api.clock.set('2026-11-25T02:59:59.999Z')
  t.is((await open(id, key)).status, 200)
  api.clock.set('2026-11-25T03:00:00.000Z')
  t.deepEqual(errorOf(await open(id, 'x')), WRONG)
  t.deepEqual(errorOf(await open(id, key)), OVER)
})

test('shows a link of a suspended account, but not of a removed one', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const { id, token: key } = await linkOf(api, anna)
  const open = () => api.ask('GET', `/public/paymentLink/${id}?token=${key}`)
  await api.setStatus(anna, 'SUSPENDED')
  t.is((await open()).status, 200)
  await api.setStatus(anna, 'ACTIVE')
  worked(await api.ask('DELETE', `/v1/organizations/${anna.id}`, { token: anna.token }))
  t.deepEqual(errorOf(await open()), UNKNOWN)
})

test('returns the status of a charge by its code, without the payer', async (t) => {
  const { api, merchant: anna } = await openMerchant(t)
  const { charge_id } = worked(await payBy(api, await linkOf(api, anna))).data
  const [charge] = worked(await api.ask('GET', '/invoices', { token: anna.token })).data
  const path = `/public/payment-status/${charge_id}/charge`
  const { client: _, pix, boleto, ...rest } = charge
  const account = { name: 'Escola Aurora', document: '11222333000181', path_logo: null }
  t.deepEqual(worked(await api.ask('GET', path)).data, { charge: rest, pix, boleto, account })
  const unknown = [`${charge.id}`, charge_id.toLowerCase(), charge.pix.txid]
  for (const code of unknown)
    t.deepEqual(failure(await api.ask('GET', `/public/payment-status/${code}/charge`)), [404, 'charge.unknown'])
  worked(await api.ask('DELETE', `/invoices/${charge.id}`, { token: anna.token }))
  t.deepEqual(failure(await api.ask('GET', path)), [404, 'charge.unknown'])
})
