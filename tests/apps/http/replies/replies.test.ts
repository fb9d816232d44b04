import test from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { dialects } from '../../../../apps/payments/dialects.ts'
import { dialects as estateDialects } from '../../../../apps/real-estate/dialects.ts'
import { idempotencyKeys } from '../../../../core/office/idempotency-keys.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { openToy, openWithNote } from '../toy-api.ts'
import { notes, payments as paymentsOfNotes } from '../toy-core.ts'

const success = { status: 200, key: null, data: { id: 1 }, message: 'ok', more: {} }
const paged = { ...success, data: [1, 2], page: { page: 2, perPage: 2, total: 5 }, meta: null }
const wrong = [
  { code: 'text', message: 'x' },
  { code: 'text.max', message: 'y' },
]
const fault = { hint: null, status: 422, code: 'fields', message: 'não', errors: { a: wrong }, requestId: null }

test('v1 and envelope: code, success, data under its key, message', (t) => {
  for (const dialect of [dialects.v1, dialects.envelope]) {
    t.deepEqual(dialect.ok(success), { code: 200, success: true, data: { id: 1 }, message: 'ok' })
    t.deepEqual(dialect.ok({ ...success, key: 'user', more: { extra: 1 } }), {
      code: 200,
      success: true,
      user: { id: 1 },
      extra: 1,
      message: 'ok',
    })
    t.is(JSON.stringify(dialect.ok({ ...success, data: undefined })), '{"code":200,"success":true,"message":"ok"}')
    t.deepEqual(dialect.page(paged), {
      code: 200,
      success: true,
      data: [1, 2],
      meta: { current_page: 2, per_page: 2, total: 5, last_page: 3 },
      message: 'ok',
    })
    t.like(dialect.page({ ...paged, meta: { total: 5 } }), { meta: { total: 5 } })
    t.deepEqual(dialect.fail(fault), {
      code: 422,
      success: false,
      message: 'não',
      error_code: 'fields',
      errors: { a: ['x', 'y'] },
      error_codes: { a: ['text', 'text.max'] },
    })
    t.deepEqual(dialect.fail({ ...fault, errors: null, requestId: 'r' }), {
      code: 422,
      success: false,
      message: 'não',
      error_code: 'fields',
      request_id: 'r',
    })
  }
})

test('bare: returns the object itself, or its message', (t) => {
  t.deepEqual(dialects.bare.ok(success), { id: 1 })
  t.deepEqual(dialects.bare.ok({ ...success, data: [1] }), [1])
  t.deepEqual(dialects.bare.ok({ ...success, data: undefined }), { message: 'ok' })
  t.deepEqual(dialects.bare.ok({ ...success, more: { unread_count: 0 } }), { id: 1, unread_count: 0 })
  t.deepEqual(dialects.bare.page(paged), {
    data: [1, 2],
    meta: { current_page: 2, per_page: 2, total: 5, last_page: 3 },
  })
  t.deepEqual(dialects.bare.fail(fault), dialects.envelope.fail(fault))
})

test('estate: the object itself, pages with their counts, problems by RFC 9457', (t) => {
  const { estate } = estateDialects
  t.deepEqual(estate.ok(success), { id: 1 })
  t.deepEqual(estate.page(paged), {
    data: [1, 2],
    page: 2,
    pageSize: 2,
    total: 5,
    totalPages: 3,
    hasNext: true,
    hasPrevious: true,
  })
  t.like(estate.page({ ...paged, page: { page: 1, perPage: 20, total: 0 } }), {
    totalPages: 0,
    hasNext: false,
    hasPrevious: false,
  })
  t.deepEqual(estate.fail(fault), {
    type: 'urn:portico:problem:fields',
    title: 'Operação recusada',
    status: 422,
    detail: 'não',
    code: 'fields',
    errors: [
      { field: 'a', message: 'x', code: 'text' },
      { field: 'a', message: 'y', code: 'text.max' },
    ],
  })
})

test('sends problems as application/problem+json', async (t) => {
  const toy = await openToy(t)
  const wrong = await toy.ask('/problem/boom', { method: 'POST', body: { title: 'long' } })
  t.is(wrong.status, 422)
  t.is(wrong.headers.get('content-type'), 'application/problem+json')
  t.like(wrong.body, { status: 422, errors: [{ field: 'title', message: 'Deve ter no máximo 3 caracteres.' }] })
  const broken = await toy.ask('/problem/boom', { method: 'POST' })
  t.is(broken.status, 500)
  t.like(broken.body, { status: 500, requestId: broken.headers.get('x-request-id') })
})

test('a list is paged if a page is requested, else streamed whole, in the same envelope', async (t) => {
  const toy = await openToy(t)
  t.is(
    (await toy.ask('/notes')).text,
    '{"code":200,"success":true,"notes":[],"message":"Operação realizada com sucesso."}',
  )
  for (let n = 1; n <= 3; n += 1) await toy.ask('/notes', { method: 'POST', body: { title: `n${n}`, value: n } })
  const view = (n: number) => ({ id: n, title: `n${n}`, value: n })
  const whole = await toy.ask('/legacy/notes')
  t.deepEqual(whole.body, {
    code: 200,
    success: true,
    notes: [view(1), view(2), view(3)],
    message: 'Operação realizada com sucesso.',
  })
  t.is(whole.headers.get('content-length'), null)
  t.deepEqual((await toy.ask('/notes?page=2&per_page=2')).body, {
    code: 200,
    success: true,
    notes: [view(3)],
    meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 },
    message: 'Operação realizada com sucesso.',
  })
  t.like((await toy.ask('/estate/notes?pageSize=2')).body, { total: 3, totalPages: 2, hasNext: true })
  t.is((await toy.ask('/notes?page=1&page=2')).status, 422)
  t.is((await toy.ask('/notes?page[$ne]=1&unknown=1')).status, 200)
})

test('streams a long list as one JSON text', async (t) => {
  const toy = await openToy(t)
  const title = 'ç"\\\u2028'.repeat(5)
  for (let n = 0; n < 1_000; n += 1) await toy.core.add('ana', { title: `${n}`.padStart(20, title), cents: n })()
  const { body } = await toy.ask('/notes')
  t.is((body as { notes: unknown[] }).notes.length, 1_000)
})

test('streams a file with its name and type, and returns 500 if it fails before the first chunk', async (t) => {
  const toy = await openToy(t)
  await toy.ask('/notes', { method: 'POST', body: { title: 'a"\r\nç;é', value: 1 } })
  const file = await toy.ask('/notes/1/file_x.txt')
  t.is(file.status, 200)
  t.is(file.headers.get('content-type'), 'text/plain; charset=utf-8')
  t.regex(
    file.headers.get('content-disposition') ?? '',
    /^attachment; filename="[^\r\n]*"; filename\*=UTF-8''nota%20a%22/,
  )
  t.is(file.text, 'a"\nç;é|x')
  const broken = await toy.ask('/notes/1/file_broken.txt')
  t.is(broken.status, 500)
  t.is(broken.headers.get('content-disposition'), null)
  await t.throwsAsync(toy.ask('/notes/1/file_half.txt'))
  t.is((await toy.ask('/notes/1/file_broken.txt', { method: 'HEAD' })).status, 500)
})

test('empty returns 204 without body or type', async (t) => {
  const toy = await openWithNote(t)
  const { status, text, headers } = await toy.ask('/notes/1', { method: 'DELETE' })
  t.is(status, 204)
  t.is(text, '')
  t.is(headers.get('content-type'), null)
  t.is((await toy.ask('/notes/1')).status, 404)
})

test('sets the headers of the reply', async (t) => {
  const toy = await openToy(t)
  const { status, headers, body } = await toy.ask('/notes', { method: 'POST', body: { title: 'a', value: 10.5 } })
  t.is(status, 201)
  t.is(headers.get('location'), '/notes/1')
  t.deepEqual(body, { code: 201, success: true, data: { id: 1, title: 'a', value: 10.5 }, message: 'Nota criada.' })
})

test('sends the answer of the committed attempt, and commits nothing for reads', async (t) => {
  const plain = memoryStore([notes, paymentsOfNotes, idempotencyKeys])
  let commits = 0
  const store: Store = {
    ...plain,
    commit: async (changes, hooks) => {
      commits += 1
      // The first attempt of the PUT is stale.
      if (commits === 2) return { ok: false, stale: ['toy.notes', 1] }
      return plain.commit(changes, hooks)
    },
  }
  const toy = await openWithNote(t, { store })
  const body = { value: 2, pin: '1234' }
  t.like((await toy.ask('/notes/1', { method: 'PUT', body })).body, { data: { id: 1, title: 'a', value: 2 } })
  t.is(commits, 3)
  for (const path of ['/notes', '/notes/1', '/estate/notes']) t.is((await toy.ask(path)).status, 200)
  t.is((await toy.ask('/public/echo', { method: 'POST', body: { title: 'a', value: 1 } })).status, 200)
  t.is((await toy.ask('/import', { method: 'POST', body: { title: 'a' } })).status, 200)
  t.is(commits, 3)
})
