import test from 'ava'
import { recordingTracer } from '../../../adapters/tracing/collector.ts'
import { serveToy } from '../toy-api.ts'

test('the span of a request names its route, never its path, and fails with an answer of 500 or more', async (t) => {
  const { tracer, spans } = recordingTracer()
  const toy = await serveToy({ tracer })
  t.teardown(toy.stop)
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
  const toy = await serveToy({ tracer })
  t.teardown(toy.stop)
  await toy.ask('/notes', { headers: { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` } })
  t.is(spans[0]?.parent, undefined)
})
