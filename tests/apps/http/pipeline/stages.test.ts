import test from 'ava'
import { ADMIN, type Served, serveToy } from '../toy-api.ts'

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

test('no token: 401, before the body is looked at', async (t) => {
  const { status, body } = await toy.ask('/notes/1', { method: 'PUT', token: null, body: '{broken' })
  t.is(status, 401)
  t.deepEqual(body, { code: 401, success: false, message: 'Não autenticado.', error_code: 'token.missing' })
})

test('a body that cannot be read comes before the context', async (t) => {
  const headers = { 'X-Account': 'none', 'Content-Type': 'application/json' }
  t.is((await toy.ask('/notes/1', { method: 'PUT', body: '{broken', headers })).status, 400)
  t.is(
    (await toy.ask('/notes/1', { method: 'PUT', body: 'a', headers: { ...headers, 'Content-Type': 'text/plain' } }))
      .status,
    415,
  )
})

test('the context comes before the permission', async (t) => {
  const { status, body } = await toy.ask('/notes/1', {
    method: 'PUT',
    token: VIEWER,
    body: {},
    headers: { 'X-Account': 'none' },
  })
  t.is(status, 404)
  t.like(body, { message: 'Nenhuma organização encontrada.' })
})

test('the permission comes before the key', async (t) => {
  const { status, body } = await toy.ask('/notes', {
    method: 'POST',
    token: VIEWER,
    body: {},
    headers: { 'Idempotency-Key': '' },
  })
  t.is(status, 403)
  t.like(body, { message: 'Permissão insuficiente.' })
})

test('the key comes before whether the account may write', async (t) => {
  const headers = { 'Idempotency-Key': 'x'.repeat(256) }
  t.is((await toy.ask('/notes', { method: 'POST', token: SAD, body: {}, headers })).status, 422)
})

test('whether the account may write comes before the record; reading needs none', async (t) => {
  const { status, body } = await toy.ask('/notes/999', { method: 'PUT', token: SAD, body: {} })
  t.is(status, 403)
  t.like(body, { message: 'Organização não está ativa.' })
  t.is((await toy.ask('/notes/2', { token: SAD })).status, 200)
})

test('the record comes before the precondition: another’s id is like one that is not there', async (t) => {
  const [foreign, missing] = [
    await toy.ask('/notes/2', { method: 'PUT', body: { pin: 'wrong' } }),
    await toy.ask('/notes/999', { method: 'PUT', body: { pin: 'wrong' } }),
  ]
  t.is(foreign.status, 404)
  t.is(foreign.text, missing.text)
  t.like(missing.body, { message: 'Nota não encontrada.' })
  for (const id of ['abc', '1e0', '-1', '1.5', '%20', '9'.repeat(40)]) t.is((await toy.ask(`/notes/${id}`)).status, 404)
})

test('the precondition comes before the input', async (t) => {
  const { status, body } = await toy.ask('/notes/1', { method: 'PUT', body: { pin: 'wrong', value: 'x' } })
  t.is(status, 403)
  t.like(body, { message: 'PIN inválido.' })
})

test('the input names every wrong field of query and body at once', async (t) => {
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

test('a row that lists its stages has its own order', async (t) => {
  const ask = (token: string, id: number, body: unknown) => toy.ask(`/withdrawn/${id}`, { method: 'PUT', token, body })
  t.is((await ask(SAD, 999, { pin: 'wrong' })).status, 422)
  t.is((await ask(SAD, 999, { value: 1, pin: 'wrong' })).status, 403)
  t.like((await ask(ADMIN, 999, { value: 1, pin: 'wrong' })).body, { message: 'PIN inválido.' })
  t.is((await ask(ADMIN, 999, FULL)).status, 404)
  t.is((await ask(ADMIN, 1, FULL)).status, 200)
})

test('PUT and PATCH of one row both run it', async (t) => {
  for (const method of ['PUT', 'PATCH']) {
    const { status, body } = await toy.ask('/notes/1', { method, body: { value: 3.25, pin: '1234' } })
    t.is(status, 200)
    t.like(body, { data: { id: 1, title: 'de ana', value: 3.25 } })
  }
})

test('a failure that a row words otherwise, one that nobody knows, and those that ask to wait', async (t) => {
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
