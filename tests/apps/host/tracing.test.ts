import test, { type ExecutionContext } from 'ava'
import { otlpTracing } from '../../../adapters/tracing/otlp.ts'
import { apiClient } from '../../../apps/demo/demo.ts'
import { type Collected, KIND, openCollector, pathOf } from '../../adapters/tracing/collector.ts'
import { receiver } from '../../adapters/webhooks/receiver.ts'
import { PASSWORD } from '../../core/payments/world.ts'
import { CARDS, CVV, cardBody } from '../payments/given/cards.ts'
import { merchant } from '../payments/given/merchants.ts'
import { MARIA, openTestApi, worked } from '../payments/test-api.ts'
import { clientAt } from '../rows/wire.ts'
import { folder } from './disk.ts'
import { AS_IT_SHIPS, startCommand } from './process.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const CLIENT = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=abc,other=1' }

/** Starts both apps with a collector; returns them with the token of a merchant. */
const startTraced = async (t: ExecutionContext, endpoint: string) => {
  const app = startCommand(AS_IT_SHIPS, {
    DATA_DIR: await folder(t),
    STORE_URL: 'memory:',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
    OTEL_SERVICE_NAME: 'loja',
  })
  t.teardown(() => app.child.kill('SIGKILL'))
  const { payments, estate } = await app.ready
  const ask = apiClient(payments)
  const { token } = await merchant(clientAt(payments), 'ana@aurora.example')
  return { ...app, ask, token, estate }
}

test('sends the spans of a charge from its request to its webhook, without personal data', async (t) => {
  const collector = await openCollector(t)
  let onCall = (): void => {}
  const called = new Promise<void>((resolve) => {
    onCall = resolve
  })
  const merchant = await receiver(t, (_request, response) => {
    response.end()
    onCall()
  })
  const { ask, token, estate, child, ended } = await startTraced(t, `${collector.url}/`)
  await ask('/invoices', { body: { ...MARIA, webhook: merchant.url }, token, headers: CLIENT })
  await called
  await ask('/invoices?search=Maria&per_page=5', {
    token,
    headers: { traceparent: `00-${'0'.repeat(32)}-${PARENT}-01` },
  })
  await ask('/invoices', { body: cardBody(CARDS.visa), token })
  await (await fetch(`${estate}/openapi.json`)).text()
  child.kill('SIGTERM')
  const { code, stdout } = await ended
  t.is(code, 0)

  t.is(collector.batches[0]?.path, '/v1/traces')
  t.is(collector.batches[0]?.headers.authorization, 'Bearer hunter2')
  t.like(collector.resource(), { 'service.name': 'loja' })
  const spans = collector.spans()
  const own = spans.filter(({ traceId }) => traceId === TRACE)
  const spanOf = (name: string): Collected | undefined => own.find((span) => span.name === name)
  const request = spanOf('POST /invoices')
  t.like(request, {
    ...{ scope: 'payments', kind: KIND.server, parentSpanId: PARENT, traceState: CLIENT.tracestate, isFailed: false },
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/invoices',
      'http.response.status_code': 200,
      'url.path': '/invoices',
    },
  })
  t.deepEqual(pathOf(own, spanOf('bank createTitle')), ['POST /invoices', 'charges.issue', 'bank createTitle'])
  t.like(
    own.find(({ name, parentSpanId }) => name === 'commit' && parentSpanId === spanOf('charges.issue')?.spanId),
    {
      kind: KIND.client,
      attributes: { 'db.system.name': 'memory', 'db.operation.name': 'commit', 'portico.outcome': 'ok' },
    },
  )
  const posted = spanOf('POST')
  t.deepEqual(pathOf(own, posted), [
    'POST /invoices',
    'charges.issue',
    'payments.events',
    'payments.deliveries',
    'POST',
  ])
  t.like(posted, {
    kind: KIND.client,
    attributes: { 'http.request.method': 'POST', 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
  })
  // The receiver continues the trace.
  const { traceparent, tracestate } = merchant.seen[0]?.headers ?? {}
  t.deepEqual([traceparent, tracestate], [`00-${TRACE}-${posted?.spanId}-01`, CLIENT.tracestate])

  const listed = spans.find(({ name }) => name === 'GET /invoices')
  t.is(listed?.parentSpanId, null, 'a malformed traceparent begins a new trace')
  t.true(spans.some(({ name, parentSpanId }) => name.startsWith('job ') && parentSpanId === null))
  t.is(spans.find(({ name }) => name === 'GET /openapi.json')?.scope, 'real-estate')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.deepEqual(
    lines.filter(({ msg, route }) => msg === 'request' && route.startsWith('charges.')).map(({ trace_id }) => trace_id),
    [TRACE, listed?.traceId, spans.findLast(({ name }) => name === 'POST /invoices')?.traceId],
  )
  t.is(lines.find(({ msg }) => msg === 'started').trace_id, undefined)

  t.deepEqual(
    spans.filter(({ kind, parentSpanId }) => kind === KIND.client && parentSpanId === null),
    [],
    'polling of the worker has no span',
  )
  const sent = JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))
  const secrets = [token, PASSWORD, CARDS.visa, CARDS.visa.slice(-4), CVV, 'hunter2']
  for (const secret of [...secrets, 'Maria', 'MARIA', 'Ana Souza', '@', '123.456.789-09', '12345678909', merchant.url])
    t.false(sent.includes(secret), secret)
})

test('background work belongs to the trace of its request', async (t) => {
  const collector = await openCollector(t)
  const tracing = otlpTracing({ url: `${collector.url}/v1/traces`, report: t.fail })
  const { ask, merchant, fail, clock, drain, sender } = await openTestApi(t, { tracing })
  const { token } = await merchant()
  await drain()
  await fail('create_pix', 'timeout_lost')
  const webhook = 'https://merchant.example/hook'
  worked(await ask('POST', '/invoices', { token, body: { ...MARIA, webhook }, headers: CLIENT }))
  await clock.advance(600_000)
  await drain()
  await tracing.close()

  const own = collector.spans().filter(({ traceId }) => traceId === TRACE)
  const asked = own.filter(({ name }) => name === 'bank createTitle')
  const operation = 'payments.bank-operations.create-title'
  t.deepEqual(
    asked.map((span) => [pathOf(own, span).slice(1), span.isFailed, span.attributes['portico.outcome']]),
    [
      [['charges.issue', 'bank createTitle'], true, 'unknown'],
      [['charges.issue', operation, 'bank createTitle'], false, 'done'],
    ],
  )
  t.is(sender.requests.length, 1)
  t.is(sender.requests[0]?.headers.traceparent?.slice(3, 35), TRACE)
  const mail = collector.spans().find(({ name }) => name === 'mailer send')
  t.deepEqual(pathOf(collector.spans(), mail), [
    'POST /v1/auth/register',
    'people.register',
    'payments.mails',
    'mailer send',
  ])
})
