import { once } from 'node:events'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { bodyReader, JSON_LIMIT_BYTES } from '../../../../apps/http/bodies/body.ts'
import { MAX_JSON_DEPTH } from '../../../../apps/http/bodies/json.ts'
import { isLeft } from '../../../../core/failure.ts'
import { raw } from '../raw.ts'
import { type Served, serveToy } from '../toy-api.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy()
})
test.after.always(() => toy.stop())

const post = (body: unknown, headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' }) =>
  toy.ask('/public/echo', { method: 'POST', body, headers })
const request = (headers: string, body: string) =>
  raw(toy.serving.port, `POST /public/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`)

const OBJECT = 'O corpo deve ser um objeto.'
/** Malformed bodies, with the position of the first wrong character, or the reason. */
const MALFORMED: readonly (readonly [string, string | readonly [line: number, column: number]])[] = [
  ['{', [1, 2]],
  ['{"a":}', [1, 6]],
  ["{'a':1}", [1, 2]],
  ['{"a":1,}', [1, 8]],
  ['{"a" 1}', [1, 6]],
  ['{"a":1 "b":2}', [1, 8]],
  ['{"a":[1,2}', [1, 10]],
  ['{"a":{}}}', [1, 9]],
  ['{"a":01}', [1, 6]],
  ['{"a":NaN}', [1, 6]],
  ['{"a":"\\x"}', [1, 7]],
  ['{"a":"b', [1, 8]],
  ['{\n  "é😀": "x",\r\n  "b": tru\n}', [3, 8]],
  ['{"a":"line\nbreak"}', [1, 11]],
  ['nope', [1, 1]],
  [' ', [1, 2]],
  ['null', OBJECT],
  ['true', OBJECT],
  ['1', OBJECT],
  ['"a"', OBJECT],
  ['[]', OBJECT],
  ['[{}]', OBJECT],
]

test('returns 400 for a body that is not a JSON object, with the position of the fault', async (t) => {
  for (const [sent, where] of MALFORMED) {
    const { status, body } = await post(sent)
    const hint = typeof where === 'string' ? where : `O erro está na linha ${where[0]}, coluna ${where[1]}.`
    const expected = { code: 400, success: false, message: 'JSON inválido.', error_code: 'json.malformed', hint }
    t.deepEqual([status, body], [400, expected], sent)
  }
})

test('treats a missing body and an empty one like {}: names every required field', async (t) => {
  const empty = await toy.ask('/public/echo', { method: 'POST' })
  t.is(empty.status, 422)
  t.like(empty.body, { errors: { title: ['O campo é obrigatório.'], value: ['O campo é obrigatório.'] } })
  for (const answer of [await post('{}'), await post('', {}), await post('', { 'Content-Type': 'text/plain' })]) {
    t.is(answer.text, empty.text)
  }
  t.regex(
    await request('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    /^HTTP\/1.1 422 /,
  )
})

test('treats an empty chunked body without a type as no body, and returns 415 for others', async (t) => {
  const empty = await toy.ask('/public/echo', { method: 'POST' })
  const answer = await request('Transfer-Encoding: chunked\r\n', '0\r\n\r\n')
  t.regex(answer, /^HTTP\/1.1 422 /)
  t.true(answer.includes(empty.text))
  t.regex(await request('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'), /^HTTP\/1.1 415 /)
})

test('does not wait for a chunked body whose client has hung up', async (t) => {
  const req = Object.assign(Readable.from([]), { headers: { 'transfer-encoding': 'chunked' } })
  req.destroy()
  await once(req, 'close')
  t.true(isLeft(await bodyReader({ kinds: ['json'] })({ req } as never)))
})

test('reads the body of a row without fields, and rejects only malformed bytes and other types', async (t) => {
  const fail = (body: unknown, type = 'application/json') =>
    toy.ask('/fail/overridden', { method: 'POST', body, headers: { 'Content-Type': type } })
  t.is((await fail('{"any":"thing"}')).status, 418)
  t.is((await fail('{"any"')).status, 400)
  t.is((await fail('any', 'text/plain')).status, 415)
})

const OF_JSON = 'O corpo desta rota é application/json, em UTF-8: diga-o em Content-Type.'

test('accepts JSON types only', async (t) => {
  const good = JSON.stringify({ title: 'a', value: 1 })
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.x+json',
  ]) {
    t.is((await post(good, { 'Content-Type': type })).status, 200, type)
  }
  for (const type of [
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...['application/jsonp', 'json', 'text/json; charset', 'application/json; charset=latin1', ';'],
  ]) {
    const { status, body } = await post(good, { 'Content-Type': type })
    t.is(status, 415, type)
    t.like(body, { message: 'Tipo de conteúdo não suportado.', hint: OF_JSON }, type)
  }
  t.regex(await request('Content-Length: 2\r\n', '{}'), /^HTTP\/1.1 415 /)
})

test('returns 415 for compressed bodies', async (t) => {
  const bomb = gzipSync(Buffer.alloc(20_000_000))
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity, gzip']) {
    const { status, body } = await post(new Uint8Array(bomb), {
      'Content-Type': 'application/json',
      'Content-Encoding': encoding,
    })
    t.is(status, 415)
    t.like(body, { message: 'Corpo comprimido não é suportado.' })
  }
})

const padded = (bytes: number) => {
  const [head, tail] = ['{"title":"a","value":1,"pad":"', '"}']
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail
}

test('returns 413 for more than one megabyte', async (t) => {
  t.is((await post(padded(JSON_LIMIT_BYTES))).status, 200)
  const { status, body } = await post(padded(JSON_LIMIT_BYTES + 1))
  t.is(status, 413)
  t.deepEqual(body, {
    code: 413,
    success: false,
    message: 'O corpo da requisição é grande demais.',
    error_code: 'body.too-large',
  })
})

test('applies the limit to chunked bodies, and keeps the connection open', async (t) => {
  const text = padded(JSON_LIMIT_BYTES + 1)
  const chunked =
    'POST /public/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
    `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const answers = await raw(toy.serving.port, `${chunked}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  t.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 200'])
})

test('answers the next request of a connection after an unread body', async (t) => {
  const text = padded(300_000)
  const unread = `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  const answers = await raw(toy.serving.port, `${unread}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  t.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 200'])
})

test('returns 400 or 413 for wrong content lengths', async (t) => {
  t.regex(
    await request('Content-Type: application/json\r\nContent-Length: 5\r\n', '{"title":"a","value":1}'),
    /^HTTP\/1.1 400 /,
  )
  t.regex(await request('Content-Type: application/json\r\nContent-Length: -1\r\n', '{}'), /^HTTP\/1.1 400 /)
  t.regex(await request('Content-Type: application/json\r\nContent-Length: 4294967298\r\n', '{}'), /^HTTP\/1.1 413 /)
  t.regex(
    await request('Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    /^HTTP\/1.1 400 /,
  )
  t.is((await toy.ask('/')).status, 200)
})

test('limits the nesting of a body', async (t) => {
  const nested = (depth: number) => `{"title":"a","value":1,"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  t.is((await post(nested(MAX_JSON_DEPTH))).status, 200)
  for (const depth of [MAX_JSON_DEPTH + 1, 5_000, 400_000]) t.is((await post(nested(depth))).status, 400, `${depth}`)
  t.is((await post(`{"a":`.repeat(100_000))).status, 400)
  const wide = `{"title":"a","value":1,${Array.from({ length: 80_000 }, (_, n) => `"${n}":0`).join()}}`
  t.is((await post(wide)).status, 200)
})

test('reads inherited names of objects like any other unknown key', async (t) => {
  const { status, body } = await post(
    '{"title":"a","value":1,"__proto__":{"title":"b","x":1},"constructor":{"prototype":{"y":1}}}',
  )
  t.is(status, 200)
  t.deepEqual(body, { title: 'a' })
  t.is((await post('{"__proto__":{"title":"a","value":1}}')).status, 422)
  t.false('x' in {} || 'y' in {})
})

test('ignores the body of a GET', async (t) => {
  const { port } = toy.serving
  const answer = await raw(
    port,
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc',
  )
  t.regex(answer, /^HTTP\/1.1 200 /)
})

test('returns 400 for JSON that is not UTF-8', async (t) => {
  const text = JSON.stringify({ title: 'José', value: 1 })
  const { status, body } = await post(Buffer.from(text, 'latin1'))
  t.is(status, 400)
  t.like(body, { message: 'JSON inválido.' })
  t.is((await post(Buffer.from(text, 'utf8'))).status, 200)
  // The replacement character itself is valid.
  t.is((await post(Buffer.from(text.replace('é', '\ufffd'), 'utf8'))).status, 200)
})
