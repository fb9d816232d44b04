import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'ava'
import { CannotListen, HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS, STOP_MS, serve } from '../../../apps/http/server.ts'
import { raw } from './raw.ts'
import { serveToy, toyApi } from './toy-api.ts'

test('listens at a free port and says where', async (t) => {
  const { serving, ask } = await serveToy()
  t.regex(serving.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.is(serving.url, `http://${serving.host}:${serving.port}`)
  t.is((await ask('/')).text, 'ok')
  await serving.stop()
})

test('an address that cannot be had is one clear line', async (t) => {
  const { serving } = await serveToy()
  const { mounted } = toyApi()
  const taken = await t.throwsAsync(serve(mounted, { host: '127.0.0.1', port: serving.port }), {
    instanceOf: CannotListen,
  })
  t.is(taken?.message, `cannot listen on 127.0.0.1:${serving.port}: the port is in use`)
  const elsewhere = await t.throwsAsync(serve(mounted, { host: '203.0.113.1', port: 0 }), { instanceOf: CannotListen })
  t.is(elsewhere?.message, 'cannot listen on 203.0.113.1:0: this machine has no such address')
  await serving.stop()
})

test('the bounds of a slow sender and of a stop are those that are meant', (t) => {
  t.true(HEADERS_TIMEOUT_MS <= 10_000)
  t.true(REQUEST_TIMEOUT_MS <= 30_000)
  t.true(STOP_MS < 10_000)
})

test('a stop finishes what is in flight, closes idle sockets and takes nothing more', async (t) => {
  const toy = await serveToy()
  await toy.core.add('ana', { title: 'a', cents: 1 })()
  const idle = connect(toy.serving.port, '127.0.0.1')
  await once(idle, 'connect')
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  const idleClosed = once(idle, 'close')

  let finish: () => void = () => {}
  const asked = new Promise<void>((started) => {
    toy.bank.answer = () => {
      started()
      return new Promise((resolve) => {
        finish = () => resolve('paid')
      })
    }
  })
  const inFlight = toy.ask('/notes/1/pay', { method: 'POST' })
  await asked
  const stopped = toy.serving.stop()
  await idleClosed
  await t.throwsAsync(fetch(`${toy.serving.url}/`))
  finish()
  const { status, headers } = await inFlight
  t.is(status, 200)
  t.is(headers.get('x-content-type-options'), 'nosniff')
  await stopped
})

test('headers that do not end in time or in measure are answered in the server’s words', async (t) => {
  const { serving } = await serveToy()
  const socket = connect(serving.port, '127.0.0.1')
  socket.setEncoding('utf8')
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [string]
  t.regex(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
  t.regex(answer, /\r\nX-Request-Id: \S+\r\n/)
  const message = 'Os cabeçalhos da requisição são grandes demais.'
  const told = { code: 431, success: false, message, error_code: 'headers.too-large' }
  t.true(answer.endsWith(JSON.stringify(told)), answer)
  await serving.stop()
})

test('what came whole is answered, whatever comes after it', async (t) => {
  const { serving } = await serveToy()
  const got = await raw(serving.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n}garbage\r\n\r\n')
  t.regex(got, /^HTTP\/1\.1 200 OK/)
  await serving.stop()
})
