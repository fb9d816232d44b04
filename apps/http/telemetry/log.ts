import { pino } from 'pino'
import type { Log as BusinessLog } from '../../../core/ports/runtime.ts'
import { type Tracer, traceIdOf } from '../../../core/ports/tracer.ts'

/** One line per request. Never bodies, headers or query strings: tokens and PINs travel in them. */
export interface RequestLine {
  readonly id: string
  readonly method: string
  /** The row's name, or null where none matched: a path may hold a secret. */
  readonly route: string | null
  readonly status: number
  readonly ms: number
  readonly address: string
}

export interface Log extends BusinessLog {
  request(line: RequestLine): void
  /** What the caller is told nothing of: the error with its stack goes here alone. */
  failure(about: { readonly id: string | null; readonly route: string | null }, error: unknown): void
  info(message: string, facts?: Readonly<Record<string, string | number>>): void
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

// Named one by one: drivers hang records and queries on their errors.
const factsOf = (error: unknown) => {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { name, message, stack, ...('code' in error ? { code: String(error.code) } : {}) }
}

const traceOf = (tracer: Tracer) => () => {
  const context = tracer.current()
  return context === null ? {} : { trace_id: traceIdOf(context) }
}

/** JSON lines on stdout; with a tracer, those of a request or a job carry its `trace_id`. Source: decisions.md §7, `LOG_LEVEL`. */
export const pinoLog = (
  name: string,
  level: (typeof LOG_LEVELS)[number],
  // Not waiting for each line to be written keeps requests off the disk; what is left is flushed at the exit.
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
