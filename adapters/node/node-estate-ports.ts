import { join } from 'node:path'
import { idPool } from '../../core/kernel/running/fresh.ts'
import type { Identity } from '../../core/ports/identity.ts'
import type { Store } from '../../core/ports/store.ts'
import type { RealEstatePorts, RealEstateSettings } from '../../core/real-estate/real-estate-ports.ts'
import { closingClock } from '../clock/system-clock.ts'
import { aesCipher, digest } from '../crypto/cipher.ts'
import { systemRandom } from '../crypto/random.ts'
import { pdfContractRenderer } from '../documents/pdf-contract-renderer.ts'
import { pdfOwnerStatementRenderer } from '../documents/pdf-owner-statement-renderer.ts'
import { etaEmailRenderer } from '../messaging/eta-email-renderer.ts'
import { outboxMailer } from '../messaging/outbox.ts'
import { smtpMailer } from '../messaging/smtp.ts'
import { sheetReader } from '../sheets/sheet-reader.ts'
import { warningLog } from '../telemetry/log.ts'
import type { SecretSource } from './secrets.ts'
import { openDataKey } from './secrets.ts'
import { openIndexes, readEstateSetup } from './setup.ts'

/** The parts and settings of real ports of the agency. */
export interface NodeEstateSetup
  extends Pick<SecretSource, 'dataDir' | 'dataKey'>,
    Partial<Omit<RealEstateSettings, 'publicUrl'>> {
  /** A store opened with `realEstateCollections`. The caller closes it, after the ports. */
  readonly store: Store
  /** The provider whose tokens are accepted: `jwksIdentity(…)` for one that publishes its keys. */
  readonly identity: Identity
  /** The address of the agency's API, without a trailing slash. */
  readonly publicUrl: string
  /** `smtp://user:pass@host:port`; without it mails are written as `.eml` files into `dataDir/outbox`. */
  readonly smtpUrl?: string | null
  /** The sender of mails: `Name <address>`. */
  readonly mailFrom?: string
  /** A JSON file of price indexes, read again when it changes; without it no month has a figure. */
  readonly indexTable?: string | null
}

/** Real ports of the agency. */
export interface NodeEstatePorts extends RealEstatePorts {
  /** Closes connections and returns unused ids. To be called after the worker has ended and before the store is closed. */
  close(): Promise<void>
}

/**
 * Creates the ports of the agency that the server itself uses; `instead` replaces single ones, or adds a `mirror`. Without
 * `openRegistration` only an Admin registers staff. A missing key is the one that `nodePorts` stores in the same directory.
 * Rejects with `SetupFault` if settings are wrong, before anything is created, and with `SecretFault` if the store was written
 * with another key.
 */
export const nodeEstatePorts = async (
  setup: NodeEstateSetup,
  instead: Partial<Omit<RealEstatePorts, keyof NodeEstateSetup | 'cipher' | 'settings'>> = {},
): Promise<NodeEstatePorts> => {
  const { dataDir, dataKey, indexTable, smtpUrl, mailFrom: from, ...settings } = readEstateSetup(setup)
  const { store, identity } = setup
  const indexes = openIndexes(indexTable)
  const cipher = aesCipher(await openDataKey(store, [], { dataDir, dataKey }))
  const clock = closingClock((instead.log ?? warningLog).warn)
  const ids = idPool(store)
  const smtp = smtpUrl === null ? null : smtpMailer({ url: smtpUrl, from })
  return {
    store,
    identity,
    cipher,
    digest,
    log: warningLog,
    mail: {
      mailer: smtp ?? outboxMailer({ directory: join(dataDir, 'outbox'), from }),
      emailRenderer: etaEmailRenderer,
    },
    indexes,
    sheetReader,
    contractRenderer: pdfContractRenderer,
    ownerStatementRenderer: pdfOwnerStatementRenderer(),
    settings,
    clock,
    random: systemRandom,
    ids,
    ...instead,
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
