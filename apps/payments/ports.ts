import { fakeBank } from '../../adapters/bank/fake/fake-bank.ts'
import { type NodePorts, nodePorts } from '../../adapters/node/node-ports.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Host } from '../host/host.ts'

/** The real things behind the ports of payments. */
export const portsOf = (host: Host, publicUrl: string, log: Log): Promise<NodePorts> => {
  const { settings, secrets, store, files, ids, clock, random, digest } = host
  const { RESET_URL_HOSTS: resetHosts } = settings
  return nodePorts(
    {
      store,
      bank: fakeBank,
      dataDir: settings.DATA_DIR,
      ...secrets,
      publicUrl,
      ...(resetHosts.length > 0 ? { resetHosts } : {}),
      smtpUrl: settings.SMTP_URL,
      mailFrom: settings.MAIL_FROM,
      webhooksAllowPrivate: settings.WEBHOOKS_ALLOW_PRIVATE,
      isProduction: settings.NODE_ENV === 'production',
      alertsAt: settings.ALERTS_AT,
    },
    { digest, files, ids, clock, random, log },
  )
}
