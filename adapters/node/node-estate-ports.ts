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

/** What real ports of the agency are made of. */
export interface NodeEstateSetup
  extends Pick<SecretSource, 'dataDir' | 'dataKey'>,
    Partial<Omit<RealEstateSettings, 'publicUrl'>> {
  /** Opened with `realEstateCollections`. Whoever opened it closes it, after the ports. */
  readonly store: Store
  /** Whose tokens are taken: `jwksIdentity(…)` for a provider that shows its keys. */
  readonly identity: Identity
  /** Where its API is found, without a slash at its end. */
  readonly publicUrl: string
  /** `smtp://user:pass@host:port`; without it mails are `.eml` files in `outbox` of the directory. */
  readonly smtpUrl?: string | null
  /** `Name <address>`: the sender of mails. */
  readonly mailFrom?: string
  /** A JSON file of price indexes, read again when it is written; without it no month is known. */
  readonly indexTable?: string | null
}

/** Real ports of the agency, and how to let go of them. */
export interface NodeEstatePorts extends RealEstatePorts {
  /** Ends what they hold open, and gives back the ids that were not used: after the worker, before the store. */
  close(): Promise<void>
}

/**
 * All the ports of the agency with what the server itself uses; what `instead` names stands in for the rest, and `mirror` is
 * one of them. Nobody registers as staff unless an Admin does it, where `openRegistration` does not say so. A key that is not
 * given is the one that `nodePorts` keeps in the same directory. Rejects with `SetupFault`, before anything is made, where
 * settings are wrong, and with `SecretFault` where the key is not the one that the store was written with.
 *
 * Source: decisions.md §6 and §7, Configuration.
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
