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

const LOCAL = 'localhost'

/** What real ports are made of. */
export interface NodeSetup extends SecretSource, Partial<Omit<PaymentsSettings, 'publicUrl'>> {
  /** Opened with `paymentsCollections` and what the bank keeps. Whoever opened it closes it, after the ports. */
  readonly store: Store
  /** A bank, or what makes one of the store, clock, chance and ids that it is to run on, as `fakeBank` does. */
  readonly bank: Bank | ((runtime: Runtime) => Bank)
  /** Who charges cards, or what makes one, as `fakeAcquirer` does; without it no cards are taken. */
  readonly acquirer?: Acquirer | ((runtime: Runtime) => Acquirer) | null
  /** Base of public links, without a slash at its end. */
  readonly publicUrl: string
  /** `smtp://user:pass@host:port`; without it mails are `.eml` files in `outbox` of the directory. */
  readonly smtpUrl?: string | null
  /** `Name <address>`: who mails are from. */
  readonly mailFrom?: string
  /** Whether webhooks, and mails by an account's own server, may go to private addresses; `false` by default. */
  readonly webhooksAllowPrivate?: boolean
}

/** What a store's key is checked for, and so is made here. */
type OfSecrets = 'cipher' | 'tokens'

/** Real ports of payments, and how to let go of them. */
export interface NodePorts extends PaymentsPorts {
  /** Ends what they hold open, and gives back the ids that were not used: after the worker, before the store. */
  close(): Promise<void>
}

/**
 * All the ports of payments with what the server itself uses: AES and scrypt of the runtime, JWT, SMTP, webhooks over HTTP,
 * files on the disk; what `instead` names stands in for the rest. Secrets that are not given are made once, and kept in the
 * directory as files that are their owner's alone. Rejects with `SetupFault`, before anything is made, where settings are
 * wrong, and with `SecretFault` where secrets are not those that the store was written with.
 *
 * Source: decisions.md §7, Configuration.
 */
export const nodePorts = async (
  setup: NodeSetup,
  instead: Partial<Omit<PaymentsPorts, keyof NodeSetup | OfSecrets | 'settings'>> = {},
): Promise<NodePorts> => {
  const checked = readSetup(setup)
  const { store, bank, acquirer = null } = setup
  const { dataDir, smtpUrl, mailFrom: from, webhooksAllowPrivate } = checked
  const { dataKey, jwtSecret } = await openSecrets(store, [{ opensSealed }], checked)
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
    cipher: aesCipher(dataKey),
    digest,
    hasher: scryptHasher(),
    tokens: jwtTokens(jwtSecret),
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
    settings: settingsOf(checked),
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

/** Beside the records where the store has a place for them, as MongoDB's has: every process finds them there. */
const filesOf = (store: Store, dataDir: string): Files =>
  hasFiles(store) ? store.files : diskFiles({ directory: join(dataDir, 'files') })

const hasFiles = (store: Store): store is Store & { readonly files: Files } => 'files' in store

/** A recovery mail may link to our own place, and to a developer's, unless others are named. */
const settingsOf = ({
  publicUrl,
  resetHosts,
  isProduction,
  alertsAt,
  boletoSearchCode,
  internalTransferBank,
  messagesPerDay,
  linkChargesPerHour,
  linkChargesPerDay,
}: CheckedSetup) => ({
  publicUrl,
  resetHosts: resetHosts ?? [new URL(publicUrl).hostname, LOCAL],
  isProduction,
  alertsAt,
  boletoSearchCode,
  internalTransferBank,
  messagesPerDay,
  linkChargesPerHour,
  linkChargesPerDay,
})
