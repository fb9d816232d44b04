import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { type ClientOptions, type PaymentsClient, PorticoError, paymentsClient } from '../../../apps/client/mod.ts'

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const text =
  (status: number, body: string, type = 'text/html') =>
  () =>
    new Response(body, { status, headers: { 'content-type': type } })
const lost = () => {
  throw new TypeError('fetch failed')
}
const cut = () =>
  new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('terminated')) }), {
    headers: { 'content-type': 'application/json' },
  })
const OK = json(200, { data: [] })
const BUSY = { error_code: 'server.busy', message: 'Ocupado.' }
const busy = (after?: string) => json(503, BUSY, after === undefined ? {} : { 'retry-after': after })

/** Returns a client whose server answers by a script, with its recorded requests and waits. */
const scripted = (script: readonly (() => Response)[], more: Partial<ClientOptions> = {}) => {
  const [left, waits]: [(() => Response)[], number[]] = [[...script], []]
  const requests: { readonly url: string; readonly method: string; readonly headers: Headers }[] = []
  const client = paymentsClient({
    baseUrl: 'https://pay.example.com/',
    auth: { token: 't' },
    fetch: async (url, { method = '', headers } = {}) => {
      requests.push({ url: `${url}`, method, headers: new Headers(headers) })
      const next = left.shift()
      if (!next) throw new Error('a request too many')
      return next()
    },
    runtime: {
      now: () => Date.parse('2030-11-21T13:05:09Z'),
      wait: async (ms) => void waits.push(ms),
      random: () => 0,
    },
    ...more,
  })
  return { client, requests, waits, keys: () => requests.map(({ headers }) => headers.get('idempotency-key')) }
}

const failing = async (asked: Promise<unknown>): Promise<PorticoError> => {
  const failure = await asked.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof PorticoError)) throw new Error(`no PorticoError: ${failure}`)
  return failure
}

const CHARGE = {
  value: 1,
  payment_method: 'PIX',
  due_date: '2030-11-30',
  name: 'Ana',
  document: '52998224725',
} as const
const CREDENTIALS = { email: 'a@b.example', password: 'x' }
type Ask = (client: PaymentsClient) => Promise<unknown>
const repeatable: Readonly<Record<string, Ask>> = {
  GET: (client) => client.get('/invoices'),
  PUT: (client) => client.put('/invoices/{id}', { path: { id: 1 }, body: {} }),
  DELETE: (client) => client.delete('/invoices/{id}', { path: { id: 1 } }),
  'POST with a key': (client) => client.post('/invoices', { body: CHARGE }),
}
const sentOnce: Readonly<Record<string, Ask>> = {
  'POST of a public route': (client) =>
    client.post('/public/paymentLink/{id}/pay', { path: { id: 'x' }, body: CHARGE }),
  'POST without a documented key': (client) => client.post('/v1/auth/login', { body: CREDENTIALS }),
  PATCH: (client) => client.patch('/v1/organizations/{id}', { path: { id: 1 }, body: {} }),
}
const troubles = { 'a network error': lost, 'a broken answer': cut, 'a 503': busy() }

for (const [trouble, answer] of Object.entries(troubles)) {
  for (const [name, ask] of Object.entries(repeatable))
    test(`retries ${name} three times after ${trouble}, with growing waits`, async (t) => {
      const { client, waits, requests, keys } = scripted([answer, answer, answer, OK])
      await ask(client)
      t.deepEqual(waits, [250, 500, 1_000])
      t.is(requests.length, 4)
      t.is(new Set(keys()).size, 1)
      t.is(keys()[0] !== null, name.startsWith('POST'))
      const { client: unlucky } = scripted([answer, answer, answer, answer])
      t.is((await failing(ask(unlucky))).code, answer === troubles['a 503'] ? 'server.busy' : 'network')
    })
  for (const [name, ask] of Object.entries(sentOnce))
    test(`does not retry ${name} after ${trouble}`, async (t) => {
      const { client, requests, keys } = scripted([answer, OK])
      await failing(ask(client))
      t.is(requests.length, 1)
      t.deepEqual(keys(), [null])
    })
}

for (const [after, waited] of [
  ['7', 7_000],
  ['0', 0],
  ['Thu, 21 Nov 2030 13:05:19 GMT', 10_000],
  ['soon', 250],
] as const)
  test(`waits for Retry-After: ${after}`, async (t) => {
    const { client, waits } = scripted([busy(after), OK])
    await client.get('/invoices')
    t.deepEqual(waits, [waited])
  })

test('does not retry if Retry-After exceeds a minute, and returns it to the caller', async (t) => {
  const { client, requests } = scripted([busy('61')])
  t.like(await failing(client.get('/invoices')), { code: 'server.busy', status: 503, retryAfterSeconds: 61 })
  t.is(requests.length, 1)
})

test('retries a key whose first request still runs, but no other conflict, 429 or 500', async (t) => {
  const running = json(409, { error_code: 'key.running', message: '' }, { 'retry-after': '2' })
  const { client, waits } = scripted([lost, running, json(200, { data: { id: 1 } })])
  await client.post('/invoices', { body: CHARGE, idempotencyKey: 'pedido-1' })
  t.deepEqual(waits, [250, 2_000])
  for (const status of [409, 429, 500]) {
    const { client: refused } = scripted([json(status, { error_code: 'other', message: '' }, { 'retry-after': '1' })])
    t.is((await failing(refused.post('/invoices', { body: CHARGE }))).status, status)
  }
})

test('throws failures of both APIs with code, fields, message and request id', async (t) => {
  const id = { 'x-request-id': 'r-1' }
  const errors = { value: ['Obrigatório.'], 'card.number': ['Errado.', 'Curto.'] }
  const error_codes = { value: ['required'], 'card.number': ['card.number', 'text.min'] }
  const ofPayments = json(422, { error_code: 'fields', message: 'Inválidos.', errors, error_codes, hint: 'Leia.' }, id)
  const problems = [{ field: 'address.city', message: 'Obrigatório.', code: 'required' }]
  const ofAgency = json(400, { code: 'fields', detail: 'Inválidos.', errors: problems }, id)
  const about = { code: 'fields', message: 'Inválidos.', requestId: 'r-1' }
  t.like(await failing(scripted([ofPayments]).client.get('/invoices')), {
    ...about,
    status: 422,
    hint: 'Leia.',
    fields: {
      value: [{ code: 'required', message: 'Obrigatório.' }],
      'card.number': [
        { code: 'card.number', message: 'Errado.' },
        { code: 'text.min', message: 'Curto.' },
      ],
    },
  })
  t.like(await failing(scripted([ofAgency]).client.get('/invoices')), {
    ...about,
    status: 400,
    hint: null,
    fields: { 'address.city': [{ code: 'required', message: 'Obrigatório.' }] },
  })
})

for (const [name, answer, status] of [
  ['an HTML page of a proxy', text(502, '<h1>Bad gateway</h1>'), 502],
  ['an HTML page that says 200', text(200, '<h1>Welcome</h1>'), 200],
  ['JSON that is cut', text(200, '{"data": [', 'application/json'), 200],
] as const)
  test(`${name} is a failure of its own`, async (t) => {
    const { client, requests } = scripted([answer])
    t.like(await failing(client.get('/invoices')), { code: 'reply.unreadable', status })
    t.is(requests.length, 1)
  })

test('returns a file as Blob, and an empty answer as undefined', async (t) => {
  const pdf = text(200, '%PDF-', 'application/pdf')
  const { client, requests } = scripted([pdf, () => new Response(null, { status: 204 })])
  const file = await client.get('/billing/charges/{id}/download-pdf', { path: { id: 7 } })
  t.is(await file.text(), '%PDF-')
  t.is(await client.delete('/clients/{id}', { path: { id: 'a/b' } }), undefined)
  t.deepEqual(
    requests.map(({ url }) => url),
    ['https://pay.example.com/billing/charges/7/download-pdf', 'https://pay.example.com/clients/a%2Fb'],
  )
})

test('yields the pages of a list in order, with the query', async (t) => {
  const page = (last_page: number) => json(200, { data: [1], meta: { last_page } })
  const { client, requests } = scripted([page(3), page(3), page(3)])
  let count = 0
  for await (const { data } of client.pages('/invoices', { query: { status_id: [1, 2], per_page: 1 } }))
    count += data.length
  t.is(count, 3)
  t.deepEqual(
    requests.map(({ url }) => new URL(url).search),
    [1, 2, 3].map((at) => `?status_id=1&status_id=2&per_page=1&page=${at}`),
  )
})

/** Answers that do not begin, or do not end, until the request is aborted. */
const silent = (signal: AbortSignal) =>
  new Promise<Response>((_, failed) => signal.addEventListener('abort', () => failed(signal.reason)))
const endless = async (signal: AbortSignal) =>
  new Response(
    new ReadableStream({ start: (stream) => signal.addEventListener('abort', () => stream.error(signal.reason)) }),
    { headers: { 'content-type': 'application/json' } },
  )

for (const [name, answer] of Object.entries({ silent, endless }))
  test(`throws a time-out for a ${name} server; retries only a POST with a key`, async (t) => {
    let count = 0
    const hanging: typeof fetch = (_, init) => {
      count += 1
      return init?.signal ? answer(init.signal) : Promise.reject(new Error('no signal'))
    }
    const { client } = scripted([], { fetch: hanging, timeoutMs: 1 })
    t.like(await failing(client.post('/v1/auth/login', { body: CREDENTIALS })), { code: 'timeout', status: null })
    t.is(count, 1)
    t.is((await failing(client.post('/invoices', { body: CHARGE }))).code, 'timeout')
    t.is(count, 5)
    const ending = new AbortController()
    const { client: patient } = scripted([], { fetch: hanging })
    const asked = patient.get('/invoices', { signal: ending.signal })
    ending.abort(new Error('enough'))
    await t.throwsAsync(asked, { message: 'enough' })
  })

test('throws a network error if the server closes the socket, and sends a POST without a key once', async (t) => {
  let count = 0
  const server = createServer(({ socket }) => {
    count += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const client = paymentsClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  t.is((await failing(client.post('/v1/auth/login', { body: CREDENTIALS }))).code, 'network')
  t.is(count, 1)
})

test('replaces a refused token and repeats a repeatable request, but not after a wrong password', async (t) => {
  const refused = json(401, { error_code: 'token.invalid', message: '' })
  const given: (string | null)[] = []
  const token = (last: string | null) => {
    given.push(last)
    return last === null ? 'old' : 'new'
  }
  const auth = { token }
  const { client, requests } = scripted([refused, OK, refused, OK], { auth })
  await client.get('/invoices')
  t.is((await failing(client.post('/v1/auth/logout'))).code, 'token.invalid')
  await client.get('/invoices')
  t.deepEqual(given, [null, 'old', null, 'old'])
  t.deepEqual(
    requests.map(({ headers }) => headers.get('authorization')),
    ['Bearer old', 'Bearer new', 'Bearer old', 'Bearer new'],
  )
  const wrong = json(401, { error_code: 'password.wrong', message: '' })
  const edit = scripted([wrong], { auth }).client.put('/access/auth/edit', { body: { current_password: 'x' } })
  t.is((await failing(edit)).code, 'password.wrong')
})
