import test, { type ExecutionContext } from 'ava'
import { fakeAcquirer, fakeAcquirerPart } from '../../../../adapters/bank/fake/acquirer.ts'
import { fakeBankCollections } from '../../../../adapters/bank/fake/books.ts'
import { fakeBankPart } from '../../../../adapters/bank/fake/notifications.ts'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { aesCipher } from '../../../../adapters/crypto/cipher.ts'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { memoryMailer, memoryMessenger, memorySender } from '../../../../adapters/memory/memory-services.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { serverPart } from '../../../../apps/http/rates.ts'
import { serve } from '../../../../apps/http/server.ts'
import { pinoLog } from '../../../../apps/http/telemetry.ts'
import { paymentsApi } from '../../../../apps/payments/payments-api.ts'
import { always, type Collection, patch, type Rec } from '../../../../core/kernel/records/record.ts'
import { idPool } from '../../../../core/kernel/running/ids.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { payments, paymentsCollections } from '../../../../core/payments/payments.ts'
import type { Acquirer } from '../../../../core/ports/acquirer.ts'
import type { Cipher } from '../../../../core/ports/runtime.ts'
import { aRule, rulesOf } from '../../../core/payments/reminders/reminder-fixtures.ts'
import { cheapHasher } from '../../../core/payments/world.ts'
import { anyDocument } from '../../given/basics.ts'
import { CARDS, CVV, cardBody } from '../../given/cards.ts'
import { NOW, wrongFields } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'
const collections = [...paymentsCollections, ...fakeBankCollections, ...serverPart.collections]
/** Every card number in these requests, valid or not. */
const NUMBERS = [...Object.values(CARDS), '4111111111111112', '4011780000000006']

/** Leaves sealed texts readable, so that the test reads them too; only marks stay as they are. */
const openCipher = (): Cipher => ({
  seal: (text) => `sealed ${text}`,
  open: (sealed) => sealed.slice('sealed '.length),
  digest: aesCipher(new Uint8Array(32).fill(1)).digest,
})

/** An acquirer whose calls can throw an error with their whole input. */
const breakable = (acquirer: Acquirer) => {
  let breaks = false
  const charge: Acquirer['charge'] = async (order, card) => {
    if (!breaks) return acquirer.charge(order, card)
    breaks = false
    throw Object.assign(new Error('the acquirer broke', { cause: card }), { order, card })
  }
  return {
    acquirer: { ...acquirer, charge },
    breakOnce: () => {
      breaks = true
    },
  }
}

const openApi = async (t: ExecutionContext) => {
  const store = memoryStore(collections)
  const runtime = { store, clock: setClock(NOW), random: seededRandom(7), ids: idPool(store) }
  const { acquirer, breakOnce } = breakable(fakeAcquirer(runtime))
  const outside = { mailer: memoryMailer(), messenger: memoryMessenger(), webhooks: memorySender(), log: memoryLog() }
  const { hasher } = cheapHasher()
  const pay = payments(memoryPorts({ ...runtime, ...outside, acquirer, hasher, cipher: openCipher() }))
  const lines: string[] = []
  const api = paymentsApi(pay, {
    log: pinoLog('payments', 'trace', { write: (line) => void lines.push(line) }),
    parts: [fakeBankPart(pay.bank), fakeAcquirerPart(pay.cards)],
    fakeBankConsole: true,
  })
  const serving = await serve(api, { host: '127.0.0.1', port: 0 })
  t.teardown(() => api.close(serving.stop()))
  const answers: string[] = []
  const ask = async (path: string, body: unknown, headers: Record<string, string> = {}, method = 'POST') => {
    const init = { method, headers: { 'content-type': 'application/json', ...headers } }
    const answer = await fetch(`${serving.url}${path}`, { ...init, body: JSON.stringify(body) })
    const text = await answer.text()
    answers.push(text)
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  const records = async () => {
    const kept: unknown[] = []
    for (const from of collections)
      for await (const record of store.scan(from as Collection<Rec>, always)) kept.push(record)
    return kept
  }
  return { ...runtime, ...outside, api, ask, breakOnce, lines, answers, records }
}

const FAULTS = ['refuse', 'unavailable', 'timeout', 'timeout_lost']

test('stores, logs and returns neither number nor CVV of any card', async (t) => {
  const { ask, api, store, clock, breakOnce, lines, answers, records, ...outside } = await openApi(t)
  const person = {
    name: 'Ana',
    email: 'ana@example.com',
    password: 'segredo-123',
    password_confirmation: 'segredo-123',
  }
  const token = (await ask('/v1/auth/register', person)).body.data.access_token
  const headers = { authorization: `Bearer ${token}` }
  const founded = { name: 'Escola', email: 'escola@example.com', document: '11222333000181' }
  const { id } = (await ask('/v1/organizations', founded, headers)).body.organization
  const rule = aRule({ channels: ['email', 'whatsapp', 'sms'] })
  const notificationRules = rulesOf({ on_creation: rule, on_payment: rule, on_update: rule, on_delete: rule })
  await store.commit([patch(accounts, id, { set: { notificationRules, webhookUrl: HOOK }, when: always })])

  const statuses: number[] = []
  // Each payer has attempts of their own.
  const documents = new Map<string, string>()
  const issue = async (number: string, over: object = {}, more: Record<string, string> = {}) => {
    const key = more['idempotency-key'] ?? `${statuses.length}`
    const document = documents.get(key) ?? anyDocument()
    documents.set(key, document)
    const body = cardBody(number, { webhook: HOOK, document, ...over })
    const answer = await ask('/invoices', body, { ...headers, ...more })
    statuses.push(answer.status)
    return answer.body?.data
  }
  for (const number of NUMBERS)
    for (const key of ['a', 'a', 'b']) await issue(number, {}, { 'idempotency-key': `${number.slice(-4)}${key}` })
  for (const mode of FAULTS) {
    await ask('/fake-bank/faults', { operation: 'charge_card', mode })
    await issue(CARDS.visa)
  }
  for (const wrong of [{ cvv: 'x' }, { cvv: '9876' }, { expiry_month: 13 }, { brand: 'elo' }, { brand: 'mastercard' }])
    await issue(CARDS.visa, { card: { ...cardBody().card, ...wrong } })
  for (const strange of [
    CARDS.visa,
    [CARDS.visa, CVV],
    { number: CARDS.visa, cvv: CVV },
    { card_number: { deep: CARDS.visa } },
  ])
    await issue(CARDS.visa, { card: strange }, { 'idempotency-key': 'strange' })
  for (const [number, key] of [
    [CARDS.mastercard, '5555.5555.5555.4444'],
    [CARDS.mastercard, `pedido ${CARDS.mastercard}`],
    [CARDS.mastercard, CARDS.visa],
  ] as const) {
    await issue(number, {}, { 'idempotency-key': key, 'x-request-id': number })
    t.is(statuses.at(-1), 422, key)
  }
  breakOnce()
  await issue(CARDS.mastercard, {}, { 'idempotency-key': 'broken' })
  const decided = [await issue(CARDS.pending), await issue(CARDS.pending), await issue(CARDS.pending)]
  await ask('/fake-bank/cards', { code: decided[0].code, outcome: 'approve' })
  await ask('/fake-bank/cards', { code: decided[1].code, outcome: 'decline' })
  await ask(`/invoices/${decided[2].id}`, { description: 'Outra' }, headers, 'PUT')
  for (const method of ['PUT', 'PATCH']) {
    const changed = { description: `pago com ${CARDS.mastercard}`, card: cardBody(CARDS.mastercard).card }
    t.deepEqual(wrongFields(await ask(`/invoices/${decided[2].id}`, changed, headers, method)), ['description'])
  }
  await ask(`/invoices/${decided[2].id}`, undefined, headers, 'DELETE')
  t.deepEqual([...new Set(statuses)].sort(), [200, 400, 422, 500])
  for (let hours = 0; hours < 24; hours += 1) {
    await api.worker.drain()
    clock.advance(3_600)
  }

  const { mailer, messenger, webhooks, log } = outside
  const kept = { records: await records(), lines, answers, mailer, messenger, webhooks, warnings: log.warnings }
  t.true(kept.records.length > 100 && lines.length > 30 && mailer.sent.length > 0 && webhooks.requests.length > 0)
  t.true(
    lines.some((line) => line.includes('the acquirer broke')),
    'what breaks is logged',
  )
  const everything = JSON.stringify(kept)
  t.true(everything.includes('sealed {') && everything.includes('last4'), 'orders are read as they were sealed')
  for (const number of NUMBERS) {
    t.false(everything.includes(number), number)
    // Neither the number without its check digit, nor its digits after those of the brand.
    t.false(everything.includes(number.slice(0, -1)) || everything.includes(number.slice(4)), number)
  }
  // Only the answers may name the field `cvv`.
  t.false(/cvv\\*"\s*:/i.test(JSON.stringify({ ...kept, answers: [] })))
  t.false(new RegExp(`\\b${CVV}\\b`).test(everything))
})
