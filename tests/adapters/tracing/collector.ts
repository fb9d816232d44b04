import type { ExecutionContext } from 'ava'
import type { SpanAttributes, SpanStart, TraceContext, Tracer } from '../../../core/ports/tracer.ts'
import { receiver } from '../webhooks/receiver.ts'

export interface Collected {
  readonly scope: string
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly traceState: string | null
  readonly attributes: Readonly<Record<string, string | number>>
  readonly isFailed: boolean
}

export const KIND = { internal: 1, server: 2, client: 3, consumer: 5 } as const
const FAILED = 2

interface Fact {
  readonly key: string
  readonly value: Readonly<Record<string, string | number>>
}

const factsOf = (facts: readonly Fact[]) =>
  Object.fromEntries(facts.map(({ key, value }) => [key, Object.values(value)[0] ?? ''] as const))

export const openCollector = async (t: ExecutionContext) => {
  let status = 200
  let answered = (): void => {}
  const { seen, port } = await receiver(t, (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    answered()
  })
  const groups = () => seen.flatMap(({ body }) => JSON.parse(body).resourceSpans)
  return {
    url: `http://127.0.0.1:${port}`,
    batches: seen,
    answer: (next: number) => {
      status = next
    },
    next: () =>
      new Promise<void>((resolve) => {
        answered = resolve
      }),
    resource: () => factsOf(groups()[0]?.resource.attributes ?? []),
    spans: (): readonly Collected[] =>
      groups().flatMap(({ scopeSpans }) =>
        // biome-ignore lint/suspicious/noExplicitAny: as JSON brings it
        scopeSpans.flatMap(({ scope, spans }: any) =>
          // biome-ignore lint/suspicious/noExplicitAny: as JSON brings it
          spans.map((span: any) => ({
            ...{ scope: scope.name, name: span.name, kind: span.kind, traceId: span.traceId, spanId: span.spanId },
            parentSpanId: span.parentSpanId ?? null,
            traceState: span.traceState ?? null,
            attributes: factsOf(span.attributes),
            isFailed: span.status.code === FAILED,
          })),
        ),
      ),
  }
}

/** Returns the names of a span and its ancestors, the outermost first. */
export const pathOf = (spans: readonly Collected[], span: Collected | undefined): readonly string[] =>
  span === undefined
    ? []
    : [
        ...pathOf(
          spans,
          spans.find(({ spanId }) => spanId === span.parentSpanId),
        ),
        span.name,
      ]

export interface Recorded extends Pick<SpanStart, 'kind' | 'parent'> {
  readonly name: string
  readonly attributes: SpanAttributes
  readonly failed: string | null
  readonly isEnded: boolean
}

/** Returns a tracer that stores its spans. */
export const recordingTracer = (context: TraceContext | null = null) => {
  const spans: Recorded[] = []
  const tracer: Tracer = {
    current: () => context,
    start({ attributes = {}, ...start }) {
      const at = spans.push({ ...start, attributes, failed: null, isEnded: false }) - 1
      const change = (to: (span: Recorded) => Partial<Recorded>): void => {
        const span = spans[at]
        if (span) spans[at] = { ...span, ...to(span) }
      }
      return {
        run: (work) => work(),
        rename: (name) => change(() => ({ name })),
        set: (more) => change((span) => ({ attributes: { ...span.attributes, ...more } })),
        fail: (failed) => change(() => ({ failed })),
        end: () => change(() => ({ isEnded: true })),
      }
    },
  }
  return { tracer, spans }
}
