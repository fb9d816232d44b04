import { type NodePorts, nodePorts } from '../../adapters/node/node-ports.ts'
import type { Log } from '../../core/ports/runtime.ts'
import type { PorticoSettings } from '../host/environment.ts'
import type { Host } from '../host/host.ts'
import { urlAt } from '../http/server.ts'
import { EMBEDDED, type OpenedBank } from './open-bank.ts'

/** Returns the address of the payments API, without a trailing slash. */
export const publicUrlOf = ({ PUBLIC_URL, HOST, PAYMENTS_PORT }: PorticoSettings): string =>
  PUBLIC_URL ?? urlAt(HOST, PAYMENTS_PORT)

/** Creates the ports of payments; by default with the embedded bank. */
export const portsOf = (
  host: Host,
  publicUrl: string,
  log: Log,
  { bank, acquirer }: Pick<OpenedBank, 'bank' | 'acquirer'> = EMBEDDED,
): Promise<NodePorts> => {
  const { settings, secrets, store, files, ids, clock, random, digest } = host
  const tracer = host.tracing?.tracer('payments')
  const { RESET_URL_HOSTS: resetHosts } = settings
  return nodePorts(
    {
      store,
      bank,
      acquirer,
      dataDir: settings.DATA_DIR,
      ...secrets,
      publicUrl,
      ...(resetHosts.length > 0 ? { resetHosts } : {}),
      smtpUrl: settings.SMTP_URL,
      mailFrom: settings.MAIL_FROM,
      webhooksAllowPrivate: settings.WEBHOOKS_ALLOW_PRIVATE,
      isProduction: settings.NODE_ENV === 'production',
      alertsAt: settings.ALERTS_AT,
      boletoSearchCode: settings.BOLETO_SEARCH_CODE,
      internalTransferBank: settings.INTERNAL_TRANSFER_BANK,
      messagesPerDay: settings.MESSAGES_PER_DAY,
      linkChargesPerHour: settings.LINK_CHARGES_PER_HOUR,
      linkChargesPerDay: settings.LINK_CHARGES_PER_DAY,
    },
    { digest, files, ids, clock, random, log, ...(tracer && { tracer }) },
  )
}
