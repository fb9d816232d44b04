import test from 'ava'
import { errorsOf, openTestApi, worked } from '../test-api.ts'

const PATH = '/public/charges'
const DOCUMENT = '12345678909'

test('who owes sees what they owe whomever, and nobody else anything', async (t) => {
  const api = await openTestApi(t)
  const [one, two] = [await api.merchant(), await api.merchant('rui@example.com')]
  const first = await api.charge(one)
  api.clock.advance(1)
  const second = await api.charge(two, { payment_method: 'BOLEPIX' })
  api.clock.advance(1)
  const paid = await api.charge(one)
  worked(await api.pay(paid.pix.txid))
  const deleted = await api.charge(one)
  worked(await api.ask('DELETE', `/invoices/${deleted.id}`, { token: one.token }))
  await api.charge(one, { document: '52998224725' })

  const empty = await api.ask('GET', PATH)
  t.deepEqual(empty.body.charges, { data: [], meta: { current_page: 1, per_page: 15, total: 0, last_page: 1 } })
  for (const client of [DOCUMENT, '123.456.789-09']) {
    const { charges } = worked(await api.ask('GET', `/api${PATH}?client=${client}`))
    t.deepEqual(
      charges.data.map(({ id }: typeof charges) => id),
      [second.id, first.id],
    )
    t.is(charges.meta.total, 2)
    t.deepEqual(charges.data[1].client, { name: first.client.name, document: DOCUMENT, email: 'm***@example.com' })
  }
  const { charges: page } = worked(await api.ask('GET', `${PATH}?client=${DOCUMENT}&per_page=1&page=2`))
  t.deepEqual(
    page.data.map(({ id }: typeof page) => id),
    [first.id],
  )
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

test('a document that nobody has, or is none, is named', async (t) => {
  const api = await openTestApi(t)
  for (const client of ['52998224725', '123', 'abc', '%_.*']) {
    const answer = await api.ask('GET', `${PATH}?client=${encodeURIComponent(client)}`)
    t.is(answer.status, 422, client)
    t.deepEqual(Object.keys(errorsOf(answer)), ['client'])
  }
  t.is((await api.ask('GET', `${PATH}?per_page=501`)).status, 422)
})

test('a hundred unknown documents within an hour are all that an address tries, and no other address is held up', async (t) => {
  const api = await openTestApi(t, { env: { TRUST_PROXY: 'true' } })
  await api.charge(await api.merchant())
  const [guesser, payer] = ['203.0.113.7', '198.51.100.9']
  const listed = (client: string, address: string) =>
    api.ask('GET', `${PATH}?client=${client}`, { headers: { 'x-forwarded-for': address } })
  // Half at once: no try is lost.
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
