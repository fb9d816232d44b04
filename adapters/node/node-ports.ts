import { join } from 'node:path'
import { idPool } from '../../core/kernel/running/ids.ts'
import type { Runtime } from '../../core/kernel/running/use-case.ts'
import { opensSealed } from '../../core/payments/payments.ts'
import type { PaymentsPorts, PaymentsSettings } from '../../core/payments/payments-ports.ts'
import type { Acquirer } from '../../core/ports/acquirer.ts'
import type { Bank } from '../../core/ports/bank.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Identity } from '../../core/ports/identity.ts'
import type { Log } from '../../core/ports/runtime.ts'
import type { Store } from '../../core/ports/store.ts'
import type { RealEstatePorts, RealEstateSettings } from '../../core/real-estate/real-estate-ports.ts'
import { closingClock } from '../clock/system-clock.ts'
import { aesCipher, digest } from '../crypto/cipher.ts'
import { scryptHasher } from '../crypto/hasher.ts'
import { systemRandom } from '../crypto/random.ts'
import { jwtTokens } from '../crypto/tokens.ts'
import { pngQrRenderer } from '../documents/codes.ts'
import { pdfContractRenderer } from '../documents/pdf-contract-renderer.ts'
import { pdfInvoiceRenderer } from '../documents/pdf-invoice-renderer.ts'
import { pdfOwnerStatementRenderer } from '../documents/pdf-owner-statement-renderer.ts'
import { pdfPersonalDataRenderer } from '../documents/pdf-personal-data-renderer.ts'
import { pdfStatementRenderer } from '../documents/pdf-statement-renderer.ts'
import { diskFiles } from '../files/disk-files.ts'
import { etaEmailRenderer } from '../messaging/eta-email-renderer.ts'
import { outboxMailer, outboxMessenger } from '../messaging/outbox.ts'
import { smtpMailer, smtpTenantMailer } from '../messaging/smtp.ts'
import { sheetReader } from '../sheets/sheet-reader.ts'
import { sheetWriter } from '../sheets/sheet-writer.ts'
import { warningLog } from '../telemetry/log.ts'
import { httpSender } from '../webhooks/http-sender.ts'
import { openDataKey, openSecrets, type SecretSource } from './secrets.ts'
import { type CheckedSetup, openIndexes, readEstateSetup, readSetup } from './setup.ts'

interface MailSetup {
  /** `smtp://user:pass@host:port`; without it mails are written as `.eml` files into `dataDir/outbox`. */
  readonly smtpUrl?: string | null
  /** The sender of mails: `Name <address>`. */
  readonly mailFrom?: string
}

interface Closing {
  /**
   * Closes connections and returns unused ids. To be called after the worker has ended and before the store is closed.
   */
  close(): Promise<void>
}

/** The setup of `nodePorts`: parts and settings. */
export interface NodeSetup extends SecretSource, MailSetup, Partial<Omit<PaymentsSettings, 'publicUrl'>> {
  /**
   * A store opened with `paymentsCollections` and the collections of the bank. The caller closes it, after the ports.
   */
  readonly store: Store
  /** A bank, or a function that creates one, such as `fakeBank`. */
  readonly bank: Bank | ((runtime: Runtime) => Bank)
  /**
   * An acquirer of cards, or a function that creates one, such as `fakeAcquirer`; without it cards are not accepted.
   */
  readonly acquirer?: Acquirer | ((runtime: Runtime) => Acquirer) | null
  /** The beginning of public links, without a trailing slash. */
  readonly publicUrl: string
  /** Allows webhooks, and mails through an account's own server, to private addresses; `false` by default. */
  readonly webhooksAllowPrivate?: boolean
}

/** The ports of payments on Node, Deno or Bun. */
export type NodePorts = PaymentsPorts & Closing

/**
 * Creates the ports of payments that the server itself uses: AES and scrypt of the runtime, JWT, SMTP, webhooks over
 * HTTP, files on the disk. `instead` replaces single ports. Missing secrets are generated once and stored in `dataDir`,
 * for its owner only. Rejects with `SetupFault` if settings are wrong, before anything is created, and with
 * `SecretFault` if the store was written with other secrets.
 */
export const nodePorts = async (
  setup: NodeSetup,
  instead: Partial<Omit<PaymentsPorts, keyof NodeSetup | 'cipher' | 'tokens' | 'settings'>> = {},
): Promise<NodePorts> => {
  const { dataDir, dataKey, jwtSecret, smtpUrl, mailFrom, webhooksAllowPrivate, ...settings } = readSetup(setup)
  const { store, bank, acquirer = null } = setup
  const secrets = await openSecrets(store, [{ opensSealed }], { dataDir, dataKey, jwtSecret })
  const { warn } = instead.log ?? warningLog
  const { mailer, outbox, close, ...own } = openRuntime(store, { dataDir, smtpUrl, mailFrom }, warn)
  const webhooks = httpSender({ allowPrivate: webhooksAllowPrivate, report: warn })
  const runtime = { ...own, ...instead }
  return {
    bank: typeof bank === 'function' ? bank(runtime) : bank,
    acquirer: typeof acquirer === 'function' ? acquirer(runtime) : acquirer,
    cipher: aesCipher(secrets.dataKey),
    digest,
    hasher: scryptHasher(),
    tokens: jwtTokens(secrets.jwtSecret),
    files: filesOf(store, dataDir),
    mailer,
    tenantMailer: smtpTenantMailer({ allowPrivate: webhooksAllowPrivate }),
    messenger: outboxMessenger({ directory: outbox }),
    emailRenderer: etaEmailRenderer,
    qrRenderer: pngQrRenderer,
    invoiceRenderer: pdfInvoiceRenderer,
    sheetWriter,
    statementRenderer: pdfStatementRenderer(),
    personalDataRenderer: pdfPersonalDataRenderer(),
    webhooks,
    log: warningLog,
    ...runtime,
    settings: withResetHosts(settings),
    async close() {
      await webhooks.close()
      await close()
    },
  }
}

/**
 * Returns the files of the store if it has its own, such as MongoDB, which all processes share; otherwise those of the
 * disk.
 */
const filesOf = (store: Store, dataDir: string): Files =>
  hasFiles(store) ? store.files : diskFiles({ directory: join(dataDir, 'files') })

const hasFiles = (store: Store): store is Store & { readonly files: Files } => 'files' in store

/** By default links in recovery mails may lead to `publicUrl` and to a developer's machine. */
const withResetHosts = <S extends Pick<CheckedSetup, 'publicUrl' | 'resetHosts'>>(settings: S) => ({
  ...settings,
  resetHosts: settings.resetHosts ?? [new URL(settings.publicUrl).hostname, 'localhost'],
})

/** The setup of `nodeEstatePorts`: parts and settings. */
export interface NodeEstateSetup
  extends Pick<SecretSource, 'dataDir' | 'dataKey'>,
    MailSetup,
    Partial<Omit<RealEstateSettings, 'publicUrl'>> {
  /** A store opened with `realEstateCollections`. The caller closes it, after the ports. */
  readonly store: Store
  /** The provider whose tokens are accepted: `jwksIdentity(…)` for one that publishes its keys. */
  readonly identity: Identity
  /** The address of the agency's API, without a trailing slash. */
  readonly publicUrl: string
  /** A JSON file of price indexes, read again when it changes; without it no month has a figure. */
  readonly indexTable?: string | null
}

/** The ports of the agency on Node, Deno or Bun. */
export type NodeEstatePorts = RealEstatePorts & Closing

/**
 * Creates the ports of the agency that the server itself uses; `instead` replaces single ports, or adds a `mirror`.
 * Without `openRegistration` only an Admin registers staff. Without `dataKey`, the key is the one that `nodePorts`
 * stores in the same directory. Rejects with `SetupFault` if settings are wrong, before anything is created, and with
 * `SecretFault` if the store was written with another key.
 */
export const nodeEstatePorts = async (
  setup: NodeEstateSetup,
  instead: Partial<Omit<RealEstatePorts, keyof NodeEstateSetup | 'cipher' | 'settings'>> = {},
): Promise<NodeEstatePorts> => {
  const { dataDir, dataKey, indexTable, smtpUrl, mailFrom, ...settings } = readEstateSetup(setup)
  const { store, identity } = setup
  const indexes = openIndexes(indexTable)
  const cipher = aesCipher(await openDataKey(store, [], { dataDir, dataKey }))
  const { warn } = instead.log ?? warningLog
  const { mailer, outbox: _, close, ...own } = openRuntime(store, { dataDir, smtpUrl, mailFrom }, warn)
  return {
    ...own,
    identity,
    cipher,
    digest,
    log: warningLog,
    mail: { mailer, emailRenderer: etaEmailRenderer },
    indexes,
    sheetReader,
    contractRenderer: pdfContractRenderer,
    ownerStatementRenderer: pdfOwnerStatementRenderer(),
    settings,
    ...instead,
    close,
  }
}

type RuntimeSetup = Pick<CheckedSetup, 'dataDir' | 'smtpUrl' | 'mailFrom'>

const openRuntime = (store: Store, { dataDir, smtpUrl, mailFrom: from }: RuntimeSetup, warn: Log['warn']) => {
  const clock = closingClock(warn)
  const ids = idPool(store)
  const outbox = join(dataDir, 'outbox')
  const smtp = smtpUrl === null ? null : smtpMailer({ url: smtpUrl, from })
  return {
    store,
    clock,
    ids,
    random: systemRandom,
    outbox,
    mailer: smtp ?? outboxMailer({ directory: outbox, from }),
    async close() {
      smtp?.close()
      try {
        await ids.returnIds()
      } finally {
        clock.close()
      }
    },
  }
}
