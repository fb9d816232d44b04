import { idPool } from '../../core/kernel/running/ids.ts'
import { paymentsCollections } from '../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../core/payments/payments-ports.ts'
import { realEstateCollections } from '../../core/real-estate/real-estate.ts'
import type { RealEstatePorts } from '../../core/real-estate/real-estate-ports.ts'
import { fakeAcquirer } from '../bank/fake/acquirer.ts'
import { fakeBank } from '../bank/fake/bank.ts'
import { fakeBankCollections } from '../bank/fake/books.ts'
import { systemClock } from '../clock/system-clock.ts'
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
import { memoryFiles } from '../files/memory-files.ts'
import { indexTable } from '../indexes/index-table.ts'
import { etaEmailRenderer } from '../messaging/eta-email-renderer.ts'
import { sheetReader } from '../sheets/sheet-reader.ts'
import { sheetWriter } from '../sheets/sheet-writer.ts'
import { memoryLog } from '../telemetry/log.ts'
import { memoryIdentity, memoryMailer, memoryMessenger, memorySender, memoryTenantMailer } from './memory-services.ts'
import { memoryStore } from './memory-store.ts'

const KEY_BYTES = 32

/**
 * Creates all ports of payments in this process: a store in memory, the embedded bank, and mails and webhooks that are
 * not sent. `instead` replaces ports. The keys are new in each process, so a durable store needs `nodePorts`.
 */
export const memoryPorts = (instead: Partial<PaymentsPorts> = {}): PaymentsPorts => {
  const store = instead.store ?? memoryStore([...paymentsCollections, ...fakeBankCollections])
  const { clock = systemClock, random = systemRandom, ids = idPool(store) } = instead
  const runtime = { store, clock, random, ids }
  return {
    bank: fakeBank(runtime),
    acquirer: fakeAcquirer(runtime),
    cipher: aesCipher(systemRandom.bytes(KEY_BYTES)),
    digest,
    hasher: scryptHasher(),
    tokens: jwtTokens(systemRandom.bytes(KEY_BYTES)),
    files: memoryFiles(),
    mailer: memoryMailer(),
    tenantMailer: memoryTenantMailer(),
    messenger: memoryMessenger(),
    emailRenderer: etaEmailRenderer,
    qrRenderer: pngQrRenderer,
    invoiceRenderer: pdfInvoiceRenderer,
    sheetWriter,
    statementRenderer: pdfStatementRenderer(),
    personalDataRenderer: pdfPersonalDataRenderer(),
    webhooks: memorySender(),
    log: memoryLog(),
    settings: {
      publicUrl: 'http://localhost',
      resetHosts: ['localhost'],
      isProduction: false,
      alertsAt: '07:00',
      boletoSearchCode: null,
      internalTransferBank: '748',
    },
    ...instead,
    ...runtime,
  }
}

/**
 * Creates all ports of the real-estate business in this process. `instead` replaces ports. The keys are new in each
 * process.
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
