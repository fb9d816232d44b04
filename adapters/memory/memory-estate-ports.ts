import { idPool } from '../../core/kernel/running/fresh.ts'
import { realEstateCollections } from '../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../core/real-estate/real-estate-ports.ts'
import { systemClock } from '../clock/system-clock.ts'
import { aesCipher } from '../crypto/cipher.ts'
import { digest } from '../crypto/digest.ts'
import { systemRandom } from '../crypto/system-random.ts'
import { memoryIdentity } from '../identity/memory-identity.ts'
import { indexTable } from '../indexes/index-table.ts'
import { memoryLog } from '../log/memory-log.ts'
import { etaEmailRenderer } from '../mail/eta-email-renderer.ts'
import { memoryMailer } from '../mail/memory-mailer.ts'
import { pdfContractRenderer } from '../pdf/pdf-contract-renderer.ts'
import { pdfOwnerStatementRenderer } from '../pdf/statement/pdf-owner-statement-renderer.ts'
import { sheetReader } from '../sheets/sheet-reader.ts'
import { memoryStore } from './memory-store.ts'

const KEY_BYTES = 32

/**
 * All the ports of the real-estate business with nothing outside this process. For trying rules; what `instead` names stands
 * in for the rest. Its keys end with the process.
 */
export const memoryEstatePorts = (instead: Partial<RealEstatePorts> = {}): RealEstatePorts => {
  const store = instead.store ?? memoryStore(realEstateCollections)
  const { clock = systemClock, random = systemRandom, ids = idPool(store) } = instead
  return {
    identity: memoryIdentity(),
    cipher: aesCipher(systemRandom.bytes(KEY_BYTES)),
    digest,
    log: memoryLog(),
    mail: { mailer: memoryMailer(), emailRenderer: etaEmailRenderer },
    indexes: indexTable([]),
    sheetReader,
    contractRenderer: pdfContractRenderer,
    ownerStatementRenderer: pdfOwnerStatementRenderer(),
    settings: { alertsAt: '07:00', openRegistration: true, rentRunDay: null, publicUrl: 'http://localhost' },
    ...instead,
    store,
    clock,
    random,
    ids,
  }
}
