// Also runs on MongoDB, in test:long.

import test, { type ExecutionContext } from 'ava'
import { chargedCards } from '../../../../adapters/bank/fake/books.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { entries, journals, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import type { Acquirer } from '../../../../core/ports/acquirer.ts'
import { CARDS, cardBody } from '../given/cards.ts'
import { failure, openMerchant, pluck, pluckAll, type TestApi, worked } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'
/** Longer than the lease of an operation. */
const LATER_SECONDS = 120

/** Opens an account with a card fee of 2.99 percent, and functions that read its charges. */
const opened = async (t: ExecutionContext, fee = 2.99, instead?: (host: Host) => { readonly acquirer: Acquirer }) => {
  const { api, merchant } = await openMerchant(t, instead && { instead })
  const setFee = async (percent: number) =>
    worked(await api.ask('PUT', `/fake-bank/accounts/${merchant.id}`, { body: { taxes: { fee: percent } } }))
  await setFee(fee)
  const { token } = merchant
  const issue = (number: string, over = {}, headers = {}) =>
    api.ask('POST', '/invoices', { token, body: cardBody(number, { webhook: HOOK, ...over }), headers })
  return {
    ...api,
    token,
    setFee,
    issue,
    decide: (code: string, outcome: string) => api.ask('POST', '/fake-bank/cards', { body: { code, outcome } }),
    show: (id: number) => api.ask('GET', `/invoices/${id}`, { token }),
    types: () => api.told(HOOK).map(({ type }) => type),
  }
}

const statesOf = async (api: TestApi) => ({
  charges: (await api.every(charges)).map(({ status, operationId }) => `${status} ${operationId === null}`),
  acquirer: (await api.every(chargedCards)).map(({ status }) => status),
  operations: (await api.every(bankOperations))
    .filter(({ kind }) => kind !== 'open-account')
    .map(({ kind, state }) => `${kind} ${state}`)
    .sort(),
})

const bookedBy = async (api: TestApi) =>
  (await api.every(entries)).map(({ book, typeId, status, valueCents, balanceCents }) =>
    [book, typeId, status, valueCents, balanceCents].join(' '),
  )

test('returns paid for an approved card, and posts its net amount in the same commit', async (t) => {
  const api = await opened(t)
  const body = worked(await api.issue(CARDS.visa, { installments: 12 }))
  t.like(body.data, {
    value: 150.5,
    amount_paid: 150.5,
    payment_date: '2026-11-23',
    status: { id: 2, title: 'paid', description: 'Pago' },
    payment_method: 'CREDIT_CARD',
    pix: null,
    boleto: null,
  })
  // 2.99% of 150.50 is 4.50 after 145.99995 was rounded half up.
  t.deepEqual(await bookedBy(api), ['1:card 16 5 14600 14600'])
  const [journal, ...more] = await api.every(journals)
  t.deepEqual(more, [])
  t.deepEqual(journal?.legs, [
    { book: '1:card', cents: 14_600 },
    { book: '1:receivable', cents: -14_600 },
    { book: '1:receivable', cents: -450 },
    { book: '1:fees', cents: 450 },
  ])
  const [charge] = await api.every(charges)
  t.like(charge?.card, {
    brand: 'visa',
    last4: '1111',
    holder: 'MARIA DA SILVA',
    installments: 12,
    feeCents: 450,
    netCents: 14_600,
  })
  t.is(charge?.lapsesAt, null)
  await api.drain()
  const told = api.told(HOOK)
  t.deepEqual(pluck(told, 'type'), ['charge.created', 'charge.paid'])
  t.true(told[0].timestamp < told[1].timestamp)
  t.like(api.told(HOOK).find(({ type }) => type === 'charge.paid')?.data, { amount_paid: 150.5 })
  // Card sales are not part of the available balance.
  t.deepEqual(pluckAll(await api.every(ledgerAccounts), 'id', 'balanceCents'), [
    ['1:card', 14_600],
    ['1:main', 0],
  ])
})

const nets: readonly (readonly [value: number, fee: number, net: number, cost: number])[] = [
  [100, 2.5, 9_750, 250],
  [0.01, 0, 1, 0],
  [0.01, 50, 1, 0],
  [0.01, 51, 0, 1],
  [10.1, 5, 960, 50],
  [9_999_999_999.99, 3.33, 966_699_999_999, 33_300_000_000],
  [1, 100, 0, 100],
]
test('posts the net amount and the fee of a card, rounded half up to the cent', async (t) => {
  const api = await opened(t, 0)
  for (const [value, fee, net, cost] of nets) {
    await api.setFee(fee)
    const { data } = worked(await api.issue(CARDS.mastercard, { value }))
    const journal = (await api.every(journals)).find(({ cause }) => cause === `card:${data.code}`)
    const centsOf = (book: string) => journal?.legs.find((leg) => leg.book === book)?.cents ?? 0
    t.deepEqual([centsOf('1:card'), centsOf('1:fees')], [net, cost], `${value} at ${fee} %`)
    const sum = journal?.legs.reduce((cents, leg) => cents + leg.cents, 0)
    t.is(sum, 0)
  }
})

test('charges a card less the discount of the day', async (t) => {
  const api = await opened(t, 0)
  const { data } = worked(await api.issue(CARDS.visa, { value: 100, discount: 10, type_discount: 'PERCENTAGE' }))
  t.like(data, { value: 100, amount_paid: 90 })
  t.deepEqual(await bookedBy(api), ['1:card 16 5 9000 9000'])
})

test('rejects texts that contain the digits of the card, without repeating or storing them', async (t) => {
  const api = await opened(t)
  const digits = '5555 5555 5555 4444'
  const { card, address } = cardBody(CARDS.mastercard)
  const wrong: readonly (readonly [over: object, field: string])[] = [
    [{ document: digits }, 'document'],
    [{ description: `a ${digits}` }, 'description'],
    [{ email: '5555555555554444@loja.example' }, 'email'],
    [{ webhook: 'https://loja.example/5555-5555%205555-4444' }, 'webhook'],
    [{ address: { ...address, zipcode: 5555555555554444 } }, 'address.zipcode'],
    [{ card: { ...card, cardholder_name: digits } }, 'card.cardholder_name'],
    [{ ignored: { deep: ['x', `n. ${digits}`] } }, 'ignored.deep.1'],
    [{ [digits]: 'x' }, '***'],
    [{ payment_method: 'PIX', description: digits }, 'description'],
  ]
  for (const [over, field] of wrong) {
    const { status, body, text } = await api.issue(CARDS.mastercard, over)
    t.deepEqual([status, Object.keys(body.errors)], [422, [field]])
    t.notRegex(text, /5555/)
  }
  t.deepEqual(await api.every(charges), [])
  t.notRegex(JSON.stringify(await api.everything()), /5555.?5555/)
  worked(await api.issue(CARDS.mastercard, { description: 'Pedido 5555 4444 de 5555' }))
})

const failures: readonly (readonly [what: string, fault: string | null, code: string, acquirer: readonly string[]])[] =
  [
    ['a declined card', null, 'card.declined', ['declined']],
    ['a refusal', 'refuse', 'card.declined', []],
    ['no answer of the acquirer', 'unavailable', 'bank.unavailable', []],
  ]
for (const [what, fault, code, acquirer] of failures)
  test(`returns 400 ${code} after ${what}, and stores and notifies a failed charge`, async (t) => {
    const api = await opened(t)
    if (fault) await api.fail('charge_card', fault)
    const answer = await api.issue(fault ? CARDS.visa : CARDS.declined)
    t.deepEqual(failure(answer), [400, code])
    if (!fault) t.is(answer.body.message, 'O cartão não foi aprovado: Não autorizado pelo emissor.')
    t.like(await statesOf(api), { charges: ['failed true'], acquirer, operations: ['charge-card refused'] })
    await api.drain()
    t.deepEqual([api.types(), await bookedBy(api)], [['charge.failed'], []])
    worked(await api.issue(CARDS.visa))
  })

test("returns 200 with a pending charge after a time-out, and posts the acquirer's result once", async (t) => {
  const api = await opened(t)
  await api.fail('charge_card', 'timeout')
  const key = { 'idempotency-key': 'k' }
  const first = await api.issue(CARDS.visa, {}, key)
  t.like(worked(first).data, { status: { title: 'pending' }, amount_paid: null })
  t.is((await api.issue(CARDS.visa, {}, key)).text, first.text)
  await api.drain(5)
  t.like(await statesOf(api), { charges: ['paid true'], operations: ['charge-card done'] })
  await api.drain(LATER_SECONDS)
  t.is((await bookedBy(api)).length, 1)
  t.deepEqual(api.types().sort(), ['charge.created', 'charge.paid'])
})

test('keeps a pending card pending past its due day until the acquirer decides', async (t) => {
  const api = await opened(t)
  const { data } = worked(await api.issue(CARDS.pending, { due_date: '2026-11-23' }))
  t.is(data.status.title, 'pending')
  await api.drain()
  t.deepEqual(api.types(), ['charge.created'])
  await api.drain(300 * 86_400)
  t.like(await statesOf(api), { charges: ['pending true'] })
  t.is((await api.decide(data.code, 'approve')).status, 204)
  await api.drain()
  t.deepEqual(api.types().sort(), ['charge.created', 'charge.paid'])
  const [charge] = await api.every(charges)
  t.like(charge, { status: 'paid', amountPaidCents: 15_050 })
  t.is((await bookedBy(api)).length, 1)
  // Neither a second decision, nor one of an unknown charge.
  t.is((await api.decide(data.code, 'approve')).status, 404)
  t.is((await api.decide('nobodyKnowsThis', 'approve')).status, 404)
})

test('voids a pending card before its charge is deleted, and then rejects its approval', async (t) => {
  const api = await opened(t)
  const { data } = worked(await api.issue(CARDS.pending))
  const deleted = await api.ask('DELETE', `/invoices/${data.id}`, { token: api.token })
  t.deepEqual([deleted.status, deleted.body.data.status.title], [200, 'DELETED'])
  t.like(await statesOf(api), { charges: ['DELETED true'], acquirer: ['voided'] })
  t.is((await api.decide(data.code, 'approve')).status, 404)
  t.is((await api.ask('DELETE', `/invoices/${data.id}`, { token: api.token })).status, 200)
  await api.drain()
  t.deepEqual(api.types().sort(), ['charge.created', 'charge.deleted'])
})

test('changes nothing if the acquirer does not void a card', async (t) => {
  const api = await opened(t)
  const { data } = worked(await api.issue(CARDS.pending))
  await api.fail('cancel_title', 'refuse')
  t.is((await api.ask('DELETE', `/invoices/${data.id}`, { token: api.token })).status, 400)
  t.like(await statesOf(api), { charges: ['pending true'], acquirer: ['pending'] })
  t.is((await api.decide(data.code, 'approve')).status, 204)
  t.like(await statesOf(api), { charges: ['paid true'] })
})
