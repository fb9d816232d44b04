import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Tracer as ApiTracer,
  type Context,
  type ContextManager,
  context,
  createTraceState,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { Span, SpanStart, TraceContext, Tracer, Tracing } from '../../core/ports/tracer.ts'

export interface OtlpOptions {
  /**
   * The address that batches are posted to: `http://localhost:4318/v1/traces`; by default from `OTEL_EXPORTER_OTLP_*`.
   */
  readonly url?: string
  /** Headers of each batch, such as a token; by default those of `OTEL_EXPORTER_OTLP_HEADERS`. Never logged. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The `service.name` if neither `OTEL_SERVICE_NAME` nor `OTEL_RESOURCE_ATTRIBUTES` sets one; `portico` by default.
   */
  readonly serviceName?: string
  readonly version?: string
  /**
   * Receives one line when batches cannot be sent, and one when they are sent again; by default a warning of the
   * process.
   */
  readonly report?: (line: string) => void
}

/** The limit for one batch with its retries. */
const EXPORT_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 3_000

/**
 * Sends spans by OTLP/HTTP as JSON, in batches. A bounded queue drops spans that a slow collector does not accept. The
 * variables of OpenTelemetry set sampler, limits and batches (`OTEL_TRACES_SAMPLER`, `OTEL_BSP_*`).
 *
 * ```ts
 * const tracing = otlpTracing({ url: 'http://localhost:4318/v1/traces' })
 * const pay = payments(await nodePorts({ store, bank, dataDir, publicUrl }, { tracer: tracing.tracer('payments') }))
 * // … at the end, after the ports and the store:
 * await tracing.close()
 * ```
 */
export const otlpTracing = ({ url, headers, serviceName = 'portico', version, report }: OtlpOptions = {}): Tracing => {
  const exporter = new OTLPTraceExporter({
    ...(url === undefined ? {} : { url }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': serviceName,
        ...(version === undefined ? {} : { 'service.version': version }),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
  const processor = new BatchSpanProcessor(reporting(exporter, report ?? ((line) => process.emitWarning(line))))
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] })
  // If the embedder's SDK has set one already, this call changes nothing.
  context.setGlobalContextManager(asyncContexts())
  return {
    tracer: (scope) => openTelemetryTracer(provider.getTracer(scope, version)),
    async close() {
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)
      })
      // A failing collector has been reported.
      await Promise.race([provider.shutdown().catch(() => {}), over])
      clearTimeout(timer)
    },
  }
}

/** Wraps an exporter to report the first failing batch, and the first one that is sent again. */
const reporting = (exporter: OTLPTraceExporter, report: (line: string) => void): SpanExporter => {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed !== isAway) report(failed ? `spans are dropped: ${whyOf(result.error)}` : 'spans are sent again')
        isAway = failed
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}

const whyOf = (error: Error | undefined): string => {
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = Object(error)
  return `the collector accepts none (${[code, message].filter((part) => part !== undefined && part !== '').join(' ')})`
}

const asyncContexts = (): ContextManager => {
  const current = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => current.getStore() ?? ROOT_CONTEXT,
    with: (of, work, self, ...given) => current.run(of, () => work.apply(self as never, given)),
    bind: (of, target) =>
      typeof target === 'function'
        ? (((...given: unknown[]) => current.run(of, () => target(...given))) as never)
        : target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/** Adapts a tracer of OpenTelemetry's API, for a process that has set up its own SDK. */
export const openTelemetryTracer = (tracer: ApiTracer): Tracer => ({
  start({ name, kind, attributes = {}, parent }: SpanStart): Span {
    const within = parent === undefined ? context.active() : contextOf(parent)
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, within)
    const own = trace.setSpan(within, span)
    return {
      run: (work) => context.with(own, work),
      rename: (to) => void span.updateName(to),
      set: (facts) => void span.setAttributes({ ...facts }),
      fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
      end: () => span.end(),
    }
  },
  current: () => textOf(trace.getActiveSpan()),
})

const contextOf = (parent: TraceContext | null): Context => {
  if (parent === null) return ROOT_CONTEXT
  const [traceparent = '', ...state] = parent.split(' ')
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-')
  const traceState = state.length === 0 ? {} : { traceState: createTraceState(state.join(' ')) }
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...traceState,
  })
}

const textOf = (span: SdkSpan | undefined): TraceContext | null => {
  if (!span) return null
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  const state = traceState?.serialize()
  return `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}${state ? ` ${state}` : ''}`
}
