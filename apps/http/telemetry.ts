import { pino } from 'pino'
import type { Log as BusinessLog } from '../../core/ports/runtime.ts'
import { type Tracer, traceIdOf } from '../../core/ports/tracer.ts'
import type { Context } from './request.ts'

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

/** What a server counts of its requests, and shows to its own machine. */
export interface Metrics {
  /** The media type of `text`. */
  readonly type: string
  request(route: string, status: number, seconds: number): void
  text(): Promise<string>
}

export const METRICS_PATH = '/metrics'
/** What a proxy on this machine says of whom it speaks for, whether it is told to be trusted or not. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

/**
 * Shows the metrics to whoever calls from this machine; to anybody else there is no such route. The socket says who that
 * is: a header that a proxy of ours has written may only take the right away, never give it.
 */
export const metricsRoute =
  ({ type, text }: Metrics) =>
  async (ctx: Context, next: () => Promise<unknown>): Promise<unknown> => {
    if (ctx.path !== METRICS_PATH || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    const isForwarded = FORWARDED.some((name) => ctx.req.headers[name] !== undefined)
    if (isForwarded || !isLoopback(ctx.req.socket.remoteAddress ?? '')) return next()
    ctx.state.route = 'metrics'
    ctx.set('Content-Type', type)
    ctx.body = await text()
  }

/** Whether an address of a socket is this machine's own. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)
