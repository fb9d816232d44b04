/**
 * The position of a span in its trace, as text: the `traceparent` of W3C Trace Context and, after a space, its
 * `tracestate` if there is one. Queued work stores it, so that the work continues the trace of the request that caused
 * it.
 */
export type TraceContext = string

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'

/**
 * Facts of a span. They contain no secret and no personal data: no bodies, query strings, names, documents or e-mails.
 */
export type SpanAttributes = Readonly<Record<string, string | number>>

export interface SpanStart {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes?: SpanAttributes
  /** The context that the span continues; the current span without it. Null begins a new trace. */
  readonly parent?: TraceContext | null
}

/** An operation that is being measured. */
export interface Span {
  /** Runs work with this span as the current one, also behind every `await` of the work. */
  run<A>(work: () => A): A
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /**
   * Marks the span as failed. `type` is a code, a status or the name of a class: never a message, which may contain
   * data.
   */
  fail(type: string): void
  end(): void
}

/**
 * Receives the spans of requests, use cases, store calls, bank calls, deliveries and jobs. No member throws, and none
 * delays its caller: spans that cannot be sent are dropped.
 */
export interface Tracer {
  start(span: SpanStart): Span
  /** The context of the current span, sampled or not; null outside of any span. */
  current(): TraceContext | null
}

/** Sends the spans of a process to a collector. */
export interface Tracing {
  /** Returns the tracer of a part of the process, which names the instrumentation scope of its spans. */
  tracer(scope: string): Tracer
  /** Sends the last spans, for at most 3 s, and drops the rest. */
  close(): Promise<void>
}

const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/
/** The longest `tracestate` that is carried on: W3C Trace Context, 3.3.1.5. */
const MAX_STATE_CHARS = 512
const STATE = /^[\x21-\x7e\t ]+$/

/**
 * Reads the context that a caller sent; null if there is none, or if `traceparent` is malformed. A longer form of a
 * later version is cut to ours. A malformed `tracestate` is dropped alone.
 */
export const readTraceContext = (traceparent: unknown, tracestate: unknown): TraceContext | null => {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(`${traceparent ?? ''}`) ?? []
  if (version === undefined || (version === '00' && more !== undefined)) return null
  const state = typeof tracestate === 'string' ? tracestate.trim() : ''
  const isSound = STATE.test(state) && state.length <= MAX_STATE_CHARS
  return `00-${traceId}-${spanId}-${flags}${isSound ? ` ${state}` : ''}`
}

/** Returns the headers that hand a context on to another server; none without a context. */
export const traceHeaders = (context: TraceContext | null): Readonly<Record<string, string>> => {
  if (context === null) return {}
  const end = context.indexOf(' ')
  return end < 0 ? { traceparent: context } : { traceparent: context.slice(0, end), tracestate: context.slice(end + 1) }
}

/** Returns the trace id of a context, 32 hexadecimal digits, for log lines. */
export const traceIdOf = (context: TraceContext): string => context.slice(3, 35)
