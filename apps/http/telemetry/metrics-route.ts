import type { Context } from '../request/context.ts'
import type { Metrics } from './metrics.ts'

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
