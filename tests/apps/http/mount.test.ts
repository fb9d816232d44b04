import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import test from 'ava'
import { handlersOf } from '../../../apps/http/mount.ts'
import { turn } from '../../core/kernel/running/tasks.ts'
import { listening, toyApi } from './toy-api.ts'

test('answers a target in absolute form whose path exists, and passes on any other', (t) => {
  const { handle } = handlersOf(
    (_req, res) => void res.end(),
    (path) => path === '/notes',
  )
  const isOurs = (url: string): boolean => {
    let isAnswered = false
    const res = { setHeader: () => {}, end: () => (isAnswered = true) }
    handle({ url } as IncomingMessage, res as unknown as ServerResponse, () => {})
    return isAnswered
  }
  for (const target of ['/notes', '/notes?a=1', 'http://example.com/notes', 'https://example.com:8443/notes?a=1'])
    t.true(isOurs(target), target)
  for (const target of ['*', 'http://example.com', 'http://example.com/other', 'http://a:b/notes', '//notes'])
    t.false(isOurs(target), target)
})

test('the middleware ends with its answer, or if the client has hung up before', async (t) => {
  const { middleware } = handlersOf(
    (_req, res) => setTimeout(() => res.end('ours'), 20),
    () => true,
  )
  const ended: string[] = []
  const { server, port } = await listening(t, async (req, res) => {
    if (req.url === '/gone') await once(res, 'close')
    await middleware({ req, res }, async () => {})
    ended.push(`${req.url} ${res.writableFinished}`)
    server.emit('ended')
  })
  const ask = (path: string) => get({ host: '127.0.0.1', port, path, agent: false })

  const [answer] = (await once(ask('/here'), 'response')) as [IncomingMessage]
  answer.resume()
  if (ended.length === 0) await once(server, 'ended')

  const hangsUp = ask('/gone')
  hangsUp.on('error', () => {})
  await once(server, 'request')
  hangsUp.destroy()
  await once(server, 'ended')
  t.deepEqual(ended, ['/here true', '/gone false'])
})

test('middleware around the API can read the headers of its answer', async (t) => {
  const { mounted } = toyApi()
  const headers: Record<string, unknown>[] = []
  const { port } = await listening(t, async (req, res) => {
    await mounted.middleware({ req, res }, async () => {})
    headers.push(res.getHeaders())
  })
  const [answer] = (await once(get({ host: '127.0.0.1', port, path: '/', agent: false }), 'response')) as [
    IncomingMessage,
  ]
  answer.resume()
  await once(answer, 'close')
  while (headers.length === 0) await turn()
  t.like(headers[0], { 'x-request-id': answer.headers['x-request-id'], 'content-length': '2' })
})
