import test from 'ava'
import { clients } from '../../../../core/payments/customers/client.ts'
import { errorsOf, openTestApi, worked } from '../test-api.ts'

const PATHS = ['/legacypay/pix/create', '/legacypay/pix/qrcode', '/legacypay/pix/qrcode-fixo']
const MARIA = { name: 'Maria da Silva', email: 'maria@example.com', document: '12345678909' }

test('a Pix is a charge that is due today, whoever pays it', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const { token } = merchant
  for (const path of PATHS) {
    const { status, body } = await api.ask('POST', path, { token, body: { amount: 10.5 } })
    t.is(status, 201)
    t.deepEqual(Object.keys(body).sort(), ['pix', 'success'])
    t.true(body.pix.image.startsWith('data:image/png;base64,'))
    const shown = worked(await api.ask('GET', `/legacypay/pix/${body.pix.txid}`, { token }))
    t.deepEqual(
      [shown.name, shown.email, shown.document, shown.status, shown.value],
      [null, null, null, 'pending', 10.5],
    )
    const { data } = worked(await api.ask('GET', `/invoices/${body.pix.id}`, { token }))
    t.deepEqual([data.due_date, data.payment_method], ['2026-11-23', 'PIX'])
  }
  t.is((await api.every(clients)).length, 1)
})

test('who is named whole is attached, and who is not is dropped; its webhook hears that it was paid', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const { token } = merchant
  const webhook = 'https://loja.example/pix'
  const { pix } = worked(await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 1, webhook, ...MARIA } }))
  const { name, email, document } = worked(await api.ask('GET', `/legacypay/pix/${pix.txid}`, { token }))
  t.deepEqual({ name, email, document }, MARIA)
  const { email: __, ...part } = MARIA
  const dropped = worked(await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 1, ...part } })).pix
  t.is(worked(await api.ask('GET', `/legacypay/pix/${dropped.txid}`, { token })).name, null)
  worked(await api.pay(pix.txid))
  t.is(worked(await api.ask('GET', `/legacypay/pix/${pix.txid}`, { token })).status, 'paid')
  await api.drain()
  const told = api.told(webhook)
  const typesOf = (all: typeof told) => all.map(({ type }) => type)
  t.deepEqual(typesOf(told), ['charge.created', 'charge.paid', 'pix.received'])
  t.like(told[2]?.data, { id: pix.id, amount_paid: 1, status: { title: 'paid' } })
  // A further payment is one more, as of any charge, and one that was not asked for here tells of its payment alone.
  api.clock.advance(1)
  worked(await api.pay(pix.txid))
  const other = await api.charge(merchant, { webhook: `${webhook}/outro` })
  worked(await api.pay(other.pix.txid))
  await api.drain()
  t.deepEqual(typesOf(api.told(webhook)).slice(3), ['pix.received'])
  t.deepEqual(typesOf(api.told(`${webhook}/outro`)), ['charge.created', 'charge.paid'])
})

test('what is wrong is named, what is not there is null, and a bank that fails is 500', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const stranger = await api.merchant('rui@example.com')
  const { token, id } = merchant
  worked(await api.ask('PUT', `/fake-bank/accounts/${id}`, { body: { limits: { charge_min: 5 } } }))
  for (const [body, field] of [
    [{}, 'amount'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 4.99 }, 'amount'],
    [{ amount: 10, name: 'x'.repeat(101) }, 'name'],
    [{ amount: 10, webhook: 'ftp://x' }, 'webhook'],
  ] as const) {
    const answer = await api.ask('POST', PATHS[0] ?? '', { token, body })
    t.is(answer.status, 422, JSON.stringify(body))
    t.true(field in errorsOf(answer), answer.text)
  }
  t.is((await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 5 } })).status, 201)
  for (const mode of ['refuse', 'unavailable']) {
    await api.fail('create_pix', mode)
    t.is((await api.ask('POST', PATHS[0] ?? '', { token, body: { amount: 5 } })).status, 500)
  }
  const { pix } = worked(await api.ask('POST', PATHS[0] ?? '', { token: stranger.token, body: { amount: 5 } }))
  for (const txid of [pix.txid, 'nenhum']) {
    const { status, body } = await api.ask('GET', `/legacypay/pix/${txid}`, { token })
    t.is(status, 404)
    const { error_code: _, ...rest } = body
    t.deepEqual(rest, { success: false, message: 'Pix não encontrado para esta conta.', data: null })
  }
})
