import test, { type ExecutionContext } from 'ava'
import { type ClientOptions, PorticoError, paymentsClient, realEstateClient } from '../../../apps/client/mod.ts'
import { generated, readGenerated } from '../../../apps/packaging/client-types.ts'
import { openTestApi, PASSWORD } from '../payments/test-api.ts'
import { openEstateApi } from '../real-estate/test-api.ts'

const EMAIL = 'ana@aurora.example'
const CHARGE = {
  value: 150.5,
  payment_method: 'PIX',
  due_date: '2026-11-30',
  name: 'Maria da Silva',
  email: 'maria@example.com',
  document: '12345678909',
} as const

const failing = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (failure: unknown) => failure,
  )

/** Returns a server, and clients on its clock whose requests are recorded. */
const open = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const merchant = await api.merchant(EMAIL)
  const requests: string[] = []
  const client = (auth?: NonNullable<ClientOptions['auth']>) =>
    paymentsClient({
      baseUrl: api.url,
      ...(auth && { auth }),
      fetch: (url, init) => {
        requests.push(`${init?.method} ${new URL(`${url}`).pathname}`)
        return fetch(url, init)
      },
      runtime: { now: () => Date.parse(api.clock.now()) },
    })
  return { ...api, merchant, client, requests }
}

test('registers a merchant, opens an organization, issues a charge once by its key, and reads it', async (t) => {
  const { client } = await open(t)
  const person = { name: 'Bia', email: 'bia@aurora.example', password: PASSWORD, password_confirmation: PASSWORD }
  const { data } = await client().post('/v1/auth/register', { body: person })
  const mine = client({ token: data.access_token })
  const { organization } = await mine.post('/v1/organizations', {
    body: { name: 'Escola', document: '11444777000161' },
  })
  t.is(organization.document, '11444777000161')
  const issue = () => mine.post('/invoices', { body: CHARGE, idempotencyKey: 'pedido-1' })
  const [first, second] = [(await issue()).data, (await issue()).data]
  t.is(first.id, second.id)
  const read = await mine.get('/invoices/{id}', { path: { id: first.id } })
  t.deepEqual([read.data.value, read.data.client.name], [150.5, 'Maria da Silva'])
  const pdf = await mine.get('/billing/charges/{id}/download-pdf', { path: { id: first.id } })
  t.is((await pdf.text()).slice(0, 5), '%PDF-')
  const unknown = await failing(mine.get('/invoices/{id}', { path: { id: 999 } }))
  t.true(unknown instanceof PorticoError)
  t.like(unknown, { code: 'charge.unknown', status: 404, fields: {} })
  t.like(await failing(mine.post('/invoices', { body: { ...CHARGE, value: 0 } })), {
    code: 'fields',
    fields: { value: [{ code: 'money.min' }] },
  })
})

test('yields the pages of a list, also of one without pages, and of one with nested page numbers', async (t) => {
  const { client, charge, merchant } = await open(t)
  for (const value of [1, 2, 3]) await charge(merchant, { value })
  const mine = client({ email: EMAIL, password: PASSWORD })
  const values: number[] = []
  for await (const { data } of mine.pages('/invoices', { query: { per_page: 2, order_by: 'id' } }))
    values.push(...data.map(({ value }) => value))
  t.deepEqual(values, [3, 2, 1])
  let pages = 0
  for await (const _ of mine.pages('/v1/clients', { query: { per_page: 1 } })) pages += 1
  t.is(pages, 1)
  for await (const { charges } of mine.pages('/public/charges', { query: { client: CHARGE.document, per_page: 1 } })) {
    t.truthy(charges)
    pages += 1
  }
  t.is(pages, 4)
})

test('renews its token before it expires, once for simultaneous requests, and after the session ended', async (t) => {
  const { client, requests, clock } = await open(t)
  const mine = client({ email: EMAIL, password: PASSWORD })
  const read = () => mine.get('/v1/auth/me')
  await Promise.all([read(), read(), read()])
  clock.advance(3_541)
  await Promise.all([read(), read()])
  t.deepEqual(
    requests.filter((request) => request !== 'GET /v1/auth/me'),
    ['POST /v1/auth/login', 'POST /v1/auth/refresh'],
  )
  requests.length = 0
  await mine.post('/v1/auth/logout')
  t.is((await read()).user.email, EMAIL)
  t.deepEqual(requests, ['POST /v1/auth/logout', 'GET /v1/auth/me', 'POST /v1/auth/login', 'GET /v1/auth/me'])
  t.like(await failing(client({ email: EMAIL, password: 'wrong' }).get('/v1/auth/me')), { code: 'credentials.wrong' })
})

test('exchanges an API key for a token, and renews it before it expires after ten minutes', async (t) => {
  const { client, requests, clock, ask, merchant } = await open(t)
  const { account } = (await ask('GET', '/access/account', { token: merchant.token })).body
  const program = client({ email: EMAIL, apiKey: account.token })
  for (const seconds of [0, 500, 41]) {
    clock.advance(seconds)
    await program.get('/invoices')
  }
  t.is(requests.filter((request) => request === 'POST /access/account/get-token').length, 2)
})

test('sends the tokens of the provider to the agency’s API', async (t) => {
  const { url, sign } = await openEstateApi(t)
  const claims = { sub: 'uid-ana', email: EMAIL, email_verified: true, name: 'Ana' }
  const agency = realEstateClient({ baseUrl: url, auth: { token: () => sign(claims) } })
  const companyId = crypto.randomUUID()
  const ana = { firebaseUid: 'uid-ana', email: EMAIL, name: 'Ana', role: 'Admin', companyId } as const
  await agency.post('/api/auth/register', { body: ana })
  const person = { type: 'Individual', interest: 'Both', email: 'x@example.com' } as const
  for (const name of ['Bia', 'Caio']) await agency.post('/api/clients', { body: { ...person, name } })
  const names: string[] = []
  for await (const { data } of agency.pages('/api/clients', { query: { pageSize: 1 } }))
    names.push(...data.map(({ name }) => name))
  t.deepEqual(names.sort(), ['Bia', 'Caio'])
  t.like(await failing(agency.post('/api/clients', { body: { ...person, name: '' } })), {
    code: 'fields',
    status: 400,
    fields: { name: [{ code: 'required' }] },
  })
  const ending = new AbortController()
  const events = await agency.get('/api/notifications/stream', { signal: ending.signal })
  t.true(events instanceof ReadableStream)
  ending.abort()
})

test('the generated files match the OpenAPI documents', async (t) => {
  for (const [file, text] of Object.entries(await generated())) t.is(readGenerated(file), text, file)
})
