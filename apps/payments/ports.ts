import { join } from 'node:path'
import { fakeBank } from '../../adapters/bank/fake/fake-bank.ts'
import { aesCipher } from '../../adapters/crypto/cipher.ts'
import { scryptHasher } from '../../adapters/crypto/hasher.ts'
import { jwtTokens } from '../../adapters/crypto/tokens.ts'
import { etaEmailRenderer } from '../../adapters/mail/eta-email-renderer.ts'
import { outboxMailer } from '../../adapters/mail/outbox-mailer.ts'
import { smtpMailer } from '../../adapters/mail/smtp-mailer.ts'
import { smtpTenantMailer } from '../../adapters/mail/smtp-tenant-mailer.ts'
import { outboxMessenger } from '../../adapters/messages/outbox-messenger.ts'
import { pngQrRenderer } from '../../adapters/qr/png-qr-renderer.ts'
import { httpSender } from '../../adapters/webhooks/http-sender.ts'
import type { PaymentsPorts } from '../../core/payments/payments-ports.ts'
import type { Log } from '../../core/ports/log.ts'
import type { PorticoSettings } from '../host/environment.ts'
import type { Host } from '../host/host.ts'

const LOCAL = 'localhost'

/** Where a recovery mail may link to: by default to our own place, and to a developer's. */
const resetHostsOf = ({ RESET_URL_HOSTS: told }: PorticoSettings, publicUrl: string): readonly string[] =>
  told.length > 0 ? told : [new URL(publicUrl).hostname, LOCAL]

interface OpenedPorts {
  readonly ports: PaymentsPorts
  close(): Promise<void>
}

/** The real things behind the ports of payments, and how to let go of them. */
export const portsOf = (host: Host, publicUrl: string, log: Log): OpenedPorts => {
  const { settings, secrets, store, files, ids, clock, random, digest } = host
  const { SMTP_URL: url, MAIL_FROM: from, DATA_DIR } = settings
  const outbox = join(DATA_DIR, 'outbox')
  const smtp = url === null ? null : smtpMailer({ url, from })
  const webhooks = httpSender({ allowPrivate: settings.WEBHOOKS_ALLOW_PRIVATE })
  const runtime = { store, ids, clock, random }
  return {
    ports: {
      ...runtime,
      digest,
      bank: fakeBank(runtime),
      cipher: aesCipher(secrets.dataKey),
      hasher: scryptHasher(),
      tokens: jwtTokens(secrets.jwtSecret),
      files,
      tenantMailer: smtpTenantMailer({ allowPrivate: settings.WEBHOOKS_ALLOW_PRIVATE }),
      messenger: outboxMessenger({ directory: outbox }),
      emailRenderer: etaEmailRenderer,
      mailer: smtp ?? outboxMailer({ directory: outbox, from }),
      qrRenderer: pngQrRenderer,
      webhooks,
      log,
      settings: {
        publicUrl,
        resetHosts: resetHostsOf(settings, publicUrl),
        isProduction: settings.NODE_ENV === 'production',
        alertsAt: settings.ALERTS_AT,
      },
    },
    async close() {
      smtp?.close()
      await webhooks.close()
    },
  }
}
