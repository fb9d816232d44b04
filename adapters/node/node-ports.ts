import { join } from 'node:path'
import { idPool } from '../../core/kernel/running/fresh.ts'
import type { Runtime } from '../../core/kernel/running/use-case.ts'
import { opensSealed } from '../../core/payments/payments.ts'
import type { PaymentsPorts, PaymentsSettings } from '../../core/payments/payments-ports.ts'
import type { Acquirer } from '../../core/ports/acquirer.ts'
import type { Bank } from '../../core/ports/bank.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Store } from '../../core/ports/store.ts'
import { closingClock } from '../clock/system-clock.ts'
import { aesCipher, digest } from '../crypto/cipher.ts'
import { scryptHasher } from '../crypto/hasher.ts'
import { systemRandom } from '../crypto/random.ts'
import { jwtTokens } from '../crypto/tokens.ts'
import { pngQrRenderer } from '../documents/codes.ts'
import { pdfInvoiceRenderer } from '../documents/pdf-invoice-renderer.ts'
import { pdfStatementRenderer } from '../documents/pdf-statement-renderer.ts'
import { diskFiles } from '../files/disk-files.ts'
import { etaEmailRenderer } from '../messaging/eta-email-renderer.ts'
import { outboxMailer, outboxMessenger } from '../messaging/outbox.ts'
import { smtpMailer, smtpTenantMailer } from '../messaging/smtp.ts'
import { sheetWriter } from '../sheets/sheet-writer.ts'
import { warningLog } from '../telemetry/log.ts'
import { httpSender } from '../webhooks/http-sender.ts'
import type { SecretSource } from './secrets.ts'
import { openSecrets } from './secrets.ts'
import { type CheckedSetup, readSetup } from './setup.ts'

/** The parts and settings of real ports of payments. */
export interface NodeSetup extends SecretSource, Partial<Omit<PaymentsSettings, 'publicUrl'>> {
  /** A store opened with `paymentsCollections` and the collections of the bank. The caller closes it, after the ports. */
  readonly store: Store
  /** A bank, or a function that creates one, such as `fakeBank`. */
  readonly bank: Bank | ((runtime: Runtime) => Bank)
  /** An acquirer of cards, or a function that creates one, such as `fakeAcquirer`; without it cards are not accepted. */
  readonly acquirer?: Acquirer | ((runtime: Runtime) => Acquirer) | null
  /** The beginning of public links, without a trailing slash. */
  readonly publicUrl: string
  /** `smtp://user:pass@host:port`; without it mails are written as `.eml` files into `dataDir/outbox`. */
  readonly smtpUrl?: string | null
  /** The sender of mails: `Name <address>`. */
  readonly mailFrom?: string
  /** Allows webhooks, and mails through an account's own server, to private addresses; `false` by default. */
  readonly webhooksAllowPrivate?: boolean
}

/** Real ports of payments. */
export interface NodePorts extends PaymentsPorts {
  /** Closes connections and returns unused ids. To be called after the worker has ended and before the store is closed. */
  close(): Promise<void>
}

/**
 * Creates the ports of payments that the server itself uses: AES and scrypt of the runtime, JWT, SMTP, webhooks over HTTP, files
 * on the disk. `instead` replaces single ones. Missing secrets are generated once and stored in `dataDir`, for its owner only.
 * Rejects with `SetupFault` if settings are wrong, before anything is created, and with `SecretFault` if the store was written
 * with other secrets.
 */
export const nodePorts = async (
  setup: NodeSetup,
  instead: Partial<Omit<PaymentsPorts, keyof NodeSetup | 'cipher' | 'tokens' | 'settings'>> = {},
): Promise<NodePorts> => {
  const { dataDir, dataKey, jwtSecret, smtpUrl, mailFrom: from, webhooksAllowPrivate, ...settings } = readSetup(setup)
  const { store, bank, acquirer = null } = setup
  const secrets = await openSecrets(store, [{ opensSealed }], { dataDir, dataKey, jwtSecret })
  const { warn } = instead.log ?? warningLog
  const clock = closingClock(warn)
  const ids = idPool(store)
  const smtp = smtpUrl === null ? null : smtpMailer({ url: smtpUrl, from })
  const webhooks = httpSender({ allowPrivate: webhooksAllowPrivate, report: warn })
  const outbox = join(dataDir, 'outbox')
  const runtime = { store, clock, random: systemRandom, ids, ...instead }
  return {
    bank: typeof bank === 'function' ? bank(runtime) : bank,
    acquirer: typeof acquirer === 'function' ? acquirer(runtime) : acquirer,
    cipher: aesCipher(secrets.dataKey),
    digest,
    hasher: scryptHasher(),
    tokens: jwtTokens(secrets.jwtSecret),
    files: filesOf(store, dataDir),
    mailer: smtp ?? outboxMailer({ directory: outbox, from }),
    tenantMailer: smtpTenantMailer({ allowPrivate: webhooksAllowPrivate }),
    messenger: outboxMessenger({ directory: outbox }),
    emailRenderer: etaEmailRenderer,
    qrRenderer: pngQrRenderer,
    invoiceRenderer: pdfInvoiceRenderer,
    sheetWriter,
    statementRenderer: pdfStatementRenderer(),
    webhooks,
    log: warningLog,
    ...runtime,
    settings: withResetHosts(settings),
    async close() {
      smtp?.close()
      await webhooks.close()
      try {
        await ids.returnIds()
      } finally {
        clock.close()
      }
    },
  }
}

/** Returns the files of the store if it has its own, such as MongoDB, which all processes share; otherwise those of the disk. */
const filesOf = (store: Store, dataDir: string): Files =>
  hasFiles(store) ? store.files : diskFiles({ directory: join(dataDir, 'files') })

const hasFiles = (store: Store): store is Store & { readonly files: Files } => 'files' in store

/** By default links in recovery mails may lead to `publicUrl` and to a developer's machine. */
const withResetHosts = <S extends Pick<CheckedSetup, 'publicUrl' | 'resetHosts'>>(settings: S) => ({
  ...settings,
  resetHosts: settings.resetHosts ?? [new URL(settings.publicUrl).hostname, 'localhost'],
})
