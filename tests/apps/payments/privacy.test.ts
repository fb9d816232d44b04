import test, { type ExecutionContext } from 'ava'
import { BSON, type Db } from 'mongodb'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { memoryMessenger } from '../../../adapters/memory/memory-services.ts'
import { findings } from '../../../apps/audit/findings.ts'
import { factors } from '../../../core/payments/challenges/factor.ts'
import { passkeys } from '../../../core/payments/challenges/passkey.ts'
import { trustedDevices } from '../../../core/payments/challenges/trusted-device.ts'
import { notifications } from '../../../core/payments/inbox/inbox.ts'
import { users } from '../../../core/payments/members/user.ts'
import { audit, mails } from '../../../core/payments/office.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import { erasures } from '../../../core/payments/privacy/erasure.ts'
import { onReplicaSet } from '../../adapters/mongodb/replica-set.ts'
import { PIN } from '../../core/payments/world.ts'
import { inFull } from '../../size.ts'
import { worked } from '../rows/wire.ts'
import { createPasskey } from './given/passkeys.ts'
import { errorsOf, failure, openMerchant, openTestApi, pluckAll, type TestApi } from './test-api.ts'

const NAME = 'Zuleica Quaresma'
const DOCUMENT = '52998224725'
const [EMAIL, PHONE] = ['zuleica@quaresma.example', '+55 51 98888-7777']
/** Texts about the payer, each unlike any other text of the store. */
const [STREET, ABOUT, REASON, NICKNAME] = ['Rua Xaxim', 'Aula da Zuleica', 'Motivo da Zuleica', 'Kaleidoscópio']

const open = async (t: ExecutionContext, env: Readonly<Record<string, string>> = {}) => {
  const messenger = memoryMessenger()
  const api = await openTestApi(t, { env, instead: () => ({ messenger }) })
  let merchant = await api.merchant()
  let requests = 0
  // The stored replies hold data, too.
  const keyed = () => {
    requests += 1
    return { 'idempotency-key': `request ${requests}` }
  }
  const send = (method: string, path: string, body?: unknown) =>
    api.ask(method, path, { token: merchant.token, ...(body === undefined ? {} : { body, headers: keyed() }) })
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body)
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body
  }
  /** Moves the clock, runs the worker and signs in again, since a token is valid for an hour. */
  const later = async (at: string | number) => {
    await api.drain(at)
    merchant = await api.again(merchant)
  }
  await api.setStatus(merchant, 'ACTIVE')
  const rule = { enabled: true, channels: ['email', 'whatsapp'] }
  await ask('POST', '/access/account/pin', { pin: PIN, confirm_pin: PIN })
  await ask('PUT', '/access/account', { pin: PIN, notification_rules: { on_creation: rule, on_payment: rule } })
  const { data } = await ask('POST', '/clients', {
    ...{ name: NAME, email: EMAIL, phone: PHONE, document: DOCUMENT, type: 'individual', birthdate: '1990-02-28' },
    ...{ metadata: [{ label: 'apelido', value: NICKNAME }], fb_access_token: 'EAAB-segredo' },
    address: { street: STREET, city: 'Itu', state: 'SP' },
  })
  const address = { street: STREET, number: '77', district: 'Tijuco', city: 'Itu', state: 'SP', zipcode: '13300000' }
  const issue = async (more: object = {}) => {
    const what = { value: 150.5, payment_method: 'PIX', due_date: '2026-11-30', webhook: 'https://loja.example/avisos' }
    const texts = { description: ABOUT, details: ABOUT, instructions: ABOUT, address }
    return (await ask('POST', '/invoices', { ...what, ...texts, client_id: data.id, ...more })).data
  }
  return { api, send, ask, later, issue, id: data.id as number, path: `/v1/clients/${data.id}` }
}

type Shop = Awaited<ReturnType<typeof open>>

/**
 * Gives the client a paid charge with a refund and an export, a deleted one, one that expires on 25 November, and a
 * link.
 */
const EXPORT = '/consolidation/transactions/export-document'

const trade = async (t: ExecutionContext, { api, send, ask, issue, id }: Shop) => {
  const paid = await issue()
  const deleted = await issue({ payment_method: 'BOLETO' })
  await issue({ due_date: '2026-11-24' })
  await ask('POST', '/billing/payment-links', { title: ABOUT, payment_methods: ['PIX'], amount: 10, client_id: id })
  await api.drain()
  await api.pay(paid.pix.txid, { payer: { name: NAME, document: DOCUMENT } })
  await ask('POST', `/invoices/${paid.id}/refund`, { value: 10, reason: REASON })
  await ask('DELETE', `/billing/charges/${deleted.id}`)
  const exported = await ask('POST', EXPORT, { format: 'csv', search: ABOUT })
  await api.drain()
  const download = `/consolidation/exports/download/${exported.id}`
  t.true((await send('GET', download)).text.includes(ABOUT))
  return { paid, download }
}

/** Returns the collections that contain a text, without those of the bank, which has data of its own. */
const placesOf = async (api: TestApi, text: string) => {
  const stored = Object.entries(await api.everything()).filter(([name]) => !name.startsWith('fake-bank'))
  const sought = text.toLowerCase()
  return stored.filter(([, records]) => JSON.stringify(records).toLowerCase().includes(sought)).map(([name]) => name)
}

test('erases a payer from all records except those that the law requires, and the audit finds no fault', async (t) => {
  const shop = await open(t)
  const { api, send, ask, later, path } = shop
  const { paid, download } = await trade(t, shop)
  const before = ['charges', 'deliveries', 'entries', 'events', 'exports', 'links'].map((name) => `payments.${name}`)
  t.deepEqual((await placesOf(api, ABOUT)).toSorted(), before)
  await later('2026-11-26T13:00:00.000Z')

  const { data } = await ask('POST', `${path}/erase`)
  t.is(data.status, 'processing')
  t.deepEqual(pluckAll(data.kept, 'record', 'until'), [
    ['payer', '2037-01-01'],
    ['charge', '2037-01-01'],
    ['transaction', '2037-01-01'],
    ['refund', '2037-01-01'],
    ['audit', null],
  ])
  for (const { record, fields, reason } of data.kept) t.true(fields.length > 0 && /LGPD, art/.test(reason), record)
  await later(0)
  await later(121)
  t.deepEqual(failure(await send('GET', download)), [404, 'export.unknown'])
  const notified = (await ask('GET', '/access/auth/notifications')).data
  t.like(
    notified.filter(({ id }: { readonly id: string }) => download.endsWith(id)),
    [{ type: 'export.removed', data: { kind: 'transactions', url: null, expires_at: null }, read_at: null }],
  )
  for (const text of [EMAIL, PHONE, STREET, ABOUT, REASON, NICKNAME]) t.deepEqual(await placesOf(api, text), [], text)
  for (const text of [NAME, DOCUMENT])
    t.deepEqual(await placesOf(api, text), ['payments.entries', 'payments.erasures'], text)
  t.like(await api.every(erasures), [{ status: 'completed', payerName: NAME, payerDocument: DOCUMENT, dueAt: null }])

  const seen = (await ask('GET', `${path}/personal-data`)).data
  t.like(seen.client, { name: 'Dados eliminados', document: null, email: null })
  t.deepEqual(seen.payer, { name: NAME, document: DOCUMENT })
  t.like(seen.charges[0], { id: paid.id, value: 150.5, amount_paid: 150.5, description: null })
  t.deepEqual(seen.messages, [])
  t.is((await send('GET', path)).status, 404)
  t.is((await ask('GET', `/invoices/${paid.id}`)).data.client.name, 'Dados eliminados')

  t.like((await ask('POST', `${path}/erase`)).data, { status: 'completed', kept: data.kept })
  await api.drain()
  for await (const { area, faults } of findings({ store: api.host.store, digest }, paymentsCollections))
    t.deepEqual(faults, [], area)
})

test('shows all that is stored of a payer, records each read, and hides it from other accounts', async (t) => {
  const shop = await open(t)
  const { api, ask, path } = shop
  await trade(t, shop)
  await ask('GET', `${path}/personal-data`)
  const { data } = await ask('GET', `${path}/personal-data`)
  const whole = JSON.stringify(data)
  for (const text of [NAME, DOCUMENT, EMAIL, PHONE, STREET, ABOUT, REASON, NICKNAME]) t.true(whole.includes(text), text)
  t.false(whole.includes('EAAB-segredo'))
  const counts = Object.entries(data).flatMap(([name, list]) => (Array.isArray(list) ? [[name, list.length]] : []))
  t.deepEqual(Object.fromEntries(counts), {
    ...{ charges: 3, transactions: 2, refunds: 1, links: 1, messages: 8, events: 6, deliveries: 6, audit: 0 },
  })
  t.regex((await shop.send('GET', `${path}/personal-data?format=pdf`)).text, /^%PDF-/)
  const trail = (await api.every(audit.entries)).filter(({ subject }) => subject.startsWith('client:'))
  const read = { action: 'personal-data.read', actorUserId: 1, chain: 'account:1', address: '127.0.0.1' }
  t.like(trail, [read, read, read])
  const pdf = await api.ask('GET', `${path}/personal-data?format=pdf`, { token: (await api.merchant()).token })
  t.deepEqual(failure(pdf), [404, 'client.unknown'])
  t.deepEqual(failure(await api.ask('POST', `${path}/erase`, { token: (await api.merchant()).token })), [
    404,
    'client.unknown',
  ])
})

/** Returns the documents of each collection of a database as bytes, those of the adapter and of the server included. */
const dumpOf = async (db: Db) => {
  const dump = new Map<string, string>()
  for (const { collectionName: name } of await db.collections())
    dump.set(
      name,
      Buffer.concat((await db.collection(name).find().toArray()).map((of) => BSON.serialize(of))).toString(),
    )
  return dump
}

const IN_A_DUMP = 'leaves no byte of an erased payer in a dump of the MongoDB store'

// The files of the embedded store are searched for bytes in every run.
inFull(test, IN_A_DUMP, () =>
  onReplicaSet(test, (server) => {
    test(IN_A_DUMP, async (t) => {
      const url = server.url()
      const shop = await open(t, { STORE_URL: url })
      await trade(t, shop)
      const holding = async (text: string) => {
        const dump = [...(await dumpOf(await server.db(url)))].filter(([name]) => !name.startsWith('fake-bank'))
        return dump.flatMap(([name, bytes]) => (bytes.includes(text) ? [name] : [])).toSorted()
      }
      t.true((await holding(ABOUT)).includes('_file-chunks'))
      t.true((await holding('replySealed')).includes('http.keys'))
      await shop.later('2026-11-26T13:00:00.000Z')
      await shop.ask('POST', `${shop.path}/erase`, {})
      await shop.later(0)
      // A copy that was requested before the last pass is removed too.
      await shop.ask('POST', EXPORT, { format: 'csv' })
      await shop.later(121)
      t.like(await shop.api.every(erasures), [{ status: 'completed' }])
      for (const text of [EMAIL, PHONE, STREET, ABOUT, REASON, NICKNAME]) t.deepEqual(await holding(text), [], text)
      for (const text of [NAME, DOCUMENT])
        t.deepEqual(await holding(text), ['payments.entries', 'payments.erasures'], text)
    })
  }),
)

test('names the fields that stay since an expired charge was paid after the erasure', async (t) => {
  const { api, ask, later, issue, path } = await open(t)
  const { pix } = await issue({ due_date: '2026-11-24' })
  await later('2026-11-26T13:00:00.000Z')
  const kept = async () => pluckAll((await ask('POST', `${path}/erase`)).data.kept, 'record', 'until')
  t.deepEqual(await kept(), [['audit', null]])
  await api.pay(pix.txid, { payer: { name: NAME, document: DOCUMENT } })
  await api.drain()
  const since = [...['charge', 'transaction', 'refund'].map((record) => [record, '2037-01-01']), ['audit', null]]
  t.deepEqual(await kept(), since)
  const { erasure } = (await ask('GET', `${path}/personal-data`)).data
  t.deepEqual(pluckAll(erasure.kept, 'record', 'until'), since)
})

test('names the open charges that block an erasure, and erases nothing', async (t) => {
  const { api, send, path, issue } = await open(t)
  const [first, second] = [await issue(), await issue()]
  const refused = await send('POST', `${path}/erase`)
  t.deepEqual(failure(refused), [409, 'client.charges-open'])
  t.deepEqual(Object.keys(errorsOf(refused)).toSorted(), [`charges.${first.id}`, `charges.${second.id}`].toSorted())
  t.deepEqual(await api.every(erasures), [])
  t.is((await send('GET', path)).body.client.name, NAME)
})

/** An organization with an ADMIN, and a member with data unlike any other text of the store who changed it once. */
const team = async (t: ExecutionContext) => {
  const { api, merchant } = await openMerchant(t)
  const person = { name: 'Zuleica Quaresma', email: EMAIL, phone: PHONE, password: 'segredo-123' }
  const body = { ...person, password_confirmation: person.password }
  const { user } = (await api.ask('POST', '/v1/users', { token: merchant.token, body })).body
  const as = async (who: object) =>
    (await api.ask('POST', '/v1/auth/login', { body: who })).body.data.access_token as string
  const own = await as({ email: EMAIL, password: person.password })
  const change = { current_password: person.password, name: ABOUT }
  t.is((await api.ask('PUT', '/access/auth/edit', { token: own, body: change })).status, 200)
  await api.drain()
  let admin = merchant
  const send = (method: string, path: string, token = admin.token) =>
    api.ask(method, `/v1/users/${user.id}${path}`, { token })
  const later = async (at: string | number) => {
    await api.drain(at)
    admin = await api.again(admin)
  }
  const sound = async () => {
    for await (const { area, faults } of findings({ store: api.host.store, digest }, paymentsCollections))
      t.deepEqual(faults, [], area)
  }
  return { api, send, later, sound, own, merchant, id: user.id as number }
}

/** Registers a passkey of a member, and trusts the device of a second log-in. */
const trustDevice = async (api: TestApi, token: string) => {
  worked(await api.ask('POST', '/v1/auth/confirm-password', { token, body: { password: 'segredo-123' } }))
  const body = { name: 'Celular', ...(await createPasskey(api, token)) }
  const { data } = worked(await api.ask('POST', '/v1/second-factor/passkeys', { token, body }))
  const begun = worked(await api.ask('POST', '/v1/auth/login', { body: { email: EMAIL, password: 'segredo-123' } }))
  const step = { challenge: begun.data.challenge, code: data.recovery_codes[0], trust_device: true }
  worked(await api.ask('POST', '/v1/auth/second-step', { body: step }))
}

test('shows, and erases once the member left, passkeys, the dates of the factor, trusted devices and ended sessions', async (t) => {
  const { api, send, own } = await team(t)
  const proofs = async () =>
    [await api.every(factors), await api.every(passkeys), await api.every(trustedDevices)].map(({ length }) => length)
  // The factor ends the other sessions.
  worked(await api.ask('POST', '/v1/auth/login', { body: { email: EMAIL, password: 'segredo-123' } }))
  await trustDevice(api, own)
  const { data } = (await send('GET', '/personal-data')).body
  t.true(data.sessions.some(({ ended_at }: { ended_at: string | null }) => ended_at !== null))
  t.like(data, {
    second_factor: { enabled_at: data.second_factor.created_at },
    passkeys: [{ name: 'Celular', last_used_at: null }],
    trusted_devices: [{ address: '127.0.0.1' }],
  })
  const [factor] = await api.every(factors)
  const [passkey] = await api.every(passkeys)
  const [device] = await api.every(trustedDevices)
  const secrets = [factor?.recoveryDigests[0], passkey?.publicKey, passkey?.credentialId, device?.tokenDigest]
  for (const secret of secrets) t.false(JSON.stringify(data).includes(secret ?? ''))
  t.is((await send('GET', '/personal-data?format=pdf')).status, 200)
  t.is((await send('DELETE', '')).status, 200)
  t.deepEqual(await proofs(), [1, 1, 1])
  t.is((await send('POST', '/erase')).status, 200)
  t.deepEqual(await proofs(), [0, 0, 0])
})

test('erases a former member from the user and both audit chains, which remain valid', async (t) => {
  const { api, send, later, sound, id } = await team(t)
  const whole = JSON.stringify((await send('GET', '/personal-data')).body.data)
  for (const text of [NAME, EMAIL, PHONE, ABOUT]) t.true(whole.includes(text), text)
  t.is((await send('GET', '/personal-data?format=pdf')).status, 200)
  t.deepEqual(failure(await send('POST', '/erase')), [409, 'user.member'])
  worked(await api.ask('POST', '/v1/auth/forgot-password', { body: { email: EMAIL } }))
  t.is((await send('DELETE', '')).status, 200)

  const queued = async () => (await api.every(mails)).filter(({ to, dueAt }) => to === EMAIL && dueAt !== null)
  t.is((await queued()).length, 1)
  t.is((await send('POST', '/erase')).body.data.status, 'processing')
  t.deepEqual(await api.mailsTo(EMAIL), [])
  await later(61)
  for (const text of [NAME, EMAIL, PHONE, ABOUT]) t.deepEqual(await placesOf(api, text), [], text)
  await sound()
  const { data } = (await send('POST', '/erase')).body
  t.is(data.status, 'completed')
  t.deepEqual(pluckAll(data.kept, 'record', 'until'), [
    ['access', '2027-05-26'],
    ['audit', null],
  ])
  const accesses = async () => (await api.every(audit.entries)).filter((entry) => entry.actorUserId === id)
  t.false(api.mailer.sent.some(({ to }) => to === EMAIL))
  t.true((await accesses()).every(({ address }) => address !== null))
  await later('2027-05-28T13:00:00.000Z')
  t.true((await accesses()).every(({ address, device }) => address === null && device === null))
  await sound()
  const seen = (await send('GET', '/personal-data')).body.data
  t.like(seen.user, { name: 'Dados eliminados', email: '', phone: null })
  const erased = Object.values<string>(
    seen.audit.flatMap((entry: { changes: object }) => Object.values(entry.changes ?? {})),
  )
  t.deepEqual([...new Set(erased)], ['***'])
  t.deepEqual(pluckAll(seen.erasure.kept, 'record'), [['audit']])
})

test('shows once what notified the ADMINs of a member, and erases it from notifications and mails', async (t) => {
  const { api, send, later, merchant, own, id } = await team(t)
  const { token } = merchant
  const rui = { name: 'Rui', email: 'rui@example.com', document: '52998224725', role: 1, password: 'segredo-123' }
  worked(await api.ask('POST', '/access/manager/users', { token, body: rui }))
  const { account } = worked(await api.ask('GET', '/access/account', { token }))
  const exchange = async (email: string) =>
    worked(await api.ask('POST', '/access/account/get-token', { body: { email, token: account.token } }))
  for (const email of [EMAIL, rui.email]) await exchange(email)
  // A member of another organization, too, who is erased from this one alone.
  const body = { name: 'Outra Escola', document: '12ABC34501DE35' }
  t.is((await api.ask('POST', '/v1/organizations', { token: own, body })).status, 201)

  const shown = async () => (await send('GET', '/personal-data')).body.data.notifications
  const data = { user_id: id, email: EMAIL, address: '127.0.0.1' }
  t.like(await shown(), [{ type: 'key.exchanged', data }])
  t.is((await shown()).length, 1)
  t.is((await send('GET', '/personal-data?format=pdf')).status, 200)
  const named = async () => {
    const texts = [...(await api.mailsTo(merchant.email)), ...(await api.mailsTo(rui.email))]
    return [EMAIL, rui.email].map((email) => texts.filter((text) => text.includes(`: ${email}`)).length)
  }
  t.is((await send('DELETE', '')).status, 200)
  t.deepEqual(await named(), [3, 1])
  t.is((await send('POST', '/erase')).body.data.status, 'processing')
  await later(61)
  t.deepEqual(await named(), [0, 1])
  const kept = (await api.every(notifications)).filter(({ type }) => type === 'key.exchanged')
  t.deepEqual(kept.map(({ data: text }) => JSON.parse(text).email).toSorted(), ['', '', rui.email, rui.email])
  t.deepEqual(pluckAll(await shown(), 'data'), [[{ user_id: id, email: '', address: null }]])
})

test('erases a member of several organizations only in the one that was left', async (t) => {
  const { api, send, later, sound, own, id } = await team(t)
  const body = { name: 'Outra Escola', document: '12ABC34501DE35' }
  t.is((await api.ask('POST', '/v1/organizations', { token: own, body })).status, 201)
  await api.drain()
  worked(await api.ask('POST', '/v1/auth/forgot-password', { body: { email: EMAIL } }))
  t.is((await send('DELETE', '')).status, 200)
  const left = (await send('GET', '/personal-data')).body.data
  t.deepEqual(
    [left.user, left.membership, left.sessions, left.second_factor, left.passkeys],
    [null, null, [], null, []],
  )
  t.deepEqual(pluckAll((await send('POST', '/erase')).body.data.kept, 'record'), [['user'], ['access'], ['audit']])
  t.is((await api.mailsTo(EMAIL)).length, 1)
  await later(61)
  await sound()
  t.like(
    (await api.every(users)).find((user) => user.id === id),
    { name: ABOUT, email: EMAIL },
  )
  const entries = (await api.every(audit.entries)).filter(({ chain }) => chain === 'account:1')
  t.false(JSON.stringify(entries).includes(EMAIL))
  t.true(JSON.stringify(await api.every(audit.entries)).includes(ABOUT))
  t.deepEqual(failure(await send('POST', '/erase', (await api.merchant()).token)), [404, 'user.unknown'])
})
