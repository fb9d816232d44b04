/**
 * Adapters for a service on Node, Deno or Bun. `nodePorts` and `nodeEstatePorts` create all ports of payments and of
 * the agency; each adapter is also exported alone.
 *
 * ```ts
 * const store = await sqliteStore('./data/portico.db', [...paymentsCollections, ...fakeBankCollections])
 * const ports = await nodePorts({ store, bank: fakeBank, dataDir: './data', publicUrl: 'https://pay.example.com' })
 * const pay = payments(ports)
 * const identity = jwksIdentity({ issuer, audience, url })
 * const publicUrl = 'https://imoveis.example.com'
 * const agency = realEstate(await nodeEstatePorts({ store, identity, dataDir: './data', publicUrl }))
 * ```
 */

export { type ClockReading, type ClosingClock, closingClock, steadyTime, systemClock } from '../clock/system-clock.ts'
export { aesCipher, digest } from '../crypto/cipher.ts'
export { scryptHasher } from '../crypto/hasher.ts'
export { systemRandom } from '../crypto/random.ts'
export { jwtTokens } from '../crypto/tokens.ts'
export { pngQrRenderer } from '../documents/codes.ts'
export { pdfContractRenderer } from '../documents/pdf-contract-renderer.ts'
export { pdfOwnerStatementRenderer } from '../documents/pdf-owner-statement-renderer.ts'
export { diskFiles } from '../files/disk-files.ts'
export { type JwksProvider, jwksIdentity } from '../identity/jwks-identity.ts'
export { indexFile, WrongIndexFile } from '../indexes/index-file.ts'
export { type IndexRow, indexTable, readIndexRows } from '../indexes/index-table.ts'
export { etaEmailRenderer } from '../messaging/eta-email-renderer.ts'
export { outboxMailer, outboxMessenger } from '../messaging/outbox.ts'
export {
  type SmtpMailerOptions,
  type SmtpTenantMailerOptions,
  smtpMailer,
  smtpTenantMailer,
} from '../messaging/smtp.ts'
export { warningLog } from '../telemetry/log.ts'
export { type HttpSenderOptions, httpSender } from '../webhooks/http-sender.ts'
export {
  type NodeEstatePorts,
  type NodeEstateSetup,
  type NodePorts,
  type NodeSetup,
  nodeEstatePorts,
  nodePorts,
} from './node-ports.ts'
export type { SecretSource } from './secrets.ts'
export { SecretFault, type SecretOption } from './secrets.ts'
export { SetupFault } from './setup.ts'
