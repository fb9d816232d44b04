import { pino } from 'pino'
import type { Log as BusinessLog } from '../../core/ports/runtime.ts'
import { type Tracer, traceIdOf } from '../../core/ports/tracer.ts'

/** One line per request. It has no bodies, headers or query strings: these contain tokens and PINs. */
export interface RequestLine {
  readonly id: string
  readonly method: string
  /** The name of the row, or null if none matched; never the path, which may contain a secret. */
  readonly route: string | null
  readonly status: number
  readonly ms: number
  readonly address: string
}

export interface Log extends BusinessLog {
  request(line: RequestLine): void
  /** Logs an error with its stack. The caller sees neither. */
  failure(about: { readonly id: string | null; readonly route: string | null }, error: unknown): void
  info(message: string, facts?: Readonly<Record<string, string | number>>): void
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

// Only these fields: drivers attach records and queries to their errors.
const factsOf = (error: unknown) => {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { name, message, stack, ...('code' in error ? { code: String(error.code) } : {}) }
}

const traceOf = (tracer: Tracer) => () => {
  const context = tracer.current()
  return context === null ? {} : { trace_id: traceIdOf(context) }
}

/** Logs JSON lines on stdout. With a tracer, lines of a request or a job contain its `trace_id`. */
export const pinoLog = (
  name: string,
  level: (typeof LOG_LEVELS)[number],
  // Asynchronous: requests do not wait for the disk. The rest is flushed at exit.
  to: { write(line: string): void } = pino.destination({ dest: 1, sync: false }),
  tracer?: Tracer,
): Log => {
  const log = pino({ name, level, base: { name }, ...(tracer && { mixin: traceOf(tracer) }) }, to)
  return {
    request: (line) => log.info(line, 'request'),
    failure: (about, error) => log.error({ ...about, error: factsOf(error) }, 'failure'),
    warn: (message, facts = {}) => log.warn(facts, message),
    error: (message, facts = {}) => log.error(facts, message),
    info: (message, facts = {}) => log.info(facts, message),
  }
}

/** The metrics of a server's requests. */
export interface Metrics {
  /** The media type of `text`. */
  readonly type: string
  request(route: string, status: number, seconds: number): void
  text(): Promise<string>
}

export const METRICS_PATH = '/metrics'

export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)
