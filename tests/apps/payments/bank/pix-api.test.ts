// Also runs on MongoDB, in test:long.

import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { cursors, type Notice, notices } from '../../../../adapters/bank/pix-api/notices.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { inbox } from '../../../../core/payments/inbox/inbox.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { differences, reconciliations } from '../../../../core/payments/reconciliation/records.ts'
import { transfers } from '../../../../core/payments/transfers/transfer.ts'
import { withdrawals } from '../../../../core/payments/withdrawals/withdrawal.ts'
import { openPixApiServer, PIX_KEY } from '../../../adapters/bank/pix-api/pix-api-server.ts'
import { FULL, printSeed, SEED } from '../../../size.ts'
import { cardBody } from '../given/cards.ts'
import { failure, MARIA, type Merchant, NOW, openTestApi, PASSWORD, pluck, type TestApi, worked } from '../test-api.ts'
import { BANK } from '../withdrawals/withdrawing.ts'

const UNSUPPORTED = { message: 'Operação não disponível neste banco.', error_code: 'bank.unsupported' }
const HOOK = 'https://merchant.example/hook'

const open = async (t: ExecutionContext, env: Readonly<Record<string, string>> = {}) => {
  const log = memoryLog()
  let now = (): string => NOW
  const server = await openPixApiServer(() => new Date(now()))
  t.teardown(server.close)
  const api = await openTestApi(t, { env: { ...server.env, ...env }, instead: () => ({ log }) })
  now = api.clock.now
  const merchant = await api.merchant()
  // The first sweep sets the time from which payments are listed.
  await api.drain()
  const webhookUrl = server.books.webhook()?.webhookUrl
  const endpoint = webhookUrl === undefined ? null : `${new URL(webhookUrl).pathname}/pix`
  return { server, api, merchant, endpoint, log }
}

const balance = async (api: TestApi, { token }: Merchant): Promise<number> =>
  (await api.ask('GET', '/consolidation/balance', { token })).body.balance

test('issues a Pix at the bank, looks up the payment of its webhook, and credits it once', async (t) => {
  const { server, api, merchant, endpoint } = await open(t)
  const { pix, id } = await api.charge(merchant, { webhook: HOOK })
  t.regex(pix.txid, /^[a-zA-Z0-9]{32}$/)
  t.true(pix.qrcode.includes(`pix.example.com/qr/${pix.txid}`))
  const paid = server.books.receive(15_050, { txid: pix.txid })
  const tell = () => api.ask('POST', endpoint ?? '', { body: { pix: [paid] } })
  const told = await tell()
  t.deepEqual([told.status, told.text], [200, 'ok'])
  t.is(await balance(api, merchant), 0)
  await api.drain()
  t.is(await balance(api, merchant), 150.5)
  for (const _ of [1, 2]) t.is((await tell()).status, 200)
  await api.drain(61)
  t.is(await balance(api, merchant), 150.5)
  const { data } = (await api.ask('GET', `/invoices/${id}`, { token: merchant.token })).body
  t.like(data, { amount_paid: 150.5, status: { title: 'paid' } })
  t.is(api.told(HOOK).filter(({ type }) => type === 'charge.paid').length, 1)
  t.is(server.requests.filter((what) => what === `GET /pix/${paid.endToEndId}`).length, 1)
  t.deepEqual(server.violations, [])
})

/** Case R9: the number of payments, each notified ten times. */
const TOLD_OF = FULL ? 500 : 12
const TOLD_TIMES = 10
const AT_ONCE = 7

test('R9: credits a payment once that is notified ten times in any order', async (t) => {
  t.timeout(900_000)
  printSeed(t)
  const { server, api, merchant, endpoint } = await open(t)
  const paid: ReturnType<typeof server.books.receive>[] = []
  for (let each = 1; each <= TOLD_OF; each += 1) {
    const { pix } = await api.charge(merchant)
    paid.push(server.books.receive(each, { txid: pix.txid }))
  }
  const notices = Array.from({ length: TOLD_TIMES }, () => paid).flat()
  const size = { minLength: notices.length, maxLength: notices.length }
  const [order = []] = fc.sample(fc.shuffledSubarray([...notices.keys()], size), { seed: SEED, numRuns: 1 })
  for (let first = 0; first < order.length; first += AT_ONCE) {
    const pix = order.slice(first, first + AT_ONCE).map((at) => notices[at])
    t.is((await api.ask('POST', endpoint ?? '', { body: { pix } })).status, 200)
    if (first % (10 * AT_ONCE) === 0) await api.drain()
  }
  await api.drain()
  const again = await api.again(merchant)
  t.is(await balance(api, again), (TOLD_OF * (TOLD_OF + 1)) / 200)
  const lines = await api.every(entries)
  t.deepEqual(
    lines.map(({ endToEnd }) => `${endToEnd}`).toSorted(),
    paid.map(({ endToEndId }) => endToEndId).toSorted(),
  )
  t.true((await api.every(charges)).every(({ status }) => status === 'paid'))
  t.deepEqual(server.violations, [])
})

test('finds a payment without a webhook by the sweep, also after failures of the bank', async (t) => {
  const { server, api, merchant, endpoint } = await open(t, { PUBLIC_URL: 'http://pay.example.com', PASSKEYS: 'false' })
  // The bank cannot call an address without TLS.
  t.is(endpoint, null)
  const made = await Promise.all([1, 2, 3].map(() => api.charge(merchant)))
  for (const { pix } of made) server.books.receive(10_000, { txid: pix.txid })
  server.fail({ of: 'GET /pix', answer: { status: 503, text: 'fora do ar' }, times: 2 })
  for (const _ of [1, 2, 3]) await api.drain(61)
  t.is(await balance(api, merchant), 300)
  const lines = (await api.every(entries)).length
  // After half a day without a sweep it continues where it ended.
  api.clock.advance(12 * 3_600)
  server.books.receive(1, { txid: made[0]?.pix.txid })
  const again = await api.again(merchant)
  await api.drain()
  t.is(await balance(api, again), 300.01)
  t.is((await api.every(entries)).length, lines + 1)
  t.is((await api.every(cursors))[0]?.until, api.clock.now())
  t.deepEqual(server.violations, [])
})

/** Returns the count of unreadable records of a kind in `/metrics`. */
const countedIn = async (api: TestApi, kind: string): Promise<string | undefined> =>
  new RegExp(`bank_unreadable_total\\{kind="${kind}",app="payments"\\} (\\d+)`).exec(
    (await api.ask('GET', '/metrics')).text,
  )?.[1]

test('reports an unreadable Pix once, requests it again, lists it in the reconciliation, and credits it once it is readable', async (t) => {
  const { server, api, merchant, log } = await open(t)
  const { endToEndId } = server.books.receive(0, { valor: 'cem' })
  server.books.receive(500)
  server.books.receive(0, { chave: 'outra@example.com', valor: 'x' })
  server.books.receive(0, { endToEndId: 'E-sem-id' })
  for (let asks = 0; asks < 4; asks += 1) await api.drain(61)
  t.true(server.requests.filter((what) => what === `GET /pix/${endToEndId}`).length > 2)
  t.is(await balance(api, merchant), 5)
  const told = async () =>
    (await api.every(inbox.notifications))
      .filter(({ type }) => type === 'bank.unreadable')
      .map(({ data }) => JSON.parse(data).id)
      .sort()
  const reported = ['E-sem-id', endToEndId].sort()
  t.deepEqual(await told(), reported)
  t.deepEqual(log.errors.map(({ facts }) => facts?.id).sort(), reported)
  t.is(await countedIn(api, 'pix'), '2')
  await api.drain('2026-11-24T12:00:00.000Z')
  t.like((await api.every(reconciliations))[0], { id: '2026-11-23', dueAt: null, unanswered: 0 })
  const found = (await api.every(differences)).map(({ what, movementId, accountId }) => [what, movementId, accountId])
  t.deepEqual(
    found.filter(([what, , accountId]) => what === 'unreadable' && accountId !== null).sort(),
    reported.map((id) => ['unreadable', id, merchant.id]).sort(),
  )
  const [first] = server.books.received
  Object.assign(first ?? {}, { valor: '100.00' })
  await api.drain(3_600)
  t.is(await balance(api, await api.again(merchant)), 105)
  t.deepEqual(await told(), reported)
})

test('reports a title with an unreadable answer, and completes it once it is readable', async (t) => {
  const { server, api, merchant, log } = await open(t)
  const unreadable = (body: unknown) => ({ ...Object(body), valor: { original: 'cem' } })
  server.fail({ of: 'PUT /cob', answer: unreadable })
  server.fail({ of: 'GET /cob', answer: unreadable })
  const { id, pix } = await api.charge(merchant)
  t.is(pix, null)
  for (let asks = 0; asks < 3; asks += 1) await api.drain(61)
  const { data } = (await api.ask('GET', `/invoices/${id}`, { token: merchant.token })).body
  t.like(data, { status: { title: 'pending' }, pix: { status: 'pending' } })
  t.deepEqual(log.errors, [
    { message: 'a record of the bank cannot be read', facts: { kind: 'title', id: data.pix.txid } },
  ])
  t.is(await countedIn(api, 'title'), '1')
  t.deepEqual(pluck(await api.every(inbox.notifications), 'type'), ['bank.unreadable'])
})

test('credits a payment without a charge to the account once, and notifies of it', async (t) => {
  const { server, api, merchant, endpoint } = await open(t)
  await api.host.store.commit([patch(accounts, merchant.id, { set: { webhookUrl: HOOK }, when: always })])
  const others = [server.books.receive(700), server.books.receive(300, { txid: 'aberto' })]
  const foreign = server.books.receive(9_900, { chave: 'outra@example.com' })
  await api.ask('POST', endpoint ?? '', { body: { pix: [...others, foreign] } })
  await api.drain()
  await api.drain(61)
  t.is(await balance(api, merchant), 10)
  const outcomes = (await api.every(notices)).map(({ id, outcome }) => [id, outcome])
  t.deepEqual(new Map(outcomes as [string, Notice['outcome']][]).get(foreign.endToEndId), 'foreign')
  t.is((await api.every(entries)).length, 2)
  const about = others.map(({ endToEndId, txid = null, valor }) => ({
    end_to_end_id: endToEndId,
    txid,
    value: Number(valor),
    payer: null,
  }))
  const idOf = ({ end_to_end_id }: { readonly end_to_end_id: string }): string => end_to_end_id
  const told = api.told(HOOK).sort((a, b) => (idOf(a.data) < idOf(b.data) ? -1 : 1))
  t.deepEqual(
    told.map(({ type, data }) => ({ type, data })),
    about.map((data) => ({ type: 'pix.received', data })),
  )
  const inApp = (await api.every(inbox.notifications)).map(({ data }) => JSON.parse(data))
  t.deepEqual(
    inApp.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)),
    about.map((data) => ({ charge_id: null, ...data })),
  )
})

test('credits payments from before the account existed', async (t) => {
  const server = await openPixApiServer(() => new Date(NOW))
  t.teardown(server.close)
  const api = await openTestApi(t, { env: server.env })
  await api.drain()
  const paid = server.books.receive(500)
  await api.ask('POST', `${new URL(server.books.webhook()?.webhookUrl ?? '').pathname}/pix`, { body: { pix: [paid] } })
  await api.drain()
  t.like((await api.every(notices))[0], { id: paid.endToEndId, outcome: null })
  const merchant = await api.merchant()
  await api.drain(3_600)
  t.is(await balance(api, await api.again(merchant)), 5)
})

test('ignores webhook data that the bank does not confirm', async (t) => {
  const { server, api, merchant, endpoint } = await open(t)
  const { pix } = await api.charge(merchant)
  const endToEndId = `E01181521202611231305${'A'.repeat(11)}`
  const forged = { endToEndId, txid: pix.txid, valor: '150.50', horario: NOW, chave: PIX_KEY }
  t.is((await api.ask('POST', endpoint ?? '', { body: { pix: [forged] } })).status, 200)
  for (let tries = 0; tries < 10; tries += 1) {
    await api.drain()
    api.clock.advance(600)
  }
  t.like((await api.every(notices))[0], { id: endToEndId, outcome: 'unfounded', dueAt: null })
  t.deepEqual(await api.every(entries), [])
  await api.drain(31 * 86_400)
  t.deepEqual(await api.every(notices), [])
  t.deepEqual(server.violations, [])
})

test('credits a payment that the bank did not know at first once its list has it', async (t) => {
  const { server, api, merchant, endpoint } = await open(t)
  const { pix } = await api.charge(merchant)
  const paid = server.books.receive(15_050, { txid: pix.txid })
  server.fail({ of: `GET /pix/${paid.endToEndId}`, answer: { status: 404, text: '{}' }, times: 10 })
  server.fail({ of: 'GET /pix', answer: { status: 503, text: 'fora do ar' }, times: 10 })
  t.is((await api.ask('POST', endpoint ?? '', { body: { pix: [paid] } })).status, 200)
  const outcomes: unknown[] = []
  for (let tries = 0; tries < 14; tries += 1) {
    await api.drain()
    outcomes.push((await api.every(notices))[0]?.outcome)
    api.clock.advance(600)
  }
  t.true(outcomes.includes('unfounded'))
  t.is(outcomes.at(-1), 'taken')
  t.is(await balance(api, await api.again(merchant)), 150.5)
})

test('accepts a test call of the bank at the webhook endpoint, and returns 404 without its secret', async (t) => {
  const { api, endpoint } = await open(t)
  const path = endpoint ?? ''
  const bodies = [{}, '', { pix: null }, { pix: 'x' }, { pix: [] }, { pix: [null, 1, { endToEndId: 5 }, {}] }]
  for (const body of bodies) {
    const { status, text } = await api.ask('POST', path, { body })
    t.deepEqual([status, text], [200, 'ok'], JSON.stringify(body))
  }
  t.deepEqual(await api.every(notices), [])
  for (const wrong of [path.replace(/.\/pix$/, '/pix'), `/pix-api/${'A'.repeat(43)}/pix`])
    t.deepEqual(failure(await api.ask('POST', wrong, { body: { pix: [] } })), [404, 'route.unknown'])
  t.is((await api.ask('GET', path)).status, 405)
})

test('has no webhook endpoint with the embedded bank, and no console with the API Pix', async (t) => {
  const [{ endpoint, api }, embedded] = [await open(t), await openTestApi(t)]
  for (const [at, target] of [
    [embedded, endpoint ?? ''],
    [api, '/fake-bank/payments'],
  ] as const)
    t.like((await at.ask('POST', target, { body: {} })).body, { message: 'Rota não encontrada.' })
})

test('returns 422 for unsupported operations before anything is stored', async (t) => {
  const { server, api, merchant } = await open(t)
  const address = { street: 'Rua A', number: '1', district: 'Sé', city: 'São Paulo', state: 'SP', zipcode: '01001000' }
  const before = (await api.every(charges)).length
  const others = ['BOLETO', 'BOLEPIX'].map((payment_method) => ({ ...MARIA, address, payment_method }))
  for (const body of [...others, cardBody()]) {
    const { payment_method } = body
    const answer = await api.ask('POST', '/invoices', { token: merchant.token, body })
    t.like(answer, { status: 422, body: UNSUPPORTED }, payment_method)
  }
  t.is((await api.every(charges)).length, before)
  const { id } = await api.charge(merchant)
  const change = { token: merchant.token, body: { payment_method: 'BOLETO', address } }
  t.like((await api.ask('PUT', `/invoices/${id}`, change)).body, UNSUPPORTED)
  t.is(server.requests.filter((what) => what.startsWith('PATCH /cob')).length, 0)
  t.is(server.requests.filter((what) => what.startsWith('PUT /cob')).length, 1)
})

test('returns 422 at every pay-out route and for simulated payments at a bank that cannot pay out, and stores nothing', async (t) => {
  const { api, merchant } = await open(t)
  await api.fund(merchant)
  const { id, pix } = await api.charge(merchant)
  const key = { keypix: 'maria@example.com', value: 1 }
  const { account } = (await api.ask('GET', '/access/account', { token: merchant.token })).body
  for (const [path, body] of [
    ['/recipients', key],
    ['/legacypay/withdraws', key],
    ['/api/pix/withdraw-bank', { ...BANK, amount: 1 }],
    ['/legacypay/withdraws/bank', { ...BANK, amount: 1 }],
    ['/legacypay/saida-sicred', { mount: 1, keyPix: key.keypix, pin: BANK.pin }],
    ['/transfers/internal', { token: account.token, amount: 1 }],
    [`/billing/simulate-payment/${id}/charges`, {}],
  ] as const) {
    t.like(await api.ask('POST', path, { token: merchant.token, body }), { status: 422, body: UNSUPPORTED }, path)
  }
  const kept = [await api.every(withdrawals), await api.every(transfers), await api.every(entries)]
  t.deepEqual(kept, [[], [], []])
  t.like((await api.every(charges))[0], { status: 'pending', txid: pix.txid })
})

test('rejects links with methods that the bank does not support', async (t) => {
  const { api, merchant } = await open(t)
  const asked = { title: 'Curso', amount: 5 }
  const make = (payment_methods: readonly string[]) =>
    api.ask('POST', '/billing/payment-links', { token: merchant.token, body: { ...asked, payment_methods } })
  for (const methods of [['BOLETO'], ['PIX', 'CARD'], ['PIX', 'BOLETO', 'CARD']]) {
    t.like(await make(methods), { status: 422, body: UNSUPPORTED }, methods.join())
  }
  const body = worked(await make(['PIX']))
  const change = { token: merchant.token, body: { payment_methods: ['PIX', 'CARD'] } }
  t.like((await api.ask('PUT', `/billing/payment-links/${body.data.id}`, change)).body, UNSUPPORTED)
  const { data } = (await api.ask('GET', '/billing/payment-links', { token: merchant.token })).body
  t.deepEqual(
    data.map((link: { readonly payment_methods: unknown }) => link.payment_methods),
    [['PIX']],
  )
})

test("gives the bank's only account to the first organization, and rejects a simultaneous and any later one", async (t) => {
  const server = await openPixApiServer(() => new Date(NOW))
  t.teardown(server.close)
  const api = await openTestApi(t, { env: server.env })
  const [ana, bia] = [await api.person('ana@a.example'), await api.person('bia@b.example')]
  const found = (token: string, document: string) =>
    api.ask('POST', '/v1/organizations', { token, body: { name: 'Escola', email: 'e@e.example', document } })
  const both = await Promise.all([found(ana, '11222333000181'), found(bia, '11444777000161')])
  t.deepEqual(both.map(({ status }) => status).sort(), [201, 422])
  t.like(both.find(({ status }) => status === 422)?.body, UNSUPPORTED)
  const [account, ...others] = await api.every(accounts)
  t.like(account, { pixKey: PIX_KEY, bankCode: '000' })
  t.deepEqual(others, [])
  const kept = await api.everything()
  const rui = { name: 'Rui', email: 'rui@r.example', document: '52998224725' }
  for (const [path, more] of [
    ['/access/register', { address: 'Rua 1' }],
    ['/access/register-full', { password: PASSWORD, phone: '51998259765' }],
  ] as const)
    t.like(await api.ask('POST', path, { body: { ...rui, ...more } }), { status: 422, body: UNSUPPORTED }, path)
  t.like((await found(bia, '11444777000161')).body, UNSUPPORTED)
  t.deepEqual(await api.everything(), kept)
})

test('completes a charge after a lost answer by a lookup, and closes a deleted one at the bank', async (t) => {
  const { server, api, merchant } = await open(t)
  const { token } = merchant
  server.fail({ of: 'PUT /cob', acts: true, answer: 'drop' })
  const { id, pix } = await api.charge(merchant)
  t.is(pix, null)
  await api.drain(61)
  const shown = (await api.ask('GET', `/invoices/${id}`, { token })).body.data
  t.regex(shown.pix.qrcode, /^00020101/)
  t.is(server.requests.filter((what) => what.startsWith('PUT /cob/')).length, 1)
  t.is((await api.ask('DELETE', `/invoices/${id}`, { token })).status, 200)
  await api.drain()
  t.is(server.books.cobs.get(shown.pix.txid)?.status, 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
  server.fail({ of: 'PUT /cob', answer: { status: 400, text: '{}' } })
  const refused = await api.ask('POST', '/invoices', { token, body: MARIA })
  t.is(refused.status, 400)
  t.like(refused.body, { error_code: 'bank.refused' })
  server.fail({ of: 'PUT /cob', answer: { status: 429 } })
  t.like((await api.ask('POST', '/invoices', { token, body: MARIA })).body, { error_code: 'bank.unavailable' })
  t.deepEqual(server.violations, [])
})
