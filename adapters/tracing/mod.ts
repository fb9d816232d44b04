/**
 * Tracing with OpenTelemetry, for a process that embeds a core. Needs `@opentelemetry/api`, `@opentelemetry/resources`,
 * `@opentelemetry/sdk-trace-node` and `@opentelemetry/exporter-trace-otlp-http`.
 */
export type { Tracer } from '../../core/ports/tracer.ts'
export { type OtlpOptions, openTelemetryTracer, otlpTracing, type Tracing } from './otlp.ts'
