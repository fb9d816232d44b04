import { isPublicAddress } from '../../../adapters/webhooks/public-address.ts'
import type { Context } from '../request/context.ts'
import type { Log } from '../telemetry/log.ts'

/**
 * Warns, once, where a proxy seems to stand before the server and is not trusted: all who call through it share its address,
 * and with that one caller's share. Source: decisions.md §12, Fair shares.
 */
export const proxyWarning = (log: Pick<Log, 'warn'>, trustProxy: boolean) => {
  let isTold = trustProxy
  return ({ req }: Context): void => {
    if (isTold || req.headers['x-forwarded-for'] === undefined) return
    const peer = req.socket.remoteAddress ?? 'a socket of this machine'
    if (isPublicAddress(peer)) return
    isTold = true
    log.warn(`TRUST_PROXY: got false, and ${peer} sends X-Forwarded-For: all who call through it share one address`)
  }
}
