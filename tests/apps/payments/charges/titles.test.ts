// Also runs on MongoDB, in test:long.
import { isValidBoleto } from '@brazilian-utils/brazilian-utils'
import test, { type ExecutionContext } from 'ava'
import { parsePix } from 'pix-utils'
import { fakeBank } from '../../../../adapters/bank/fake/bank.ts'
import { titles as bankTitles, titles } from '../../../../adapters/bank/fake/books.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { entries, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { MARIA, openTestApi, worked } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'

test('issues a boleto with valid digits of its charge', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const charge = await api.charge(merchant, { payment_method: 'BOLETO', webhook: HOOK, value: 1234.56 })
  const { boleto } = charge
  t.is(charge.pix, null)
  t.like(charge, { payment_method: 'BOLETO', value: 1234.56, status: { title: 'pending' } })
  t.true(isValidBoleto(boleto.digitableLine))
  t.regex(boleto.barcode, /^7489\d16460000123456112620000/)
  t.regex(boleto.nosso_numero, /^262\d{6}$/)
  t.is(boleto.status, 'issued')
  t.is(boleto.pathPDF, `https://pay.example.com/storage/boletos/boleto_${boleto.txid}.pdf`)
  await api.drain()
  t.deepEqual(
    api.told(HOOK).map(({ type, data }) => [type, data.boleto.digitableLine]),
    [['charge.created', boleto.digitableLine]],
  )
  const { body } = await api.ask('GET', `/invoices?search=${boleto.nosso_numero}`, { token: merchant.token })
  t.deepEqual(
    body.data.map(({ id }: { id: number }) => id),
    [charge.id],
  )
})

test('credits a boleto once with its fee, however often the bank notifies', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { boleto_in: 2.5, pix_in: 1 } } })
  const { id, boleto } = await api.charge(merchant, { payment_method: 'BOLETO', webhook: HOOK })
  for (const method of ['boleto', 'pix', undefined]) {
    const { status, body } = await api.pay(boleto.txid, { method })
    t.deepEqual([status, body], [200, { end_to_end_id: boleto.nosso_numero, status: 'confirmed' }])
  }
  const lines = await api.every(entries)
  t.deepEqual(
    lines.map(({ typeId, valueCents, endToEnd, txid }) => [typeId, valueCents, endToEnd, txid]),
    [
      [6, 15_050, boleto.nosso_numero, boleto.txid],
      [9, -250, boleto.nosso_numero, boleto.txid],
    ],
  )
  const shown = await api.ask('GET', `/invoices/${id}`, { token: merchant.token })
  t.like(shown.body.data, { status: { title: 'paid' }, amount_paid: 150.5, boleto: { status: 'paid' } })
  await api.drain()
  t.deepEqual(
    api.told(HOOK).map(({ type }) => type),
    ['charge.created', 'charge.paid'],
  )
})

test('marks a bolepix paid by its Pix as paidwithpix, and credits and notifies a second payment', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { bolepix: 3, boleto: 9, pix_in: 1 } } })
  const { id, boleto, pix } = await api.charge(merchant, { payment_method: 'BOLEPIX', webhook: HOOK })
  t.is(pix.txid, boleto.txid)
  t.like(parsePix(pix.qrcode), { type: 'STATIC', transactionAmount: 150.5, txid: pix.txid })
  t.true(isValidBoleto(boleto.digitableLine))
  await api.pay(pix.txid)
  const read = async () => (await api.ask('GET', `/invoices/${id}`, { token: merchant.token })).body.data
  t.like(await read(), { status: { id: 7, title: 'paidwithpix' }, amount_paid: 150.5, boleto: { status: 'paid' } })
  await api.pay(pix.txid, { method: 'boleto' })
  t.like(await read(), { status: { title: 'paidwithpix' }, amount_paid: 301 })
  t.deepEqual(
    (await api.every(entries)).map(({ typeId, valueCents }) => [typeId, valueCents]),
    [
      [11, 15_050],
      [12, -300],
      [11, 15_050],
      [12, -300],
    ],
  )
  await api.drain()
  t.deepEqual(
    api.told(HOOK).map(({ type }) => type),
    ['charge.created', 'charge.paid', 'pix.received'],
  )
})

test('reserves the issue fee of a boleto before the request, posts it with the title, and releases it on failure', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const { token } = merchant
  const { pix } = await api.charge(merchant, { value: 10 })
  await api.pay(pix.txid)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { boleto: 6 } } })
  const book = async () => (await api.every(ledgerAccounts)).find(({ id }) => id === `${merchant.id}:main`)
  const issue = (over = {}) =>
    api.ask('POST', '/invoices', {
      token,
      body: { value: 50, payment_method: 'BOLETO', due_date: '2026-11-30', client_id: 1, ...over },
    })

  await api.fail('create_boleto', 'refuse')
  t.is((await issue()).status, 400)
  t.like(await book(), { balanceCents: 1_000, availableCents: 1_000 })

  await api.fail('create_boleto', 'timeout_lost')
  const unknown = await issue()
  t.deepEqual([unknown.status, unknown.body.data.boleto], [200, null])
  t.like(await book(), { balanceCents: 1_000, availableCents: 400 })
  const short = await issue()
  t.deepEqual([short.status, short.body.errors], [422, { value: ['Saldo insuficiente para a tarifa de emissão.'] }])

  api.clock.advance(120)
  await api.drain()
  t.like(await book(), { balanceCents: 400, availableCents: 400 })
  const [, fee] = await api.every(entries)
  t.like(fee, { typeId: 9, valueCents: -600, chargeId: unknown.body.data.id })
  t.is((await issue()).status, 422)
})

test('fails a charge whose boleto has other digits, closes its title and releases the fee', async (t) => {
  const instead = (host: Host) => {
    const plain = fakeBank(host)
    const createTitle: typeof plain.createTitle = async (order) => {
      const answer = await plain.createTitle(order)
      if (answer.outcome !== 'done' || answer.value.boleto === null) return answer
      const barcode = answer.value.boleto.barcode.replace(/.$/, (last) => `${(Number(last) + 1) % 10}`)
      return { ...answer, value: { ...answer.value, boleto: { ...answer.value.boleto, barcode } } }
    }
    return { bank: { ...plain, createTitle } }
  }
  const api = await openTestApi(t, { instead })
  const merchant = await api.merchant()
  const { token } = merchant
  const { pix } = await api.charge(merchant, { value: 10 })
  await api.pay(pix.txid)
  await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { boleto: 6 } } })
  const body = { value: 50, payment_method: 'BOLETO', due_date: '2026-11-30', client_id: 1 }
  const refused = await api.ask('POST', '/invoices', { token, body })
  t.is(refused.status, 400)
  t.regex(refused.body.message, /O banco devolveu um título que não confere com a cobrança/)
  await api.drain()
  const { data } = (await api.ask('GET', '/invoices?status_id=5', { token })).body
  t.is(data.length, 1)
  t.like(data[0], { boleto: null, status: { title: 'failed' } })
  const book = (await api.every(ledgerAccounts)).find(({ id }) => id === `${merchant.id}:main`)
  t.like(book, { balanceCents: 1_000, availableCents: 1_000 })
  const titles = await api.every(bankTitles)
  t.deepEqual(
    titles.filter(({ boleto }) => boleto !== null).map(({ status }) => status),
    ['cancelled'],
  )
})

test('accepts a boleto or bolepix thirty days after its due day, with interest from a business day', async (t) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const terms = { value: 100, amount_rate: 1, type_rate: 'ABSOLUTE', due_date: '2026-12-05' }
  const { id, code } = await api.charge(merchant, { payment_method: 'BOLEPIX', ...terms })
  const days = [
    ['2026-12-05T12:00:00.000Z', 100],
    ['2026-12-07T12:00:00.000Z', 100],
    ['2026-12-08T12:00:00.000Z', 101],
    ['2027-01-05T02:59:59.999Z', 128],
  ] as const
  for (const [instant, due] of days) {
    api.clock.set(instant)
    const { body } = await api.ask('GET', `/public/charge?code=${code}`)
    t.is(body.charge.status.title, 'pending', instant)
    t.like(parsePix(body.charge.pix.qrcode), { transactionAmount: due }, instant)
  }
  api.clock.set('2027-01-05T03:00:00.000Z')
  const { token } = await api.again(merchant)
  t.is((await api.ask('GET', `/invoices/${id}`, { token })).body.data.status.title, 'expired')
})

for (const [payment_method, value] of [
  ['BOLETO', 99_999_999.99],
  ['BOLEPIX', 99_999_999.99],
  ['PIX', 9_999_999_999.99],
] as const) {
  test(`issues a ${payment_method} of at most ${value}`, async (t) => {
    const api = await openTestApi(t)
    const merchant = await api.merchant()
    t.is((await api.charge(merchant, { payment_method, value })).value, value)
    const body = { value: value + 0.01, payment_method, due_date: '2026-11-30', client_id: 1 }
    const more = await api.ask('POST', '/invoices', { token: merchant.token, body })
    t.deepEqual([more.status, Object.keys(more.body.errors)], [422, ['value']])
  })
}

const TODAY = '2026-11-23'
/** From five past ten in São Paulo to past midnight, within the life of a key. */
const NEXT_DAY_SECONDS = 14 * 3_600
/** Longer than every retry interval. */
const LATER_SECONDS = 4 * 3_600

/** Issues a charge due today without an answer of the bank. */
const unanswered = async (t: ExecutionContext, mode: 'timeout' | 'timeout_lost') => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const body = { ...MARIA, due_date: TODAY, webhook: HOOK }
  const headers = { 'idempotency-key': 'k' }
  const issue = async () => api.ask('POST', '/invoices', { token: (await api.again(merchant)).token, body, headers })
  await api.fail('create_pix', mode)
  const first = await issue()
  t.like(worked(first).data, { status: { title: 'pending' }, pix: null })
  const [charge] = await api.every(charges)
  return {
    ...api,
    issue,
    first,
    txid: charge?.txid ?? '',
    told: () => api.told(HOOK).map(({ type }) => type),
    states: async () =>
      Object.fromEntries((await api.every(bankOperations)).map(({ kind, state }) => [kind, state] as const)),
    status: async () => (await api.every(charges)).map(({ status, operationId }) => [status, operationId]),
    titled: async () => (await api.every(titles)).map(({ status }) => status),
  }
}

test('closes a title of a charge that has expired meanwhile, without a notification', async (t) => {
  const { clock, drain, told, titled, status, states, issue, first } = await unanswered(t, 'timeout')
  clock.advance(NEXT_DAY_SECONDS)
  await drain()
  t.deepEqual(await titled(), ['cancelled'])
  t.deepEqual(await status(), [['expired', null]])
  t.like(await states(), { 'create-title': 'done', 'cancel-title': 'done' })
  clock.advance(LATER_SECONDS)
  await drain()
  t.deepEqual(told(), ['charge.expired'])
  t.is((await issue()).text, first.text)
})

test('stops asking for an unknown title once its charge has expired', async (t) => {
  const { clock, drain, told, titled, status, states } = await unanswered(t, 'timeout_lost')
  clock.advance(NEXT_DAY_SECONDS)
  await drain()
  t.like(await states(), { 'create-title': 'asking' }, 'what was sent may still be on its way')
  for (let waits = 0; waits < 3; waits += 1) {
    clock.advance(3_600)
    await drain()
  }
  t.like(await states(), { 'create-title': 'withdrawn' })
  t.deepEqual(await titled(), [])
  t.deepEqual(await status(), [['expired', null]])
  t.deepEqual(told(), ['charge.expired'])
})

test('retries a cancellation until the bank answers', async (t) => {
  const { clock, drain, titled, fail, states, status } = await unanswered(t, 'timeout')
  await fail('cancel_title', 'timeout_lost', 3)
  clock.advance(NEXT_DAY_SECONDS)
  await drain()
  for (const wait of [10, 20]) {
    t.deepEqual(await titled(), ['open'])
    t.like(await states(), { 'cancel-title': 'asking' })
    clock.advance(wait)
    await drain()
  }
  clock.advance(40)
  await drain()
  t.deepEqual(await titled(), ['cancelled'])
  t.deepEqual(await status(), [['expired', null]])
})

test('notifies only of the cancellation if the bank cancels before it answers for the title', async (t) => {
  const { clock, drain, told, ask, txid, states, status } = await unanswered(t, 'timeout')
  worked(await ask('POST', '/fake-bank/cancellations', { body: { txid } }))
  clock.advance(5)
  await drain()
  t.deepEqual(told(), ['charge.cancelled'])
  t.deepEqual(await status(), [['cancelled', null]])
  t.is((await states())['cancel-title'], undefined, 'it is closed already')
})
