import { isLeft } from '../../failure.ts'
import type { WebhookSender } from '../../ports/messaging.ts'
import type { Query, Store } from '../../ports/store.ts'
import { type Span, type SpanAttributes, type SpanStart, type Tracer, traceHeaders } from '../../ports/tracer.ts'
import { parseUrl } from '../values/text.ts'
import type { UseCase } from './use-case.ts'

export const typeOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

/** Runs work in a span of its own, which fails if the work rejects. */
export const inSpan = async <A>(tracer: Tracer, start: SpanStart, work: (span: Span) => Promise<A>): Promise<A> => {
  const span = tracer.start(start)
  try {
    return await span.run(() => work(span))
  } catch (error) {
    span.fail(typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Runs a use case in a span. A refusal is an outcome; only a failure with the tag `unavailable` fails the span. */
export const tracedUseCase =
  <V>(tracer: Tracer, name: string, run: UseCase<V>): UseCase<V> =>
  (hooks) =>
    inSpan(tracer, { name, kind: 'internal' }, async (span) => {
      const outcome = await run(hooks)
      if (!isLeft(outcome)) return outcome
      span.set({ 'portico.failure': outcome.left.code })
      if (outcome.left.tag === 'unavailable') span.fail(outcome.left.code)
      return outcome
    })

/** Returns the store with a span for each call within another span; the worker's polls have none. */
export const tracedStore = <S extends Store>(store: S, tracer: Tracer): S => {
  const startOf = (operation: string, collection: string | null): SpanStart => ({
    name: collection === null ? operation : `${operation} ${collection}`,
    kind: 'client',
    attributes: {
      'db.operation.name': operation,
      ...(store.system === undefined ? {} : { 'db.system.name': store.system }),
      ...(collection === null ? {} : { 'db.collection.name': collection }),
    },
  })
  const traced = <A>(operation: string, names: readonly string[], call: (span: Span | null) => Promise<A>) => {
    if (tracer.current() === null) return call(null)
    const [first = null, ...others] = new Set(names)
    return inSpan(tracer, startOf(operation, others.length === 0 ? first : null), call)
  }
  return {
    ...store,
    find: (ask) => traced('find', [ask.from.name], () => store.find(ask)),
    list: (ask) => traced('list', [ask.from.name], () => store.list(ask)),
    group: (ask) => traced('group', [ask.from.name], () => store.group(ask)),
    read: (asks) =>
      traced(
        'read',
        Object.values<Query>(asks).map(({ from }) => from.name),
        () => store.read(asks),
      ),
    scan: (from, where) =>
      tracer.current() === null
        ? store.scan(from, where)
        : inSpanThroughout(tracer, startOf('scan', from.name), store.scan(from, where)),
    commit: (changes, hook) =>
      traced(
        'commit',
        changes.map(({ at }) => at[0]),
        async (span) => {
          const outcome = await store.commit(changes, hook)
          span?.set({
            'db.operation.batch.size': changes.length,
            'portico.outcome': outcome.ok ? 'ok' : 'stale' in outcome ? 'stale' : 'conflict',
          })
          return outcome
        },
      ),
  }
}

/** Iterates in a span that ends with the iteration. */
async function* inSpanThroughout<A>(tracer: Tracer, start: SpanStart, pieces: AsyncIterable<A>): AsyncIterable<A> {
  const span = tracer.start(start)
  try {
    yield* pieces
  } catch (error) {
    span.fail(typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Outcomes of a call that the bank, the acquirer or the other business may not have answered. */
const UNANSWERED: ReadonlySet<unknown> = new Set(['unavailable', 'unknown'])

/**
 * A port with a span for each call of its methods, named `bank createTitle`. An outcome that the answer names is an
 * attribute of the span, and fails it if the call was not answered.
 */
export const tracedPort = <P extends object>(port: P, name: string, tracer: Tracer): P => {
  const tracedMethod =
    (method: string, call: (...given: readonly unknown[]) => unknown) =>
    (...given: readonly unknown[]) =>
      inSpan(tracer, { name: `${name} ${method}`, kind: 'client' }, async (span) => {
        const answer = await call.apply(port, [...given])
        const { outcome }: { readonly outcome?: unknown } = Object(answer)
        if (typeof outcome === 'string') span.set({ 'portico.outcome': outcome })
        if (UNANSWERED.has(outcome)) span.fail(`${outcome}`)
        return answer
      })
  const members = Object.entries(port).map(([member, value]) => [
    member,
    typeof value === 'function' ? tracedMethod(member, value) : value,
  ])
  return Object.fromEntries(members)
}

/**
 * Calls a server in a span, with headers that hand the trace on. `outcomeOf` returns the status of the answer, or the
 * reason why there is none.
 */
export const inHttpSpan = <A>(
  tracer: Tracer,
  method: string,
  server: SpanAttributes,
  call: (headers: Readonly<Record<string, string>>) => Promise<A>,
  outcomeOf: (answer: A) => number | string,
): Promise<A> =>
  inSpan(
    tracer,
    { name: method, kind: 'client', attributes: { 'http.request.method': method, ...server } },
    async (span) => {
      const answer = await call(traceHeaders(tracer.current()))
      const outcome = outcomeOf(answer)
      if (typeof outcome === 'number') span.set({ 'http.response.status_code': outcome })
      if (typeof outcome === 'string' || outcome >= 400) span.fail(`${outcome}`)
      return answer
    },
  )

/** Sends webhooks in spans of HTTP clients, and hands the trace on in their headers. */
export const tracedSender = (sender: WebhookSender, tracer: Tracer): WebhookSender => ({
  ...sender,
  post: (request) => {
    const { hostname, port } = parseUrl(request.url) ?? {}
    const server = {
      ...(hostname === undefined ? {} : { 'server.address': hostname }),
      ...(port ? { 'server.port': Number(port) } : {}),
    }
    return inHttpSpan(
      tracer,
      'POST',
      server,
      (headers) => sender.post({ ...request, headers: { ...request.headers, ...headers } }),
      (answer) => ('error' in answer ? answer.error.replace(/:.*$/s, '') : answer.status),
    )
  },
})
