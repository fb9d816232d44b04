/**
 * Tracing with OpenTelemetry, for a process that embeds a core. Needs `@opentelemetry/api`, `@opentelemetry/resources`,
 * `@opentelemetry/sdk-trace-node` and `@opentelemetry/exporter-trace-otlp-http`.
 */
export type { Tracer, Tracing } from '../../core/ports/tracer.ts'
export { type OtlpOptions, openTelemetryTracer, otlpTracing } from './otlp.ts'
