import test from 'ava'
import { readEnvironment } from '../../../apps/host/environment.ts'
import { type AnyRow, bodyRuleOf, takesFields } from '../../../apps/http/rows/row.ts'
import { ignoredFieldsStep } from '../../../apps/http/stages.ts'
import { rows as paymentsRows } from '../../../apps/payments/catalogue.ts'
import { dialects as paymentsDialects } from '../../../apps/payments/dialects.ts'
import { rows as estateRows } from '../../../apps/real-estate/catalogue.ts'
import { dialects as estateDialects } from '../../../apps/real-estate/dialects.ts'
import { openTestApi } from '../payments/test-api.ts'
import { openEstateApi } from '../real-estate/test-api.ts'
import { ADMIN, openToy, type Served, serveToy } from './toy-api.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy()
  await toy.ask('/notes', { method: 'POST', body: { title: 'de ana', value: 1 } })
  await toy.core.add('sad', { title: 'de sad', cents: 100 })()
})
test.after.always(() => toy.stop())

const VIEWER = 'Bearer ana:viewer'
const SAD = 'Bearer sad:admin'
const FULL = { value: 2, pin: '1234' }

const PUT = { method: 'PUT', body: {} }
const POST = { method: 'POST', body: {} }
const NO_ACCOUNT = { 'X-Account': 'none', 'Content-Type': 'application/json' }
const TEXT = { ...NO_ACCOUNT, 'Content-Type': 'text/plain' }
const LONG_KEY = { 'Idempotency-Key': 'x'.repeat(256) }
const WRONG_PIN = { method: 'PUT', body: { pin: 'wrong', value: 'x' } }

/** Requests with two faults: the answer has the code of the earlier stage. */
const ORDER: readonly (readonly [string, string, Parameters<Served['ask']>[1], number, string])[] = [
  ['authentication precedes the body', '/notes/1', { ...PUT, token: null, body: '{broken' }, 401, 'token.missing'],
  [
    'the body precedes the context',
    '/notes/1',
    { ...PUT, body: '{broken', headers: NO_ACCOUNT },
    400,
    'json.malformed',
  ],
  ['its type precedes the context', '/notes/1', { ...PUT, body: 'a', headers: TEXT }, 415, 'body.unsupported'],
  [
    'the context precedes the permission',
    '/notes/1',
    { ...PUT, token: VIEWER, headers: NO_ACCOUNT },
    404,
    'account.unknown',
  ],
  [
    'the permission precedes the key',
    '/notes',
    { ...POST, token: VIEWER, headers: LONG_KEY },
    403,
    'permission.missing',
  ],
  ['the key precedes the right to write', '/notes', { ...POST, token: SAD, headers: LONG_KEY }, 422, 'key.malformed'],
  ['the right to write precedes the record', '/notes/999', { ...PUT, token: SAD }, 403, 'account.suspended'],
  ['the record precedes the precondition', '/notes/999', WRONG_PIN, 404, 'note.unknown'],
  ['the record of another account is unknown', '/notes/2', WRONG_PIN, 404, 'note.unknown'],
  ['the precondition precedes the input', '/notes/1', WRONG_PIN, 403, 'pin.wrong'],
]

for (const [title, path, sent, status, code] of ORDER)
  test(title, async (t) => t.like(await toy.ask(path, sent), { status, body: { error_code: code } }))

test('the account’s right to write is not needed to read', async (t) => {
  t.is((await toy.ask('/notes/2', { token: SAD })).status, 200)
})

test('the input names all wrong fields of query and body', async (t) => {
  const { status, body } = await toy.ask('/public/echo?times=9', {
    method: 'POST',
    token: null,
    body: { title: 'a'.repeat(21) },
  })
  t.is(status, 422)
  t.deepEqual(body, {
    code: 422,
    success: false,
    message: 'Os dados fornecidos são inválidos.',
    error_code: 'fields',
    errors: {
      times: ['Deve ser no máximo 3.'],
      title: ['Deve ter no máximo 20 caracteres.'],
      value: ['O campo é obrigatório.'],
    },
    error_codes: { times: ['integer.max'], title: ['text.max'], value: ['required'] },
  })
})

test('a row with stages runs them in its own order', async (t) => {
  const ask = (token: string, id: number, body: unknown) => toy.ask(`/withdrawn/${id}`, { method: 'PUT', token, body })
  t.is((await ask(SAD, 999, { pin: 'wrong' })).status, 422)
  t.is((await ask(SAD, 999, { value: 1, pin: 'wrong' })).status, 403)
  t.like((await ask(ADMIN, 999, { value: 1, pin: 'wrong' })).body, { message: 'PIN inválido.' })
  t.is((await ask(ADMIN, 999, FULL)).status, 404)
  t.is((await ask(ADMIN, 1, FULL)).status, 200)
})

test('runs a row by each of its methods', async (t) => {
  for (const method of ['PUT', 'PATCH']) {
    const { status, body } = await toy.ask('/notes/1', { method, body: { value: 3.25, pin: '1234' } })
    t.is(status, 200)
    t.like(body, { data: { id: 1, title: 'de ana', value: 3.25 } })
  }
})

test('answers failures with the row’s own texts, unknown codes by their tag, and Retry-After', async (t) => {
  const fail = (how: string) => toy.ask(`/fail/${how}`, { method: 'POST' })
  const overridden = await fail('overridden')
  t.is(overridden.status, 418)
  t.like(overridden.body, { message: 'Sou um bule.' })
  const unheard = await fail('unheard')
  t.is(unheard.status, 410)
  t.like(unheard.body, { message: 'O recurso não está mais disponível.' })
  t.is((await fail('constructor')).status, 409)
  const throttled = await fail('throttled')
  t.is(throttled.status, 429)
  t.is(throttled.headers.get('retry-after'), '7')
  t.like((await fail('refused')).body, { code: 400, message: 'O banco recusou: sem saldo.' })
})

const HEADER = 'x-ignored-fields'
const dialects: Readonly<Record<string, (typeof paymentsDialects)['v1']>> = { ...paymentsDialects, ...estateDialects }

/** Returns the header of a row's answer to a body. */
const headerOf = (row: AnyRow, body: unknown): string | null => {
  const headers: Record<string, string> = {}
  const ctx = { state: { headers } }
  const side = dialects[row.dialect]?.side
  if (side) void ignoredFieldsStep(row, side)?.({ ctx, body } as never)
  return headers['X-Ignored-Fields'] ?? null
}

test('each row reads every field of its example, and names an unknown one as ignored', (t) => {
  const writes = [...paymentsRows, ...estateRows].filter((row) => takesFields(bodyRuleOf(row)))
  t.true(writes.length > 100)
  for (const row of writes) {
    const body = row.example.request?.body ?? {}
    t.is(headerOf(row, body), null, row.name)
    t.is(headerOf(row, { ...Object(body), descripton: 1 }), 'descripton', row.name)
  }
})

test('names the ignored fields of payments at every level, except in free-form objects', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const ignored = async (method: string, path: string, body: unknown, status: number) => {
    const answer = await ask(method, path, { token, body })
    t.is(answer.status, status, answer.text)
    return answer.headers.get(HEADER)
  }
  const charge = { value: 10, payment_method: 'PIX', due_date: '2030-01-02', name: 'Ana', document: '12345678909' }
  const email = 'ana@example.com'
  t.is(await ignored('POST', '/invoices', { ...charge, email }, 200), null)
  t.is(
    await ignored('POST', '/invoices', { ...charge, email, descripton: 'a', web_hook: 'b' }, 200),
    'descripton,web_hook',
  )
  t.is(await ignored('POST', '/invoices', { ...charge, value: -1, valor: 2 }, 422), 'valor')
  // A field is read from the first of its names.
  t.is(await ignored('POST', '/invoices', { amount: 9, ...charge, email }, 200), 'amount')
  t.is(await ignored('POST', '/invoices', { ...charge, email, value: undefined, amount: 9 }, 200), null)
  const person = { name: 'Ana', email, type: 'individual', metadata: [{ label: 'cor', value: { tom: 1 }, nota: 2 }] }
  const address = { street: 'Rua A', city: 'São Paulo', state: 'SP', citty: 'x' }
  t.is(await ignored('POST', '/clients', { ...person, document: '52998224725', address }, 200), 'address.citty')
  t.is(await ignored('POST', '/v1/clients', { name: 'Bia', metadata: { livre: { sim: 1 } }, nmae: 'x' }, 201), 'nmae')
  t.is((await ask('GET', '/invoices?descripton=1', { token })).headers.get(HEADER), null)
})

test('names the ignored fields of the agency, in nested objects too', async (t) => {
  const api = await openEstateApi(t)
  const { token } = await api.agency()
  const body = { name: 'Ana', email: 'ana@example.com', type: 'Individual', interest: 'Lease', fone: '1' }
  const client = await api.ask('POST', '/api/clients', { token, body })
  t.deepEqual([client.status, client.headers.get(HEADER)], [201, 'fone'])
  const address = { street: 'Rua A', number: '1', city: 'São Paulo', state: 'SP', zipCode: '01310100', bairo: 'x' }
  const property = { code: 'AP-1', type: 'Apartment', purpose: 'Lease', rentPrice: 1, ownerId: client.body.id, address }
  t.is((await api.ask('POST', '/api/properties', { token, body: property })).headers.get(HEADER), 'address.bairo')
})

test('names at most ten ignored fields, percent-encoded, without card numbers, for forms and failures too', async (t) => {
  const toy = await openToy(t)
  const sent = async (path: string, body: unknown) =>
    (await toy.ask(path, { method: 'POST', body })).headers.get(HEADER)
  const good = { title: 'a', value: 1 }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 'valor']))
  t.is(await sent('/public/echo', { ...good, ...many }), 'f0,f1,f2,f3,f4,f5,f6,f7,f8,f9')
  t.is(await sent('/public/echo', { ...good, 'a,b.ç\ud800\r\n': 1 }), 'a%2Cb%2E%C3%A7%EF%BF%BD%0D%0A')
  t.is(await sent('/public/echo', { ...good, '5555 5555-5555 4444': 1, ok: 1 }), 'ok')
  t.is(await sent('/public/echo', { ...good, ['x'.repeat(500)]: 1 }), 'x'.repeat(64))
  t.is(await sent('/public/echo', JSON.parse('{"title":"a","value":1,"__proto__":1}')), '__proto__')
  t.is(await sent('/public/echo', { titel: 'a' }), 'titel')
  t.is(await sent('/fail/overridden', { anything: 1 }), 'anything')
  const form = new FormData()
  for (const name of ['title', 'titel', 'endereco[rua]']) form.set(name, 'a')
  t.is(await sent('/import', form), 'titel,endereco')
  const head = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const posted = await toy.ask('/public/form', { method: 'POST', body: 'title=a&titel=b', headers: head })
  t.is(posted.headers.get(HEADER), 'titel')
})

test('names ignored fields in production only with STRICT_HINTS', async (t) => {
  const ignored = async (env: Record<string, string>) => {
    const { ask } = await openTestApi(t, { env })
    return (await ask('POST', '/v1/auth/login', { body: { emial: 'a' } })).headers.get(HEADER)
  }
  const production = {
    NODE_ENV: 'production',
    JWT_SECRET: 'x'.repeat(32),
    DATA_KEY: Buffer.alloc(32).toString('base64'),
  }
  t.is(await ignored(production), null)
  t.is(await ignored({ ...production, STRICT_HINTS: 'true' }), 'emial')
  const message = 'STRICT_HINTS: got "sim", accepts true or false'
  t.throws(() => readEnvironment({ STRICT_HINTS: 'sim' }), { message })
})
