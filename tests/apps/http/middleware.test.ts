import { connect } from 'node:net'
import test from 'ava'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type KoaContext, proxyWarning } from '../../../apps/http/mount.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { recordingTracer } from '../../adapters/tracing/collector.ts'
import { raw } from './raw.ts'
import { openToy, type Served, serveToy } from './toy-api.ts'
import { notes, payments } from './toy-core.ts'

let toy: Served
test.before(async () => {
  toy = await serveToy()
})
test.after.always(() => toy.stop())

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

test('every answer has the security headers and a request id, and names no software', async (t) => {
  const answers = [
    await toy.ask('/'),
    await toy.ask('/nowhere'),
    await toy.ask('/notes', { token: null }),
    await toy.ask('/notes', { method: 'DELETE' }),
    await toy.ask('/notes', { method: 'OPTIONS' }),
    await toy.ask('/fail/boom', { method: 'POST' }),
    await toy.ask('/fail/away', { method: 'POST' }),
    await toy.ask('/health'),
  ]
  const statuses = answers.map(({ status }) => status)
  t.deepEqual(statuses, [200, 404, 401, 405, 204, 500, 503, 200])
  for (const { headers } of answers) {
    for (const [name, value] of Object.entries(SECURITY)) t.is(headers.get(name), value)
    t.regex(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/)
    t.is(headers.get('x-powered-by'), null)
    t.is(headers.get('server'), null)
  }
})

test('uses a well-formed request id, and replaces any other by a new one', async (t) => {
  const idOf = async (id?: string) =>
    (await toy.ask('/', { headers: id === undefined ? {} : { 'X-Request-Id': id } })).headers.get('x-request-id')
  t.is(await idOf('abc.DEF_9-z'), 'abc.DEF_9-z')
  t.is(await idOf('a'.repeat(64)), 'a'.repeat(64))
  for (const bad of ['a'.repeat(65), 'a b', '<script>', 'ç', '5555-5555-5555-4444']) t.not(await idOf(bad), bad)
  t.not(await idOf(), await idOf())
})

test('returns 404 for an unknown path by any method', async (t) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    const { status, body } = await toy.ask('/nowhere', { method })
    t.is(status, 404)
    t.deepEqual(body, { code: 404, success: false, message: 'Rota não encontrada.', error_code: 'route.unknown' })
  }
})

test('returns 405 for TRACE, CONNECT and unknown methods', async (t) => {
  for (const verb of ['TRACE', 'CONNECT', 'FOO', 'get']) {
    const answer = await raw(toy.serving.port, `${verb} /notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.regex(answer, /^HTTP\/1\.1 405 /, verb)
    t.regex(answer, /\r\nAllow: [A-Z, ]+\r\n/i)
    t.regex(answer, /\r\nX-Request-Id: /i)
  }
})

test('JSON that a client reads has a tag, and is answered by 304 without a body as long as the tag matches', async (t) => {
  const first = await toy.ask('/notes?page=1')
  const tag = first.headers.get('etag') ?? ''
  t.regex(tag, /^"[\w-]{27}"$/)
  for (const [method, sent] of [
    ['GET', tag],
    ['HEAD', tag],
    ['GET', `"other", W/${tag}`],
  ] as const) {
    const again = await toy.ask('/notes?page=1', { method, headers: { 'if-none-match': sent } })
    t.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag])
    t.is(again.headers.get('cache-control'), 'no-store')
    t.is(again.headers.get('content-type'), null)
  }
  const made = await toy.ask('/notes', {
    method: 'POST',
    body: { title: 'another', value: 1 },
    headers: { 'if-none-match': tag },
  })
  t.deepEqual([made.status < 300, made.headers.get('etag')], [true, null])
  const changed = await toy.ask('/notes?page=1', { headers: { 'if-none-match': tag } })
  t.is(changed.status, 200)
  t.not(changed.headers.get('etag'), tag)
  const lost = await toy.ask('/notes?page=1', { token: null, headers: { 'if-none-match': '*' } })
  t.deepEqual([lost.status, lost.headers.get('etag')], [401, null])
})

test('OPTIONS names the methods, and allows the configured origins only', async (t) => {
  const plain = await toy.ask('/notes', { method: 'OPTIONS' })
  t.is(plain.status, 204)
  t.is(plain.headers.get('allow'), 'HEAD, GET, POST, OPTIONS')
  t.is(plain.headers.get('access-control-allow-origin'), null)

  const requested = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,x-account-id',
  }
  const allowed = await toy.ask('/notes', {
    method: 'OPTIONS',
    headers: { Origin: 'https://painel.example.com', ...requested },
  })
  t.is(allowed.headers.get('access-control-allow-origin'), 'https://painel.example.com')
  t.is(allowed.headers.get('access-control-allow-methods'), 'HEAD, GET, POST, OPTIONS')
  t.is(allowed.headers.get('access-control-allow-headers'), 'authorization,x-account-id')
  t.is(allowed.headers.get('access-control-allow-credentials'), null)

  for (const Origin of ['https://evil.example.com', 'null', 'https://painel.example.com.evil.com']) {
    const rejected = await toy.ask('/notes', { method: 'OPTIONS', headers: { Origin, ...requested } })
    t.is(rejected.headers.get('access-control-allow-origin'), null)
    t.is(rejected.headers.get('vary'), 'Origin')
  }
})

test('exposes answers and their headers to an allowed origin', async (t) => {
  const { headers } = await toy.ask('/notes', { token: null, headers: { Origin: 'https://painel.example.com' } })
  t.is(headers.get('access-control-allow-origin'), 'https://painel.example.com')
  t.regex(headers.get('access-control-expose-headers') ?? '', /X-Request-Id/)
})

test('decodes paths once, and returns 404 for malformed escapes and NUL', async (t) => {
  for (const path of ['/notes/%zz', '/notes/%', '/notes/%c3%28', '/notes/%00', '/%e0%a4%a']) {
    const { status, body } = await toy.ask(path)
    t.is(status, 404, path)
    t.like(body, { message: 'Rota não encontrada.' })
  }
  t.like((await toy.ask('/fail/over%72idden', { method: 'POST' })).body, { message: 'Sou um bule.' })
  t.deepEqual((await toy.ask('/notes/search')).body, { found: 'search' })
  t.is((await toy.ask('/notes/__proto__')).status, 404)
  t.is((await toy.ask('/NOTES')).status, 404)
})

test('returns 4xx for request targets that are not paths', async (t) => {
  for (const target of ['*', 'http://a:b/', 'http://[::', '//evil.example.com/notes', 'http://x/notes/search']) {
    const answer = await raw(toy.serving.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.regex(answer, /^HTTP\/1\.1 (4\d\d|401) /, target)
  }
})

test('returns 400 for a request without a host, in the format of the API', async (t) => {
  const answer = await raw(toy.serving.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
  t.regex(answer, /^HTTP\/1\.1 400 [\s\S]*X-Request-Id: [\s\S]*"message":"Requisição inválida."/)
  t.regex(await raw(toy.serving.port, 'GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
})

test('sends WWW-Authenticate with 401', async (t) => {
  t.is((await toy.ask('/notes', { token: null })).headers.get('www-authenticate'), 'Bearer')
  t.is((await toy.ask('/nowhere', { token: null })).headers.get('www-authenticate'), null)
})

test('marks the answers of a deprecated row, with its successor', async (t) => {
  for (const path of ['/public/echo', '/api/public/echo']) {
    const { status, headers } = await toy.ask(path, { method: 'POST', body: { title: 'a', value: 1 } })
    t.is(status, 200)
    t.is(headers.get('deprecation'), 'true')
    t.is(headers.get('link'), '</notes>; rel="successor-version"')
  }
  t.is((await toy.ask('/')).headers.get('deprecation'), null)
})

test('returns 500 with the request id for a thrown error, and logs the error', async (t) => {
  const { status, text, body, headers } = await toy.ask('/fail/boom', { method: 'POST' })
  t.is(status, 500)
  t.deepEqual(body, {
    code: 500,
    success: false,
    message: 'Erro interno do servidor.',
    error_code: 'internal',
    request_id: headers.get('x-request-id'),
  })
  t.notRegex(text, /secret|Error|at /)
  t.true(toy.log.failures.some((error) => error instanceof Error && error.message === 'secret internals'))
})

test('returns 503 with Retry-After if the store is unavailable before or during the use case', async (t) => {
  for (const how of ['away', 'late']) {
    const { status, headers, body } = await toy.ask(`/fail/${how}`, { method: 'POST' })
    t.is(status, 503)
    t.regex(headers.get('retry-after') ?? '', /^\d+$/)
    t.deepEqual(body, {
      code: 503,
      success: false,
      message: 'Serviço temporariamente indisponível. Tente novamente em instantes.',
      error_code: 'store.unavailable',
    })
  }
})

test('returns 503 if the store is unavailable for the idempotency key', async (t) => {
  const store = memoryStore([notes, payments, idempotencyKeys])
  const away = await openToy(t, { store: { ...store, find: () => Promise.reject(new StoreUnavailable('away')) } })
  const { status } = await away.ask('/notes', {
    method: 'POST',
    headers: { 'Idempotency-Key': 'k' },
    body: { title: 'a', value: 1 },
  })
  t.is(status, 503)
})

test('/health names the API, and returns 503 if its check rejects', async (t) => {
  t.deepEqual((await toy.ask('/health', { token: null })).body, { status: 'ok', name: 'toy', version: '1.2.3' })
  const sick = await openToy(t, { health: () => Promise.reject(new StoreUnavailable('away')) })
  t.is((await sick.ask('/health')).status, 503)
})

test('logs one line per request, without query or body', async (t) => {
  await toy.ask('/public/echo?times=2&token=secret', {
    method: 'POST',
    headers: { 'X-Request-Id': 'for-the-log' },
    body: { title: 'hidden', value: 1 },
  })
  const lines = toy.log.lines.filter(({ id }) => id === 'for-the-log')
  t.is(lines.length, 1)
  t.like(lines[0], { method: 'POST', route: 'open.echo', status: 200, address: '127.0.0.1' })
  t.notRegex(JSON.stringify(lines), /secret|hidden/)
})

test('uses the last forwarded address, of a trusted proxy only', async (t) => {
  const proxied = await openToy(t, { trustProxy: true })
  const addressOf = async (served: Served, forwarded: string) => {
    await served.ask('/', { headers: { 'X-Forwarded-For': forwarded, 'X-Request-Id': 'whence' } })
    return served.log.lines.findLast(({ id }) => id === 'whence')?.address
  }
  t.is(await addressOf(proxied, '6.6.6.6, 203.0.113.9'), '203.0.113.9')
  t.is(await addressOf(proxied, '2001:db8::1'), '2001:db8::1')
  t.is(await addressOf(proxied, 'nonsense'), '127.0.0.1')
  t.is(await addressOf(toy, '203.0.113.9'), '127.0.0.1')
})

test('logs no failure for a client that hangs up', async (t) => {
  const served = await serveToy()
  await new Promise<void>((resolve) => {
    const socket = connect(served.serving.port, '127.0.0.1', () => {
      socket.write(
        'POST /public/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"ti',
      )
      socket.end()
      socket.resume()
    })
    socket.once('close', () => resolve())
  })
  await served.stop()
  t.deepEqual(served.log.failures, [])
})

/** A request from a peer, with the address that it forwards. */
const callFromPeer = (remoteAddress: string | undefined, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { req: { headers, socket: { remoteAddress } } } as unknown as KoaContext
}

const warningsOf = (trustProxy: boolean, ...calls: readonly KoaContext[]): readonly string[] => {
  const lines: string[] = []
  const warn = proxyWarning({ warn: (line) => void lines.push(line) }, trustProxy)
  for (const call of calls) warn(call)
  return lines
}

test('warns once of a private peer that sends X-Forwarded-For', (t) => {
  for (const peer of ['10.0.0.5', '127.0.0.1', '172.16.3.4', '192.168.1.1', '::1', 'fd00::7', '::ffff:10.0.0.5']) {
    t.deepEqual(
      warningsOf(
        false,
        callFromPeer(peer),
        callFromPeer(peer, '203.0.113.7'),
        callFromPeer(peer, '203.0.113.8'),
        callFromPeer('::1', 'x'),
      ),
      [`TRUST_PROXY: got false, and ${peer} sends X-Forwarded-For: all callers behind it share one address`],
    )
  }
  t.is(warningsOf(false, callFromPeer(undefined, '203.0.113.7')).length, 1, 'a socket of this machine')
})

test('does not warn of peers without the header, of public peers or of a trusted proxy', (t) => {
  t.deepEqual(
    warningsOf(
      false,
      callFromPeer('10.0.0.5'),
      callFromPeer('1.1.1.1', '10.0.0.5'),
      callFromPeer('2606:4700::1111', '::1'),
    ),
    [],
  )
  t.deepEqual(warningsOf(true, callFromPeer('10.0.0.5', '203.0.113.7')), [])
})

test('logs the warning of an untrusted proxy once', async (t) => {
  const toy = await openToy(t)
  for (let count = 0; count < 3; count += 1) await toy.ask('/', { headers: { 'X-Forwarded-For': '203.0.113.9' } })
  t.is(toy.log.warnings.length, 1)
})

test('the span of a request names its route, never its path, and fails with an answer of 500 or more', async (t) => {
  const { tracer, spans } = recordingTracer()
  const toy = await openToy(t, { tracer })
  const request = (name: string, method: string, status: number, route: object = {}, failed: string | null = null) => {
    const own = { 'http.request.method': method, 'url.scheme': 'http', 'http.response.status_code': status }
    return { kind: 'server', parent: null, name, attributes: { ...own, ...route }, failed, isEnded: true }
  }
  const fail = { 'http.route': '/fail/{how}' }
  for (const [method, path, expected] of [
    [
      'GET',
      '/notes?title=segredo',
      request('GET /notes', 'GET', 200, { 'http.route': '/notes', 'url.path': '/notes' }),
    ],
    ['HEAD', '/notes/7', request('HEAD /notes/{id}', 'HEAD', 404, { 'http.route': '/notes/{id}' })],
    ['POST', '/fail/boom', request('POST /fail/{how}', 'POST', 500, fail, '500')],
    ['POST', '/fail/away', request('POST /fail/{how}', 'POST', 503, fail, '503')],
    ['GET', '/nowhere/segredo', request('GET', 'GET', 404)],
    ['PROPFIND', '/notes', request('HTTP', '_OTHER', 405)],
  ] as const) {
    await toy.ask(path, { method })
    t.deepEqual<unknown, unknown>(spans.splice(0), [expected], `${method} ${path}`)
  }
  await toy.ask('/health')
  t.deepEqual(spans, [])
})

test('a request in the span of a server around this one continues that span', async (t) => {
  const { tracer, spans } = recordingTracer(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)
  const toy = await openToy(t, { tracer })
  await toy.ask('/notes', { headers: { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` } })
  t.is(spans[0]?.parent, undefined)
})
