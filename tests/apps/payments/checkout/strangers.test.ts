import test, { type ExecutionContext } from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { aRule, rulesOf } from '../../../core/payments/reminders/reminder-fixtures.ts'
import { CARDS, CVV } from '../given/cards.ts'
import { type Answer, failure, openMerchant, worked } from '../test-api.ts'
import { linkOf, MARIA, payBy, stranger } from './payer.ts'

const ADDRESS = { zipcode: '01310100', street: 'Rua A', number: '1', district: 'Sé', city: 'São Paulo', state: 'SP' }
const byCard = (card_number: string) => ({
  payment_method: 'CARD',
  card: { cardholder_name: 'RUI PASSOS', card_number, expiry: '12/30', cvv: CVV },
  address: ADDRESS,
})

/** Retries while the server sheds the load of the busiest address. */
const untilServed = async (ask: () => Promise<Answer>): Promise<Answer> => {
  const answer = await ask()
  return answer.body?.error_code === 'server.busy' ? untilServed(ask) : answer
}

const opened = async (t: ExecutionContext, env: Record<string, string> = {}) => {
  const { api, merchant: anna } = await openMerchant(t, { env: { TRUST_PROXY: 'true', ...env } })
  const link = await linkOf(api, anna)
  const from = (address: string, more: object = {}, payer: object = stranger()) =>
    untilServed(() =>
      api.ask('POST', `/public/paymentLink/${link.id}/pay?token=${link.token}`, {
        body: { payment_method: 'PIX', ...payer, ...more },
        headers: { 'x-forwarded-for': address },
      }),
    )
  return { ...api, anna, link, from, payTitle: api.pay }
}

/** Asserts a 429 with this `Retry-After`, with some tolerance for a busy store. */
const isThrottled = (t: ExecutionContext, answer: Answer, code: string, seconds: number) => {
  t.deepEqual(failure(answer), [429, code])
  const after = Number(answer.headers.get('retry-after'))
  t.true(after <= seconds && after > seconds - 60, `${after}`)
}
const statusesOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

test('neither lists, finds nor mails a client whose document a stranger entered, nor sends the client to the bank', async (t) => {
  const api = await opened(t)
  const { token, id } = api.anna
  const rule = aRule({ channels: ['email'] })
  const notificationRules = rulesOf({ on_creation: rule, on_payment: rule, on_due: rule })
  await api.host.store.commit([patch(accounts, id, { set: { notificationRules }, when: always })])
  const bia = { name: 'Beatriz Antunes', email: 'bia@example.com', document: '52998224725' }
  const { client } = worked(await api.ask('POST', '/v1/clients', { token, body: bia }))
  const withoutPayer = { name: undefined, email: undefined, document: undefined }
  for (const named of [{ ...withoutPayer, client_id: client.id }, { document: bia.document }])
    for (const payment_method of ['PIX', 'BOLETO'])
      worked(await api.from('203.0.113.7', { payment_method, amount: 1, ...named }))
  const { data: own } = worked(await api.from('203.0.113.7', MARIA))
  const known = (await api.every(charges)).map(({ nossoNumero, code }) => ({ nossoNumero, code }))
  t.is(known.length, 3)
  const seen = [
    await api.ask('GET', `/public/charges?client=${bia.document}`),
    await api.ask('POST', '/public/boletos/search', { body: { ...bia, code: 'codigo-de-busca' } }),
  ]
  for (const { nossoNumero, code } of known) {
    seen.push(await api.ask('GET', `/public/charge?code=${code}`))
    if (nossoNumero === null) continue
    const body = { nosso_numero: nossoNumero, code: 'codigo-de-busca' }
    seen.push(await api.ask('POST', '/public/boletos/search', { body }))
  }
  for (const { status, text } of seen) {
    t.is(status, 200)
    for (const secret of ['Beatriz', 'bia@', '529982', 'b***']) t.false(text.includes(secret), text)
  }
  t.is(seen[0]?.body.charges.meta.total, 0)
  for (const { txid, code } of await api.every(charges))
    if (code !== own.charge_id) worked(await api.payTitle(txid ?? ''))
  await api.drain()
  t.deepEqual(await api.mailsTo(bia.email), [])
  t.true((await api.mailsTo(MARIA.email)).length > 0)
  // A payer who typed their own data is listed.
  const listed = async () =>
    worked(await api.ask('GET', '/public/charges?client=12345678909')).charges.data.map(
      ({ code, client: of }: { code: string; client: object }) => [code, of],
    )
  t.deepEqual(await listed(), [
    [own.charge_id, { name: MARIA.name, document: '12345678909', email: 'm***@example.com' }],
  ])
  const [{ id: clientId }] = worked(await api.ask('GET', '/clients?search=12345678909', { token })).data
  api.clock.advance(1)
  worked(await api.ask('PUT', `/clients/${clientId}`, { token, body: { name: 'Maria do Cadastro' } }))
  t.deepEqual(await listed(), [], 'what the account wrote into the client since is not shown')
})

test('no longer lists a payer whose document is entered again with another name', async (t) => {
  const { ask, from } = await opened(t)
  const { data: own } = worked(await from('203.0.113.7', MARIA))
  const total = async () => worked(await ask('GET', '/public/charges?client=12345678909')).charges.meta.total
  t.is(await total(), 1)
  t.is(worked(await from('203.0.113.7', { ...MARIA, name: 'Outra' })).data.charge_id, own.charge_id)
  t.is(await total(), 0)
})

test('returns the open charge of a document that pays again by the same method, and limits a document to five open charges', async (t) => {
  const api = await opened(t)
  const paid = async (more: object = {}) => worked(await api.from('203.0.113.7', { ...MARIA, ...more })).data
  for (const more of [{}, { payment_method: 'BOLETO' }, byCard(CARDS.pending)]) {
    const all = await Promise.all(Array.from({ length: 8 }, () => paid(more)))
    t.is(new Set(all.map(({ charge_id }) => charge_id)).size, 1)
    t.deepEqual((await paid({ ...more, document: '12345678909' })).charge_id, all[0].charge_id)
  }
  t.is((await api.every(charges)).length, 3)
  const free = await linkOf(api, api.anna, { is_variable_amount: true, amount: undefined, min_amount: 1 })
  const amounts = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((amount) => payBy(api, free, { amount })))
  for (let amount = 20; statusesOf(amounts, 429) === 0; amount += 1) amounts.push(await payBy(api, free, { amount }))
  t.is(statusesOf(amounts, 200), 5)
  const refused = await payBy(api, free, { amount: 9 })
  isThrottled(t, refused, 'link.throttled', 3_600)
  worked(await payBy(api, free, { amount: 9, ...stranger() }))
  // A paid charge is no longer open, so the same amount is another charge.
  const { pix, charge_id } = worked(amounts.find(({ status }) => status === 200) as Answer).data
  worked(await api.payTitle(pix.txid))
  const next = worked(await payBy(api, free, { amount: pix.value })).data
  t.not(next.charge_id, charge_id)
  t.is((await payBy(api, free, { amount: 9 })).status, 429)
})

test('limits unpaid charges per address and hour, and per link and day with ten more for each paid one', async (t) => {
  const api = await opened(t, { LINK_CHARGES_PER_HOUR: '4', LINK_CHARGES_PER_DAY: '6' })
  const [one, other] = ['203.0.113.7', '198.51.100.9']
  const made = await Promise.all(Array.from({ length: 7 }, () => api.from(one)))
  t.deepEqual([statusesOf(made, 200), statusesOf(made, 429)], [4, 3])
  const late = await api.from(one)
  isThrottled(t, late, 'link.throttled', 3_600)
  const [first] = made.filter(({ status }) => status === 200)
  worked(await api.payTitle(first?.body.data.pix.txid))
  t.is((await api.from(one)).status, 200)
  t.is((await api.from(one)).status, 429)
  // Four of the day are unpaid, and the paid one has added ten places.
  const more = await Promise.all(Array.from({ length: 14 }, (_, n) => api.from(`198.51.100.${n + 20}`)))
  t.deepEqual([statusesOf(more, 200), statusesOf(more, 429)], [12, 2])
  api.clock.advance(3_600)
  // To midnight in São Paulo.
  isThrottled(t, await api.from(other), 'link.throttled', 12 * 3_600 + 54 * 60 + 51)
  api.clock.advance(13 * 3_600)
  t.is((await api.from(one)).status, 200)
  t.is((await api.from(other)).status, 200)
})

test('releases the place of an approved card at once', async (t) => {
  const api = await opened(t, { LINK_CHARGES_PER_HOUR: '2', LINK_CHARGES_PER_DAY: '2' })
  for (let n = 0; n < 5; n += 1) worked(await api.from('203.0.113.7', byCard(CARDS.visa)))
  t.is((await api.from('203.0.113.7')).status, 200)
})

test('limits an address to ten declined cards an hour, and notifies the ADMINs once a day', async (t) => {
  const api = await opened(t)
  const told = async () => {
    await api.drain()
    return (await api.every(notifications)).filter(({ type }) => type === 'cards.declined')
  }
  let card = 0
  // Each card has another payer.
  await api.fail('charge_card', 'refuse', 1_000)
  const tryOne = (address: string, more: object = {}) => {
    card += 1
    return api.from(address, { ...byCard(NUMBERS[card % NUMBERS.length] ?? ''), ...more })
  }
  const all = await Promise.all(Array.from({ length: 40 }, () => tryOne('203.0.113.7')))
  t.deepEqual([statusesOf(all, 400), statusesOf(all, 429)], [10, 30])
  const refused = await tryOne('203.0.113.7')
  t.deepEqual(failure(refused), [429, 'card.throttled'])
  t.is((await tryOne('198.51.100.9')).status, 400)
  t.is((await told()).length, 1)
  t.like(JSON.parse((await told())[0]?.data ?? ''), { document: 5, card: 5, address: 10 })
  const page = await api.ask('POST', `/pay/${api.link.id}?token=${api.link.token}`, {
    body: new URLSearchParams({
      payment_method: 'CARD',
      ...stranger(),
      ...{ cardholder_name: 'RUI', card_number: NUMBERS[0] ?? '', expiry: '12/30', cvv: CVV, installments: '1' },
      ...ADDRESS,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.7' },
  })
  t.is(page.status, 429)
  t.true(page.text.includes('recusados demais'))
  t.not(page.headers.get('retry-after'), null)
  t.false(JSON.stringify(await api.everything()).includes(NUMBERS[0] ?? ''))
  api.clock.advance(3_600)
  t.is((await tryOne('203.0.113.7')).status, 400)
})

/** Card numbers with valid check digits. */
const NUMBERS = Array.from({ length: 60 }, (_, n) => withCheckDigit(`411111${String(n).padStart(9, '0')}`))

function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

test('limits a document and a card to five declined attempts an hour, by links and POST /invoices together', async (t) => {
  const api = await opened(t)
  const { token } = api.anna
  const issue = (document: string, card_number: string) =>
    untilServed(() =>
      api.ask('POST', '/invoices', {
        token,
        body: {
          ...MARIA,
          ...{ document, value: 10, payment_method: 'CREDIT_CARD', due_date: '2026-11-30', address: ADDRESS },
          card: { card_number, cvv: CVV, expiry_month: 12, expiry_year: 2030, cardholder_name: 'RUI PASSOS' },
        },
      }),
    )
  // One card of many payers, half of them by links from many addresses, at once.
  const tries = Array.from({ length: 20 }, (_, n) => {
    return n % 2 === 0
      ? api.from(`198.51.100.${n + 1}`, byCard(CARDS.declined))
      : issue(stranger().document, CARDS.declined)
  })
  const all = await Promise.all(tries)
  t.deepEqual([statusesOf(all, 400), statusesOf(all, 429)], [5, 15])
  t.deepEqual(failure(await issue(stranger().document, CARDS.declined)), [429, 'card.throttled'])
  t.is((await issue(stranger().document, CARDS.visa)).status, 200)
  // One document with many cards: approved ones are not counted.
  const approved = await Promise.all(Array.from({ length: 12 }, () => issue(MARIA.document, CARDS.visa)))
  t.is(statusesOf(approved, 200), 12)
  await api.fail('charge_card', 'unavailable', 3)
  for (let n = 0; n < 3; n += 1)
    t.deepEqual(failure(await issue(MARIA.document, CARDS.visa)), [400, 'bank.unavailable'])
  const pending = [await issue(MARIA.document, CARDS.pending), await issue(MARIA.document, CARDS.pending)]
  await api.fail('charge_card', 'refuse', 3)
  for (let n = 0; n < 3; n += 1) t.is((await issue(MARIA.document, NUMBERS[n] ?? '')).status, 400)
  // A card that is declined later is counted then.
  for (const { body } of pending)
    await api.ask('POST', '/fake-bank/cards', { body: { code: body.data.code, outcome: 'decline' } })
  t.deepEqual(failure(await issue(MARIA.document, CARDS.visa)), [429, 'card.throttled'])
  t.deepEqual(failure(await api.from('203.0.113.99', { ...byCard(CARDS.visa), document: MARIA.document })), [
    429,
    'card.throttled',
  ])
  t.is((await issue(stranger().document, CARDS.visa)).status, 200)
  // Each account has limits of its own.
  const other = await linkOf(api, await api.merchant())
  t.is((await payBy(api, other, { ...byCard(CARDS.visa), document: MARIA.document })).status, 200)
  api.clock.advance(3_600)
  const { token: renewed } = await api.again(api.anna)
  const again = await api.ask('GET', '/invoices?status_id=5', { token: renewed })
  t.is(again.status, 200)
  t.is((await api.from('203.0.113.7', byCard(CARDS.visa))).status, 200)
})
