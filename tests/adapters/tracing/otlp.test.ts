import test from 'ava'
import { otlpTracing } from '../../../adapters/tracing/otlp.ts'
import type { Tracer } from '../../../core/ports/tracer.ts'
import { receiver } from '../webhooks/receiver.ts'
import { openCollector } from './collector.ts'

/** OpenTelemetry's default sizes of a batch and of the queue. */
const [BATCH, QUEUE] = [512, 2_048]

const emit = (tracer: Tracer, count: number): void => {
  for (let number = 0; number < count; number += 1) tracer.start({ name: `span ${number}`, kind: 'internal' }).end()
}

const reports = () => {
  const lines: string[] = []
  let resolveNext = (): void => {}
  return {
    lines,
    report: (line: string) => {
      lines.push(line)
      resolveNext()
    },
    next: () =>
      new Promise<void>((resolve) => {
        resolveNext = resolve
      }),
  }
}

test('reports once that a collector fails, and once that it accepts spans again', async (t) => {
  const { lines, report, next } = reports()
  const collector = await openCollector(t)
  const tracing = otlpTracing({ url: `${collector.url}/v1/traces`, headers: { authorization: 'hunter2' }, report })
  const tracer = tracing.tracer('test')
  for (const status of [401, 401, 200]) {
    collector.answer(status)
    const told = status === 401 && lines.length > 0 ? collector.next() : next()
    emit(tracer, BATCH)
    await told
  }
  t.deepEqual(lines, ['spans are dropped: the collector accepts none (401 Unauthorized)', 'spans are sent again'])
  await tracing.close()
})

test('bounds the waiting spans and the stop if a collector never answers', async (t) => {
  const { seen, port } = await receiver(t, () => {})
  const tracing = otlpTracing({ url: `http://127.0.0.1:${port}`, report: () => {} })
  const tracer = tracing.tracer('test')
  emit(tracer, 10 * QUEUE)
  await tracing.close()
  const names = seen.flatMap(({ body }) => [...body.matchAll(/"name":"span (\d+)"/g)].map(([, number]) => number))
  t.is(names.length, BATCH + QUEUE)
  t.true(new Set(names).size === names.length)
  emit(tracer, BATCH)
})

test('makes a span current only in its own work', async (t) => {
  const { url, spans } = await openCollector(t)
  const tracing = otlpTracing({ url: `${url}/v1/traces`, report: t.fail })
  const [tracer, other] = [tracing.tracer('a'), tracing.tracer('b')]
  t.is(tracer.current(), null)
  const outer = tracer.start({ name: 'outer', kind: 'internal' })
  await outer.run(async () => {
    await null
    other.start({ name: 'inner', kind: 'client' }).end()
    other.start({ name: 'root', kind: 'internal', parent: null }).end()
    other.start({ name: 'unsampled', kind: 'internal', parent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` }).end()
  })
  t.is(tracer.current(), null)
  outer.fail('Busy')
  outer.end()
  await tracing.close()
  t.deepEqual(
    spans().map(({ scope, name, parentSpanId, isFailed, attributes }) => [
      ...[scope, name, parentSpanId !== null, isFailed],
      attributes,
    ]),
    [
      ['b', 'inner', true, false, {}],
      ['b', 'root', false, false, {}],
      ['a', 'outer', false, true, { 'error.type': 'Busy' }],
    ],
  )
})
