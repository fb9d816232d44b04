import test from 'ava'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { always } from '../../../core/kernel/records/record.ts'
import {
  canonicalText,
  idempotencyKeys,
  KEY_LEASE_SECONDS,
  KEY_LIFE_SECONDS,
} from '../../../core/office/idempotency-keys.ts'
import { listOf } from '../../../core/ports/store.ts'
import { cipher, openToy, openWithNote, type Served } from './toy-api.ts'
import { holdPayment, notes, payments } from './toy-core.ts'
import { toyRows } from './toy-rows.ts'

const keyed = (key: string, more: Readonly<Record<string, string>> = {}) => ({ 'Idempotency-Key': key, ...more })
const add = (toy: Served, key: string, body: unknown, token?: string) =>
  toy.ask('/notes', { method: 'POST', headers: keyed(key), body, ...(token ? { token } : {}) })
const pay = (toy: Served, key: string, id = 1) => toy.ask(`/notes/${id}/pay`, { method: 'POST', headers: keyed(key) })
const countOf = async (toy: Served, from: typeof notes | typeof payments | typeof idempotencyKeys) =>
  (await toy.store.list(listOf(from as typeof notes, { where: always, limit: 500, total: true }))).total

test('replays the first answer, byte for byte, for the same key and body', async (t) => {
  const toy = await openToy(t)
  const first = await add(toy, 'k1', { title: 'a', value: 10.5 })
  const again = await add(toy, 'k1', { title: 'a', value: 10.5 })
  t.is(first.status, 201)
  t.is(first.headers.get('idempotent-replayed'), null)
  t.is(again.status, 201)
  t.is(again.text, first.text)
  t.is(again.headers.get('idempotent-replayed'), 'true')
  for (const name of ['location', 'content-type', 'content-length']) {
    t.is(again.headers.get(name), first.headers.get(name))
  }
  t.is(await countOf(toy, notes), 1)
})

test('stores requests and answers encrypted', async (t) => {
  const toy = await openToy(t)
  const body = { title: 'confidencial', value: 10.5 }
  const { text } = await add(toy, 'k', body)
  const { records } = await toy.store.list(listOf(idempotencyKeys, { where: always, limit: 2 }))
  const [stored] = records
  if (!stored || records.length > 1) return t.fail('one record is stored')
  t.false(JSON.stringify(stored).includes('confidencial'))
  const request = canonicalText({ params: {}, query: {}, body }, (text) => text)
  const guesses = [digest.sha256(request), digest.sha256(JSON.stringify(body)), digest.sha256(text)]
  t.false(guesses.includes(stored.fingerprint))
  // The cipher binds the stored texts to their record.
  const context = `http.keys/${stored.id}`
  t.is(cipher.digest(request, context), stored.fingerprint)
  t.is(cipher.open(stored.replySealed ?? '', context), text)
  t.throws(() => cipher.open(stored.replySealed ?? '', 'http.keys/another'))
})

test('compares bodies as parsed JSON, and the path and query parameters that the row reads', async (t) => {
  const toy = await openWithNote(t)
  const send = (path: string, body: string) =>
    toy.ask(path, { method: 'POST', body, headers: keyed('k', { 'Content-Type': 'application/json' }) })
  t.is((await send('/notes', '{"title":"b","value":1.50}')).status, 201)
  t.is((await send('/notes', ' {"value":1.5, "title":"\\u0062"}')).headers.get('idempotent-replayed'), 'true')
  t.is((await send('/notes?x=1', '{"title":"b","value":1.5}')).headers.get('idempotent-replayed'), 'true')
  for (const [path, body] of [
    ['/notes', '{"title":"b","value":1.51}'],
    ['/notes', '{"title":"b","value":1.5,"more":null}'],
  ] as const) {
    const reused = await send(path, body)
    t.is(reused.status, 422)
    t.like(reused.body, { message: 'A chave de idempotência já foi usada em outra requisição.' })
  }
  await toy.core.add('ana', { title: 'c', cents: 100 })()
  t.is((await pay(toy, 'p', 1)).status, 200)
  t.is((await pay(toy, 'p', 2)).status, 422)
})

test('separates the keys of accounts and of routes', async (t) => {
  const toy = await openWithNote(t)
  const body = { title: 'b', value: 1 }
  t.is((await add(toy, 'k', body)).status, 201)
  const eva = await add(toy, 'k', body, 'Bearer eva:admin')
  t.is(eva.status, 201)
  t.is(eva.headers.get('idempotent-replayed'), null)
  t.is((await pay(toy, 'k')).headers.get('idempotent-replayed'), null)
})

test('returns 422 for keys that do not have 1 to 255 characters', async (t) => {
  const toy = await openToy(t)
  t.is((await add(toy, 'k'.repeat(255), { title: 'a', value: 1 })).status, 201)
  for (const key of ['', 'k'.repeat(256)]) {
    const { status, body } = await add(toy, key, { title: 'b', value: 1 })
    t.is(status, 422)
    t.like(body, {
      message: 'A chave de idempotência deve ter de 1 a 255 caracteres e não pode conter o número de um cartão.',
    })
  }
})

test('ignores keys of public routes, of other methods and of rows with key: false', async (t) => {
  const toy = await openWithNote(t)
  const echo = (title: string) =>
    toy.ask('/public/echo', { method: 'POST', headers: keyed('k'), body: { title, value: 1 } })
  t.deepEqual((await echo('a')).body, { title: 'a' })
  t.deepEqual((await echo('b')).body, { title: 'b' })
  const put = (value: number) =>
    toy.ask('/notes/1', { method: 'PUT', headers: keyed(''), body: { value, pin: '1234' } })
  t.like((await put(1)).body, { data: { value: 1 } })
  t.like((await put(2)).body, { data: { value: 2 } })
  const form = (title: string) => toy.ask('/import', { method: 'POST', headers: keyed('k'), body: { title } })
  t.like((await form('a')).body, { data: { title: 'a' } })
  t.like((await form('b')).body, { data: { title: 'b' } })
  t.is(await countOf(toy, idempotencyKeys), 0)
})

test('a failure frees the key', async (t) => {
  const toy = await openWithNote(t)
  t.is((await add(toy, 'k', { title: 'a', value: 1 })).status, 422)
  t.is((await add(toy, 'k', { title: '' })).status, 422)
  t.is(await countOf(toy, idempotencyKeys), 0)
  t.is((await add(toy, 'k', { title: 'b', value: 1 })).status, 201)
})

test('creates one object for a hundred requests with one key at once', async (t) => {
  const toy = await openToy(t)
  const answers = await Promise.all(Array.from({ length: 100 }, () => add(toy, 'k', { title: 'a', value: 1 })))
  const made = answers.filter(({ status }) => status === 201)
  t.is(new Set(made.map(({ text }) => text)).size, 1)
  t.true(answers.every(({ status }) => status === 201 || status === 409))
  t.is(made.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  t.is(await countOf(toy, notes), 1)
})

test('returns 409 for a running key while its operation is leased', async (t) => {
  const toy = await openWithNote(t)
  const held = holdPayment(toy.bank)
  const first = pay(toy, 'k')
  await held.requested
  const second = await pay(toy, 'k')
  t.is(second.status, 409)
  t.is(second.headers.get('retry-after'), '2')
  t.like(second.body, { message: 'A primeira requisição com esta chave de idempotência ainda está em andamento.' })
  held.finish()
  t.is((await first).status, 200)
  t.is((await pay(toy, 'k')).text, (await first).text)
})

test('a repeat completes the key of an operation that the scheduler completed, without another bank call', async (t) => {
  const toy = await openWithNote(t)
  toy.bank.answer = () => Promise.reject(new Error('the process died'))
  t.is((await pay(toy, 'k')).status, 500)
  toy.bank.answer = async () => 'paid'
  const [intent = ''] = toy.bank.calls
  await toy.core.paid(intent)()
  const calls = toy.bank.calls.length
  t.is((await pay(toy, 'k')).status, 409)
  toy.clock.advance(KEY_LEASE_SECONDS)
  const done = await pay(toy, 'k')
  t.is(done.status, 200)
  t.is(toy.bank.calls.length, calls)
  t.is((await pay(toy, 'k')).headers.get('idempotent-replayed'), 'true')
})

test('an expired key runs the request again', async (t) => {
  const toy = await openWithNote(t)
  const first = await pay(toy, 'k')
  toy.clock.advance(KEY_LIFE_SECONDS - 1)
  t.is((await pay(toy, 'k')).text, first.text)
  toy.clock.advance(1)
  const later = await Promise.all([pay(toy, 'k'), pay(toy, 'k')])
  const made = later.find(({ status }) => status === 200)
  t.not(made?.text, first.text)
  t.is(await countOf(toy, idempotencyKeys), 1)
  t.is(await countOf(toy, payments), 2)
  t.is((await pay(toy, 'k')).text, made?.text ?? 'none was made')
})

test('commits nothing if a row without resume starts an operation', async (t) => {
  const rows = toyRows.map(({ resume, ...row }) => (row.name === 'notes.pay' || !resume ? row : { ...row, resume }))
  const toy = await openWithNote(t, { rows })
  t.is((await pay(toy, 'k')).status, 500)
  t.regex(String(toy.log.failures[0]), /row notes\.pay starts an operation and has no resume/)
  t.deepEqual([await countOf(toy, payments), await countOf(toy, idempotencyKeys)], [0, 0])
})
